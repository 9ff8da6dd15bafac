#include "graph.h"

#include "base/order.h"
#include "compare/match.h"
#include "model/grow.h"

#include <string.h>

static double scale_of(const dot_graph *g, const dot_graph *old)
{
    const bool sampled = nytp_measure_is_sampled(&g->measure) && nytp_measure_is_sampled(&old->measure);
    if (sampled && old->total_ticks > 0)
        return g->total_ticks / old->total_ticks;
    return g->measure.ticks_per_base / old->measure.ticks_per_base;
}

static nytp_str *list_names(const dot_graph *g)
{
    nytp_str *list = g_new(nytp_str, g->nodes->len);
    for (uint32_t i = 0; i < g->nodes->len; i++)
        list[i] = (nytp_str){dot_graph_node(g, i)->name, strlen(dot_graph_node(g, i)->name), true};
    return list;
}

/* Returns, by node of old, the node of g, or NYTP_NO_KEY: it is gone. */
static uint32_t *match_nodes(const dot_graph *g, const dot_graph *old)
{
    g_autofree nytp_str *old_names = list_names(old), *names = list_names(g);
    return nytp_match_lists(old_names, old->nodes->len, names, g->nodes->len);
}

static void add_gone(dot_graph *g, const dot_node *node, double scale)
{
    const dot_gone gone = {g_strdup(node->name), node->excl_ticks * scale};
    if (gone.excl_ticks > 0)
        g_array_append_val(g->gone, gone);
    else
        g_free(gone.name);
}

static void set_nodes(dot_graph *g, const dot_graph *old, const uint32_t *node_of, double scale)
{
    NYTP_EACH(dot_node, node, g->nodes)
        node->is_new = true;
    for (uint32_t i = 0; i < old->nodes->len; i++) {
        const dot_node *o = dot_graph_node(old, i);
        if (node_of[i] == NYTP_NO_KEY) {
            add_gone(g, o, scale);
            continue;
        }
        dot_node *n = dot_graph_node(g, node_of[i]);
        n->is_new = false;
        n->old_incl_ticks = o->incl_ticks * scale;
        n->old_excl_ticks = o->excl_ticks * scale;
    }
}

static void set_edges(dot_graph *g, const dot_graph *old, const uint32_t *node_of, double scale)
{
    for (uint32_t i = 0; i < old->edges->len && g->edges->len > 0; i++) {
        const dot_edge *o = dot_graph_edge(old, i);
        const dot_edge ends = {.from = node_of[o->from], .to = node_of[o->to]};
        dot_edge *e = bsearch(&ends, g->edges->data, g->edges->len, sizeof ends, dot_edge_compare);
        if (e != NULL)
            e->old_ticks = dot_edge_weight(o) * scale;
    }
}

static gint longest_first(gconstpointer a, gconstpointer b)
{
    const dot_gone *x = a, *y = b;
    return nytp_order2(NYTP_ORDER(y->excl_ticks, x->excl_ticks), strcmp(x->name, y->name));
}

void dot_compare(dot_graph *g, const dot_graph *old)
{
    const double scale = scale_of(g, old);
    g->compares = true;
    g->old_total_ticks = old->total_ticks * scale;
    g_autofree uint32_t *node_of = match_nodes(g, old);
    set_nodes(g, old, node_of, scale);
    set_edges(g, old, node_of, scale);
    g_array_sort(g->gone, longest_first);
}
