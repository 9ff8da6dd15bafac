#include "speedscope.h"

#include "base/ticks.h"
#include "calls/process_calls.h"
#include "model/grow.h"

#include <math.h>

typedef struct adding {
    GArray *nodes;
    GArray *open; /* uint32_t: the numbers of the callers, outermost first */
    nytp_frames *frames;
    uint32_t top;   /* the caller of outermost calls */
    double sum_ns;  /* negative times make it fall */
    uint64_t at_ns; /* the same, whole and never falling */
} adding;

static speedscope_node *node_at(GArray *nodes, uint32_t number)
{
    return &g_array_index(nodes, speedscope_node, number);
}

static uint32_t add_node(GArray *nodes, uint32_t parent, speedscope_node node)
{
    const uint32_t number = nodes->len;
    g_array_append_val(nodes, node);
    speedscope_node *above = node_at(nodes, parent);
    if (number == parent)
        return number; /* the root */
    if (above->last_child != 0)
        node_at(nodes, above->last_child)->next = number;
    else
        above->first_child = number;
    above->last_child = number;
    return number;
}

static uint32_t add_text(GArray *nodes, char *text, char *file)
{
    return add_node(nodes, SPEEDSCOPE_ROOT,
                    (speedscope_node){.frame = SPEEDSCOPE_NO_FRAME, .text = text, .file = file});
}

static bool add_call(void *context, const nytp_call *call)
{
    adding *a = context;
    g_array_set_size(a->open, call->depth);
    const uint32_t parent = call->depth > 0 ? g_array_index(a->open, uint32_t, call->depth - 1) : a->top;
    a->sum_ns += call->excl_ticks;
    const uint64_t now_ns = MAX(a->at_ns, (uint64_t)MAX(0, nytp_whole_ticks(round(a->sum_ns))));
    const uint32_t number = add_node(
        a->nodes, parent,
        (speedscope_node){.frame = nytp_frames_of_shown(a->frames, call->name), .own_ns = now_ns - a->at_ns});
    a->at_ns = now_ns;
    g_array_append_val(a->open, number);
    return true;
}

static void add_process(adding *a, const nytp_process_of_calls *p, nytp_calltree *tree, bool alone)
{
    const char *script = p->application.length > 0 ? p->application.bytes : "perl";
    a->top = alone ? (uint32_t)SPEEDSCOPE_ROOT
                   : add_text(a->nodes, g_strdup_printf("%s (pid %u)", script, p->process.pid), NULL);
    a->sum_ns = 0;
    a->at_ns = 0;
    nytp_calltree_walk(tree, add_call, a);
}

GArray *speedscope_nodes_new(nytp_process_calls *trees)
{
    adding a = {
        .nodes = NYTP_ZEROED_ARRAY(speedscope_node), .open = NYTP_ARRAY(uint32_t), .frames = trees->frames};
    size_t count, with_calls = 0;
    const nytp_process_of_calls *processes = nytp_process_calls_processes(trees, &count);
    add_text(a.nodes, g_strdup("(root)"), NULL);
    for (size_t i = 0; i < count; i++)
        with_calls += nytp_process_tree(trees, i) != NULL;
    for (size_t i = 0; i < count; i++)
        if (nytp_process_tree(trees, i) != NULL)
            add_process(&a, &processes[i], nytp_process_tree(trees, i), with_calls == 1);
    g_array_free(a.open, TRUE);
    return a.nodes;
}

void speedscope_nodes_free(GArray *nodes)
{
    NYTP_EACH(const speedscope_node, node, nodes) {
        g_free(node->text);
        g_free(node->file);
    }
    g_array_free(nodes, TRUE);
}

uint32_t speedscope_nodes_add_file(GArray *nodes, char *text, char *file)
{
    return add_text(nodes, text, file);
}
