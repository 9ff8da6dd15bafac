#include "cpu_lines.h"

#include "base/order.h"
#include "base/str.h"
#include "base/ticks.h"
#include "model/line_map.h"

#include <math.h>
#include <string.h>

typedef struct adding {
    GArray *nodes, *lines;
    GArray *node_of; /* uint32_t, by frame: its first node; 0: none */
    nytp_frames *frames;
    const nytp_profile *profile;
    nytp_line_map *map;
    double ns_per_tick;
} adding;

typedef struct current_file {
    const nytp_file *file;
    nytp_str name; /* as frames have it */
    uint32_t node; /* of the code outside of subs; 0: none yet */
} current_file;

static bool has_lines(void *context, uint32_t number, const nytp_sub *sub, uint64_t *weight)
{
    (void)context, (void)number, (void)weight;
    return sub->kind == NYTP_SUB_PERL && !nytp_sub_is_root(sub);
}

static GArray *first_nodes(const GArray *nodes, uint32_t frame_count)
{
    GArray *node_of = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    g_array_set_size(node_of, frame_count);
    for (uint32_t i = nodes->len; i-- > 0;) {
        const uint32_t frame = g_array_index(nodes, speedscope_node, i).frame;
        if (frame != SPEEDSCOPE_NO_FRAME)
            g_array_index(node_of, uint32_t, frame) = i;
    }
    return node_of;
}

/* Returns the node of the sub that has the line in this file, or 0. */
static uint32_t node_of_sub(const adding *a, const current_file *f, uint32_t line)
{
    nytp_sub sub;
    const nytp_line_place place = nytp_line_map_find(a->map, f->file->number, line);
    if (place.sub == UINT32_MAX || !nytp_profile_sub(a->profile, place.sub, &sub))
        return 0;
    const uint32_t frame = nytp_frames_of_raw(a->frames, &sub.name);
    const bool is_there =
        frame < a->node_of->len && nytp_str_same(nytp_frames_get(a->frames, frame).file, f->name);
    return is_there ? g_array_index(a->node_of, uint32_t, frame) : 0;
}

static uint32_t node_of_file(const adding *a, current_file *f)
{
    if (f->node == 0)
        f->node = speedscope_nodes_add_file(a->nodes, g_strdup_printf("(file scope of %s)", f->name.bytes),
                                            g_strdup(f->name.bytes));
    return f->node;
}

static void add_file(const adding *a, const nytp_file *file)
{
    nytp_line line;
    current_file f = {.file = file, .name.utf8 = true};
    char *name = nytp_frames_rename(a->frames, file->name, &f.name.length);
    f.name.bytes = name;
    for (uint64_t from = 0; nytp_profile_next_line(a->profile, file->fid, &from, &line);) {
        const int64_t ns = nytp_whole_ticks(round((double)line.ticks * a->ns_per_tick));
        if (ns <= 0)
            continue;
        const uint32_t node = node_of_sub(a, &f, line.line);
        const speedscope_line added = {node != 0 ? node : node_of_file(a, &f), line.line, (uint64_t)ns};
        g_array_append_val(a->lines, added);
    }
    g_free(name);
}

static gint by_node_and_line(gconstpointer a, gconstpointer b)
{
    const speedscope_line *x = a, *y = b;
    return nytp_order2(NYTP_ORDER(x->node, y->node), NYTP_ORDER(x->line, y->line));
}

GArray *speedscope_lines_new(GArray *nodes, nytp_frames *frames, const nytp_profile *profile)
{
    const nytp_file *file;
    adding a = {.nodes = nodes,
                .lines = g_array_new(FALSE, FALSE, sizeof(speedscope_line)),
                .node_of = first_nodes(nodes, nytp_frames_count(frames)),
                .frames = frames,
                .profile = profile,
                .map = nytp_line_map_new(profile, has_lines, NULL),
                .ns_per_tick = 1e9 / nytp_profile_ticks_per_sec(profile)};
    for (size_t i = 0; (file = nytp_profile_file(profile, i)) != NULL; i++)
        add_file(&a, file);
    nytp_line_map_free(a.map);
    g_array_free(a.node_of, TRUE);
    g_array_sort(a.lines, by_node_and_line);
    return a.lines;
}
