#include "view.h"

#include "base/order.h"
#include "base/str.h"
#include "model/grow.h"

#include <math.h>

typedef struct walk {
    const dprofpp_view *view;
    double min_ticks;
    GArray *stack; /* dprofpp_branch, the next one last */
    GArray *todo;  /* uint32_t: nodes whose children wait to be added */
} walk;

/* Returns a negative number if a comes before b. */
static int compare_by(const dprofpp_view *v, const nytp_node *a, const nytp_node *b)
{
    switch (v->options->sort) {
    case DPROFPP_SORT_TIME: return NYTP_ORDER(b->excl_ticks, a->excl_ticks);
    case DPROFPP_SORT_AVERAGE:
        return NYTP_ORDER(b->excl_ticks / (double)b->calls, a->excl_ticks / (double)a->calls);
    case DPROFPP_SORT_CALLS: return NYTP_ORDER(b->calls, a->calls);
    case DPROFPP_SORT_FOUND: return NYTP_ORDER(a->sub, b->sub);
    case DPROFPP_SORT_NAME: return 0;
    default: return NYTP_ORDER(b->incl_ticks, a->incl_ticks);
    }
}

/* Sorts in reverse, because the last one is popped from the stack first. */
static gint compare_branches(gconstpointer x, gconstpointer y, gpointer context)
{
    const dprofpp_view *v = context;
    const nytp_node *a = &v->tree->nodes[((const dprofpp_branch *)x)->node];
    const nytp_node *b = &v->tree->nodes[((const dprofpp_branch *)y)->node];
    int order = compare_by(v, a, b);
    if (order != 0)
        return v->options->reverse ? order : -order;
    order = nytp_str_order(nytp_names_get(v->names, a->sub), nytp_names_get(v->names, b->sub));
    return v->options->reverse && v->options->sort == DPROFPP_SORT_NAME ? order : -order;
}

/* Pushes the children of a node. A hidden child is replaced by its own children. */
static void push_children(walk *w, uint32_t node, uint32_t depth)
{
    const nytp_stacktree *tree = w->view->tree;
    guint from = w->stack->len;
    g_array_append_val(w->todo, node);
    while (w->todo->len > 0) {
        uint32_t parent = g_array_index(w->todo, uint32_t, w->todo->len - 1);
        g_array_set_size(w->todo, w->todo->len - 1);
        for (uint32_t n = nytp_stacktree_first(tree, parent); n != 0;
             n = nytp_stacktree_next(tree, parent, n)) {
            if (w->view->hidden[tree->nodes[n].sub])
                g_array_append_val(w->todo, n);
            else if (!(tree->nodes[n].incl_ticks < w->min_ticks))
                g_array_append_val(w->stack, ((dprofpp_branch){n, depth, false}));
        }
    }
    if (w->stack->len == from)
        return;
    g_qsort_with_data(&g_array_index(w->stack, dprofpp_branch, from), (gint)(w->stack->len - from),
                      sizeof(dprofpp_branch), compare_branches, (gpointer)w->view);
    g_array_index(w->stack, dprofpp_branch, from).last = true;
}

void dprofpp_branches_visit(const dprofpp_view *view, dprofpp_branch_fn *visit, void *context)
{
    const dprofpp_options *o = view->options;
    uint32_t max_depth = o->max_depth > 0 ? o->max_depth : UINT32_MAX;
    walk w = {view, nytp_least_ticks(o->min, view->whole_ticks, view->measure.ticks_per_base),
              NYTP_ARRAY(dprofpp_branch), NYTP_ARRAY(uint32_t)};
    push_children(&w, 0, 0);
    while (w.stack->len > 0) {
        dprofpp_branch b = g_array_index(w.stack, dprofpp_branch, w.stack->len - 1);
        g_array_set_size(w.stack, w.stack->len - 1);
        visit(context, view, &b);
        if (b.depth + 1 < max_depth)
            push_children(&w, b.node, b.depth + 1);
    }
    g_array_free(w.stack, TRUE);
    g_array_free(w.todo, TRUE);
}

dprofpp_time_format dprofpp_time_format_of(const dprofpp_view *view)
{
    const nytp_measure *measure = &view->measure;
    const nytp_unit unit = nytp_measure_unit(measure, nytp_units[view->options->unit]);
    if (view->options->unit == NYTP_UNIT_TICKS)
        return (dprofpp_time_format){1, 0, " ticks"};
    return (dprofpp_time_format){nytp_measure_ticks(measure, &unit), nytp_measure_decimals(measure, &unit),
                                 unit.name};
}
