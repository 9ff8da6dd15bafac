/* Nodes in the order in which they are shown. */
#include "calls.h"
#include "base/str.h"
#include "model/names.h"
#include "model/stacktree.h"

#include <math.h>

typedef struct walk {
    const call_stacks *stacks;
    double min_ticks;
    GArray *stack; /* branch, the next one last */
    GArray *todo;  /* uint32_t: nodes whose children are still to be looked at */
} walk;

static int compare_doubles(double a, double b)
{
    return (a > b) - (a < b);
}

/* Negative: a comes first. */
static int compare_by(const call_stacks *s, const nytp_node *a, const nytp_node *b)
{
    switch (s->options->sort) {
    case SORT_TIME: return compare_doubles(b->excl_ticks, a->excl_ticks);
    case SORT_AVERAGE:
        return compare_doubles(b->excl_ticks / (double)b->calls, a->excl_ticks / (double)a->calls);
    case SORT_CALLS: return (b->calls > a->calls) - (b->calls < a->calls);
    case SORT_FOUND: return (a->sub > b->sub) - (a->sub < b->sub);
    case SORT_NAME: return 0;
    default: return compare_doubles(b->incl_ticks, a->incl_ticks);
    }
}

/* For a stack: what comes first goes last. */
static gint compare_branches(gconstpointer x, gconstpointer y, gpointer context)
{
    const call_stacks *s = context;
    const nytp_node *a = &s->tree->nodes[((const branch *)x)->node];
    const nytp_node *b = &s->tree->nodes[((const branch *)y)->node];
    int order = compare_by(s, a, b);
    if (order != 0)
        return s->options->reverse ? order : -order;
    order = nytp_str_order(nytp_names_get(s->names, a->sub), nytp_names_get(s->names, b->sub));
    return s->options->reverse && s->options->sort == SORT_NAME ? order : -order;
}

/* A hidden call's place is taken by what it called. */
static void push_children(walk *w, uint32_t node, uint32_t depth)
{
    const nytp_stacktree *tree = w->stacks->tree;
    guint from = w->stack->len;
    g_array_append_val(w->todo, node);
    while (w->todo->len > 0) {
        uint32_t parent = g_array_index(w->todo, uint32_t, w->todo->len - 1);
        g_array_set_size(w->todo, w->todo->len - 1);
        for (uint32_t n = nytp_stacktree_first(tree, parent); n != 0;
             n = nytp_stacktree_next(tree, parent, n)) {
            if (w->stacks->hidden[tree->nodes[n].sub])
                g_array_append_val(w->todo, n);
            else if (!(tree->nodes[n].incl_ticks < w->min_ticks))
                g_array_append_val(w->stack, ((branch){n, depth, false}));
        }
    }
    if (w->stack->len == from)
        return;
    g_qsort_with_data(&g_array_index(w->stack, branch, from), (gint)(w->stack->len - from), sizeof(branch),
                      compare_branches, (gpointer)w->stacks);
    g_array_index(w->stack, branch, from).last = true;
}

void branches_visit(const call_stacks *stacks, branch_fn *visit, void *context)
{
    const dump_options *o = stacks->options;
    uint32_t max_depth = o->max_depth > 0 ? o->max_depth : UINT32_MAX;
    walk w = {stacks, o->min_percent > 0 ? stacks->total_ticks * o->min_percent / 100 : -HUGE_VAL,
              g_array_new(FALSE, FALSE, sizeof(branch)), g_array_new(FALSE, FALSE, sizeof(uint32_t))};
    push_children(&w, 0, 0);
    while (w.stack->len > 0) {
        branch b = g_array_index(w.stack, branch, w.stack->len - 1);
        g_array_set_size(w.stack, w.stack->len - 1);
        visit(context, stacks, &b);
        if (b.depth + 1 < max_depth)
            push_children(&w, b.node, b.depth + 1);
    }
    g_array_free(w.stack, TRUE);
    g_array_free(w.todo, TRUE);
}
