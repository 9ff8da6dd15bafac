#include "graph.h"

#include "base/order.h"
#include "model/grow.h"

#include <string.h>

dot_graph *dot_graph_new(const nytp_profile *profile)
{
    dot_graph *g = g_new0(dot_graph, 1);
    g->profile = profile;
    g->measure = nytp_profile_measure(profile);
    g->nodes = NYTP_ARRAY(dot_node);
    g->edges = NYTP_ARRAY(dot_edge);
    g->gone = NYTP_ARRAY(dot_gone);
    return g;
}

void dot_graph_free(dot_graph *g)
{
    NYTP_EACH(const dot_node, node, g->nodes)
        g_free(node->name);
    NYTP_EACH(const dot_gone, one, g->gone)
        g_free(one->name);
    g_array_free(g->gone, TRUE);
    g_array_free(g->nodes, TRUE);
    g_array_free(g->edges, TRUE);
    g_free(g->first_out);
    g_free(g->first_in);
    g_free(g->in);
    g_free(g->order);
    g_free(g);
}

int dot_edge_compare(const void *a, const void *b)
{
    const dot_edge *x = a, *y = b;
    return nytp_order2(NYTP_ORDER(x->from, y->from), NYTP_ORDER(x->to, y->to));
}

double dot_graph_share(const dot_graph *g, double ticks)
{
    return g->total_ticks > 0 ? ticks / g->total_ticks : 0;
}

int64_t dot_graph_find(const dot_graph *g, const char *name)
{
    for (uint32_t i = 0; i < g->nodes->len; i++)
        if (strcmp(dot_graph_node(g, i)->name, name) == 0)
            return i;
    return -1;
}

/* Breadth-first search. */
uint32_t *dot_graph_distances(const dot_graph *g, const uint32_t *starts, size_t count, bool upwards)
{
    uint32_t *distances = g_new(uint32_t, g->nodes->len), *queue = g_new(uint32_t, g->nodes->len);
    uint32_t queued = 0;
    memset(distances, 0xFF, g->nodes->len * sizeof *distances);
    for (size_t i = 0; i < count; i++) {
        if (distances[starts[i]] == UINT32_MAX)
            queue[queued++] = starts[i];
        distances[starts[i]] = 0;
    }
    const guint *first = upwards ? g->first_in : g->first_out;
    for (uint32_t at = 0; at < queued; at++) {
        for (guint i = first[queue[at]]; i < first[queue[at] + 1]; i++) {
            const dot_edge *e = dot_graph_edge(g, upwards ? g->in[i] : i);
            uint32_t next = upwards ? e->from : e->to;
            if (distances[next] != UINT32_MAX || !dot_graph_shows(g, next))
                continue;
            distances[next] = distances[queue[at]] + 1;
            queue[queued++] = next;
        }
    }
    g_free(queue);
    return distances;
}
