#include "tree.h"

#include "base/order.h"
#include "model/grow.h"

#include <math.h>

typedef struct marking {
    const nytp_stacktree *stacks;
    tree_mark *of;
    GArray *path;  /* uint32_t: the nodes above the next one */
    GArray *nodes; /* uint32_t: all nodes that may be shown, callers before their callees */
    uint32_t max_depth;
} marking;

/* A caller may have less time than its callee, if the profiler's own is taken for more than it was. */
static void mark_node(void *context, uint32_t node, uint32_t depth)
{
    marking *m = context;
    g_array_set_size(m->path, depth);
    const uint32_t caller = depth > 0 ? g_array_index(m->path, uint32_t, depth - 1) : 0;
    const double of_caller = depth > 0 ? m->of[caller].ticks : HUGE_VAL;
    m->of[node] = (tree_mark){
        .caller = caller, .depth = depth, .ticks = fmin(m->stacks->nodes[node].incl_ticks, of_caller)};
    g_array_append_val(m->path, node);
    if (m->of[node].ticks > 0 && depth < m->max_depth) {
        m->of[node].order = m->nodes->len;
        g_array_append_val(m->nodes, node);
    }
}

static gint by_ticks(gconstpointer a, gconstpointer b, gpointer context)
{
    const tree_mark *of = context, *x = &of[*(const uint32_t *)a], *y = &of[*(const uint32_t *)b];
    return nytp_order2(NYTP_ORDER(y->ticks, x->ticks), NYTP_ORDER(x->order, y->order));
}

/* Returns whether the node is joined with its caller if it is shown. */
static bool joins(const tree_mark *of, uint32_t node)
{
    const double nearly_all = 0.95;
    const tree_mark *caller = &of[of[node].caller];
    return caller->callees == 0 && of[node].ticks >= nearly_all * caller->ticks;
}

static void show(tree_mark *of, uint32_t node, bool is_joined)
{
    tree_mark *caller = &of[of[node].caller];
    caller->is_joined = is_joined;
    caller->callees++;
    of[node].is_shown = true;
}

tree_marks tree_marks_new(const tree_calls *c, const tree_options *o)
{
    marking m = {.stacks = &c->stacks,
                 .of = g_new0(tree_mark, (size_t)c->stacks.used + 1),
                 .path = NYTP_ARRAY(uint32_t),
                 .nodes = NYTP_ARRAY(uint32_t),
                 .max_depth = o->max_depth > 0 ? o->max_depth : UINT32_MAX};
    tree_marks marks = {.of = m.of};
    const double min_ticks = nytp_least_ticks(o->min, c->base_ticks, c->ticks_per_s);
    uint32_t rows = c->has_root ? 1 : 0, shown = 0;
    nytp_stacktree_visit(&c->stacks, mark_node, &m);
    m.of[0].ticks = marks.least_ticks = c->stacks.nodes[0].incl_ticks;
    g_array_sort_with_data(m.nodes, by_ticks, m.of);
    for (; shown < m.nodes->len; shown++) {
        const uint32_t node = g_array_index(m.nodes, uint32_t, shown);
        const bool may_join = o->to == NULL && (c->has_root || m.of[node].depth > 0), /* callers stay apart */
            is_joined = may_join && joins(m.of, node);
        /* Where a chain becomes a fork, it ends, and two rows begin. */
        rows += is_joined ? 0 : m.of[m.of[node].caller].is_joined ? 2 : 1;
        if (m.of[node].ticks < min_ticks || (o->rows > 0 && rows > o->rows))
            break;
        show(m.of, node, is_joined);
        m.of[node].order = shown;
        marks.least_ticks = m.of[node].ticks;
    }
    marks.hidden = m.nodes->len - shown;
    g_array_free(m.path, TRUE);
    g_array_free(m.nodes, TRUE);
    return marks;
}
