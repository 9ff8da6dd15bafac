#include "graph.h"

#include "base/order.h"
#include "model/group.h"
#include "model/grow.h"
#include "model/whole.h"

#include <string.h>

/* Clocks step back, calls do not return, and packages call each other in turn. So times are limited to the
 * range from 0 to the total, and inclusive times are at least exclusive ones. The root gets the time of
 * statements that are in no sub. */
static void clamp_times(dot_graph *g)
{
    double statement_ticks = (double)nytp_profile_totals(g->profile).statement_ticks, in_subs = 0;
    NYTP_EACH(dot_node, n, g->nodes) {
        n->excl_ticks = MAX(n->excl_ticks, 0);
        in_subs += n->excl_ticks;
    }
    dot_node *root = dot_graph_node(g, DOT_ROOT);
    g->total_ticks = nytp_whole(statement_ticks, in_subs);
    root->excl_ticks += g->total_ticks - in_subs;
    NYTP_EACH(dot_node, n, g->nodes)
        n->incl_ticks = CLAMP(n->incl_ticks, n->excl_ticks, g->total_ticks);
    root->incl_ticks = g->total_ticks;
    NYTP_EACH(dot_edge, e, g->edges) {
        e->incl_ticks = CLAMP(e->incl_ticks, 0, g->total_ticks);
        e->inner_ticks = CLAMP(e->inner_ticks, 0, dot_graph_node(g, e->to)->incl_ticks); /* several deep */
        e->excl_ticks = CLAMP(e->excl_ticks, 0, g->total_ticks);
    }
}

static gint heaviest_first(gconstpointer a, gconstpointer b, gpointer context)
{
    const dot_graph *g = context;
    const dot_edge *x = dot_graph_edge(g, *(const uint32_t *)a), *y = dot_graph_edge(g, *(const uint32_t *)b);
    double weight_x = dot_edge_weight(x), weight_y = dot_edge_weight(y);
    return nytp_order3(NYTP_ORDER(weight_y, weight_x), NYTP_ORDER(y->calls, x->calls),
                       strcmp(dot_graph_node(g, x->from)->name, dot_graph_node(g, y->from)->name));
}

/* Sets first_out, in, and first_in. */
static void index_edges(dot_graph *g)
{
    uint32_t nodes = g->nodes->len;
    g->first_out = nytp_group_starts(g->edges, offsetof(dot_edge, from), nodes);
    g->first_in = nytp_group_starts(g->edges, offsetof(dot_edge, to), nodes);
    g->in = g_new(uint32_t, g->edges->len + 1); /* + 1: never NULL */
    g_autofree guint *next = g_memdup2(g->first_in, nodes * sizeof *next);
    for (uint32_t i = 0; i < g->edges->len; i++)
        g->in[next[dot_graph_edge(g, i)->to]++] = i;
    for (uint32_t i = 0; i < nodes; i++)
        g_qsort_with_data(g->in + g->first_in[i], (gint)(g->first_in[i + 1] - g->first_in[i]), sizeof *g->in,
                          heaviest_first, g);
}

static gint longest_first(gconstpointer a, gconstpointer b, gpointer context)
{
    const dot_node *x = dot_graph_node(context, *(const uint32_t *)a),
                   *y = dot_graph_node(context, *(const uint32_t *)b);
    return nytp_order3(NYTP_ORDER(y->incl_ticks, x->incl_ticks), NYTP_ORDER(y->excl_ticks, x->excl_ticks),
                       strcmp(x->name, y->name));
}

dot_graph *dot_build(const nytp_profile *profile, nytp_calltree *stacks, const dot_graph_options *options)
{
    dot_graph *g = dot_graph_new(profile);
    dot_nodes_find(g, options);
    if (stacks != NULL)
        dot_packages_measure(g, stacks);
    clamp_times(g);
    index_edges(g);
    g->order = nytp_group_order(g->nodes->len, longest_first, g);
    return g;
}
