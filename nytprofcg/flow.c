/* Inclusive times of calls: what comes into a circle of functions goes out of it.
 *
 * Measured times nearly add up so, for inclusive is exclusive plus what the callees
 * took. They do not where a call never returned, time was clamped, several subs
 * have one name, or a piece was made. Exclusive times are known best, so they stay.
 * From the innermost circles outwards the time of each circle, its own and that of
 * the calls it makes, is shared out among the calls that lead into it, in
 * proportion to what was measured; where that adds up already, nothing changes.
 * Calls within a circle keep what was measured.
 */
#include "circles.h"

typedef struct entry {
    uint32_t circle, call;
} entry;

static int by_circle(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->circle != y->circle)
        return x->circle < y->circle ? -1 : 1;
    return (x->call > y->call) - (x->call < y->call);
}

/* The calls that lead from one circle into another, by the latter. */
static GArray *collect_entries(const graph *g, const circles *c)
{
    GArray *entries = g_array_new(FALSE, FALSE, sizeof(entry));
    for (uint32_t i = 0; i < g->calls->len; i++) {
        const call *k = graph_call(g, i);
        entry e = {c->of_node[k->to], i};
        if (c->of_node[k->from] != e.circle)
            g_array_append_val(entries, e);
    }
    graph_sort(entries, by_circle);
    return entries;
}

static void share_out(const graph *g, uint64_t total, const entry *entries, size_t count)
{
    uint64_t *weights = g_new(uint64_t, count), *shares = g_new0(uint64_t, count);
    for (size_t i = 0; i < count; i++)
        weights[i] = graph_call(g, entries[i].call)->incl_ticks;
    if (!split_by_weight(total, weights, shares, count)) {
        for (size_t i = 0; i < count; i++)
            weights[i] = graph_call(g, entries[i].call)->count;
        split_by_weight(total, weights, shares, count);
    }
    for (size_t i = 0; i < count; i++)
        graph_call(g, entries[i].call)->incl_ticks = shares[i];
    g_free(weights);
    g_free(shares);
}

/* A piece within a circle: nothing was measured, so it has what it spends. */
static void settle_inner_pieces(const graph *g, const circles *c)
{
    uint64_t *spent = g_new0(uint64_t, g->nodes->len + 1); /* never none */
    for (uint32_t i = 0; i < g->nodes->len; i++)
        spent[i] = graph_node(g, i)->self_ticks;
    for (uint32_t i = 0; i < g->calls->len; i++)
        spent[graph_call(g, i)->from] += graph_call(g, i)->incl_ticks;
    for (uint32_t i = 0; i < g->calls->len; i++) {
        call *k = graph_call(g, i);
        if (!k->is_real && c->of_node[k->from] == c->of_node[k->to])
            k->incl_ticks = spent[k->to];
    }
    g_free(spent);
}

void flow_settle(graph *g)
{
    circles c;
    circles_find(&c, g);
    uint64_t *total = g_new0(uint64_t, c.count);
    for (uint32_t i = 0; i < g->nodes->len; i++)
        total[c.of_node[i]] += graph_node(g, i)->self_ticks;
    GArray *entries = collect_entries(g, &c);
    entry *all = (entry *)(void *)entries->data;
    for (guint i = 0, end; i < entries->len; i = end) {
        for (end = i + 1; end < entries->len && all[end].circle == all[i].circle;)
            end++;
        share_out(g, total[all[i].circle], all + i, end - i);
        for (guint k = i; k < end; k++) {
            const call *in = graph_call(g, all[k].call);
            total[c.of_node[in->from]] += in->incl_ticks;
        }
    }
    settle_inner_pieces(g, &c);
    g_array_free(entries, TRUE);
    g_free(total);
    circles_clear(&c);
}
