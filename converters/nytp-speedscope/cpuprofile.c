#include "speedscope.h"

#include "base/order.h"
#include "base/str.h"
#include "base/ticks.h"
#include "calls/process_calls.h"
#include "export/json.h"
#include "model/grow.h"
#include "model/hashes.h"
#include "model/line_map.h"

#include <glib.h>
#include <math.h>
#include <string.h>

typedef struct speedscope_line {
    uint32_t node, line;
    uint64_t ns;
} speedscope_line;

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
    GArray *node_of = NYTP_ZEROED_ARRAY(uint32_t);
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

/* Returns the lines of a profile that took time, as speedscope_line, by node and line. A profile does not say
 * in which stack a line took its time, and viewers add up all nodes of a file. So the lines of a sub belong
 * to its first node, and those of other code to a node of their file, which is added. */
static GArray *speedscope_lines_new(GArray *nodes, nytp_frames *frames, const nytp_profile *profile)
{
    const nytp_file *file;
    adding a = {.nodes = nodes,
                .lines = NYTP_ARRAY(speedscope_line),
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

typedef struct writing {
    FILE *out;
    nytp_frames *frames;
    const GArray *nodes, *lines;
    guint next_line;     /* the first one of a node that is not yet written */
    GHashTable *scripts; /* by the name of a file: its number */
} writing;

static const speedscope_node *node_at(const GArray *nodes, uint32_t number)
{
    return &g_array_index(nodes, speedscope_node, number);
}

/* NULL: an empty one. */
static nytp_str text_of(const char *text)
{
    return (nytp_str){text != NULL ? text : "", text != NULL ? strlen(text) : 0, true};
}

static void write_number(writing *w, const char *before, uint64_t number)
{
    fputs_unlocked(before, w->out);
    nytp_json_decimal(w->out, number, 0);
}

/* Ids of nodes count from 1. */
static void write_id(writing *w, const char *before, uint32_t node)
{
    write_number(w, before, (uint64_t)node + 1);
}

/* The address of a file with a whole name, which a viewer can open; else the name. */
static void write_url(writing *w, nytp_str file)
{
    g_autofree char *name = g_strndup(file.bytes, file.length);
    g_autofree char *url = g_path_is_absolute(name) ? g_filename_to_uri(name, NULL, NULL) : NULL;
    nytp_json_string(w->out, text_of(url != NULL ? url : name));
}

/* Viewers take equal numbers for one file. */
static unsigned script_of(writing *w, nytp_str file)
{
    char *name = g_strndup(file.bytes, file.length);
    gpointer number = g_hash_table_lookup(w->scripts, name);
    if (number == NULL) {
        number = GUINT_TO_POINTER(g_hash_table_size(w->scripts) + 1);
        g_hash_table_insert(w->scripts, name, number);
    } else {
        g_free(name);
    }
    return GPOINTER_TO_UINT(number);
}

/* Lines of a callFrame count from 0, those of positionTicks from 1. */
static void write_call_frame(writing *w, const speedscope_node *node)
{
    nytp_frame frame = {.name = text_of(node->text), .file = text_of(node->file)};
    if (node->frame != SPEEDSCOPE_NO_FRAME)
        frame = nytp_frames_get(w->frames, node->frame);
    fputs(",\"callFrame\":{\"functionName\":", w->out);
    nytp_json_string(w->out, frame.name);
    fprintf(w->out, ",\"scriptId\":\"%u\",\"url\":", frame.file.length > 0 ? script_of(w, frame.file) : 0);
    write_url(w, frame.file);
    if (frame.file.length > 0)
        fprintf(w->out, ",\"lineNumber\":%u,\"columnNumber\":0}",
                frame.first_line > 0 ? frame.first_line - 1 : 0);
    else
        fputs(",\"lineNumber\":-1,\"columnNumber\":-1}", w->out);
}

static void write_lines(writing *w, uint32_t node)
{
    bool any = false;
    for (; w->next_line < w->lines->len; w->next_line++) {
        const speedscope_line *line = &g_array_index(w->lines, speedscope_line, w->next_line);
        if (line->node != node)
            break;
        write_number(w, any ? ",{\"line\":" : ",\"positionTicks\":[{\"line\":", line->line);
        write_number(w, ",\"ticks\":", line->ns);
        putc_unlocked('}', w->out);
        any = true;
    }
    if (any)
        putc_unlocked(']', w->out);
}

static void write_node(writing *w, uint32_t number)
{
    const speedscope_node *node = node_at(w->nodes, number);
    write_id(w, number > 0 ? ",\n{\"id\":" : "\n{\"id\":", number);
    write_call_frame(w, node);
    write_number(w, ",\"hitCount\":", node->own_ns);
    fputs(",\"children\":[", w->out);
    for (uint32_t child = node->first_child; child != 0; child = node_at(w->nodes, child)->next)
        write_id(w, child != node->first_child ? "," : "", child);
    putc(']', w->out);
    write_lines(w, number);
    putc('}', w->out);
}

/* A sample lasts until the next one, so a last one, of the root, ends the others. Times are in us. DevTools
 * does not count what begins at 0. */
static void write_samples(writing *w)
{
    enum { START_US = 1, START_NS = 1000 };
    uint64_t end_ns = START_NS;
    fputs("],\n\"samples\":[", w->out);
    for (guint i = 0; i < w->nodes->len; i++)
        if (node_at(w->nodes, i)->own_ns > 0) {
            write_id(w, "", i);
            putc_unlocked(',', w->out);
        }
    write_id(w, "", SPEEDSCOPE_ROOT);
    fputs("],\n\"timeDeltas\":[0", w->out);
    NYTP_EACH(const speedscope_node, node, w->nodes) {
        const uint64_t ns = node->own_ns;
        if (ns == 0)
            continue;
        putc_unlocked(',', w->out);
        nytp_json_decimal(w->out, ns, 3);
        end_ns += ns;
    }
    fprintf(w->out, "],\n\"startTime\":%d,\"endTime\":", START_US);
    nytp_json_decimal(w->out, end_ns, 3);
    fputs("}\n", w->out);
}

uint64_t speedscope_write_cpuprofile(nytp_process_calls *trees, const nytp_profile *lines, nytp_least min,
                                     uint32_t max_depth, FILE *out)
{
    const uint32_t cut = nytp_process_trees_prune(trees, min, max_depth);
    GArray *nodes = speedscope_nodes_new(trees);
    GArray *of_lines = speedscope_lines_new(nodes, trees->frames, lines);
    writing w = {.out = out,
                 .frames = trees->frames,
                 .nodes = nodes,
                 .lines = of_lines,
                 .scripts = g_hash_table_new_full(nytp_hash_of_text, g_str_equal, g_free, NULL)};
    fputs("{\"nodes\":[", out);
    for (uint32_t i = 0; i < nodes->len; i++)
        write_node(&w, i);
    write_samples(&w);
    g_hash_table_destroy(w.scripts);
    g_array_free(of_lines, TRUE);
    speedscope_nodes_free(nodes);
    return cut;
}
