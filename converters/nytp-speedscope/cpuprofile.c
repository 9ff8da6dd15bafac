#include "cpuprofile.h"

#include "cpu_lines.h"
#include "cpu_nodes.h"

#include "calls/process_trees.h"
#include "export/json.h"
#include "model/hashes.h"

#include <glib.h>
#include <string.h>

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
    for (guint i = 0; i < w->nodes->len; i++) {
        const uint64_t ns = node_at(w->nodes, i)->own_ns;
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

uint64_t speedscope_write_cpuprofile(nytp_process_calls *trees, const nytp_profile *lines, double min_percent,
                                     uint32_t max_depth, FILE *out)
{
    const uint32_t cut = nytp_process_trees_prune(trees, min_percent, max_depth);
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
