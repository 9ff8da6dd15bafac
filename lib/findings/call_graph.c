#include "findings/causes.h"

#include "base/str.h"

#include "base/order.h"
#include "compare/comparison.h"
#include "model/group.h"
#include "model/grow.h"

#include <string.h>

/* What it is built of: rows of the comparison, and the nodes that they are part of. */
typedef struct building {
    nytp_call_graph *graph;
    nytp_comparison *comparison;
    uint32_t *node_of_sub; /* by row; 0: outside */
    nytp_pairs pairs;      /* of nodes; by index of the edge */
    GArray *calls_spans;   /* uint32_t: nodes that begin spans */
} building;

static nytp_call_node *node_at(const nytp_call_graph *graph, uint32_t node)
{
    return &g_array_index(graph->nodes, nytp_call_node, node);
}

static nytp_call_edge *edge_at(const nytp_call_graph *graph, uint32_t edge)
{
    return &g_array_index(graph->edges, nytp_call_edge, edge);
}

static void set(double to[NYTP_SIDES], const nytp_change *from)
{
    NYTP_EACH_SIDE(side)
        to[side] = from->median[side];
}

static void add(double to[NYTP_SIDES], const nytp_change *from)
{
    NYTP_EACH_SIDE(side)
        to[side] += from->median[side];
}

static nytp_change change_of(const building *b, enum nytp_compared kind, size_t row, enum nytp_figure figure)
{
    nytp_change change;
    nytp_comparison_get(b->comparison, kind, row, figure, &change);
    return change;
}

/* What other programs took of a sub's time is no cause of the sub's. */
static void leave_out_queued(const building *b, nytp_call_node *node, size_t row)
{
    const nytp_change queued = change_of(b, NYTP_COMPARE_SUBS, row, (enum nytp_figure)NYTP_FIGURE_QUEUED);
    NYTP_EACH_SIDE(side) {
        node->excl[side] -= queued.median[side];
        b->graph->queued_s[side] += queued.median[side];
        b->graph->knows_queued |= queued.median[side] > 0;
    }
}

static void fill_node(const building *b, nytp_call_node *node, enum nytp_compared kind, size_t row)
{
    const nytp_change excl = change_of(b, kind, row, NYTP_FIGURE_EXCL),
                      incl = change_of(b, kind, row, NYTP_FIGURE_INCL),
                      calls = change_of(b, kind, row, NYTP_FIGURE_COUNT),
                      each = change_of(b, kind, row, NYTP_FIGURE_PER_COUNT);
    set(node->excl, &excl);
    if (kind == NYTP_COMPARE_SUBS && nytp_comparison_measures_waits(b->comparison))
        leave_out_queued(b, node, row);
    set(node->incl, &incl);
    set(node->calls, &calls);
    node->by_chance = each.verdict == NYTP_VERDICT_CHANCE;
}

static uint32_t add_node(const building *b, enum nytp_compared kind, size_t row)
{
    nytp_call_node node = {.sub = SIZE_MAX, .label = SIZE_MAX};
    fill_node(b, &node, kind, row);
    if (kind == NYTP_COMPARE_SUBS) {
        node.sub = row;
    } else {
        const nytp_str name = change_of(b, kind, row, NYTP_FIGURE_COUNT).name;
        node.label = row;
        node.is_span = nytp_comparison_label(name).kind == NYTP_LABEL_SPAN;
    }
    g_array_append_val(b->graph->nodes, node);
    return b->graph->nodes->len - 1;
}

/* Code outside of subs runs once, in however many processes. */
static void set_outside(const building *b, size_t row)
{
    nytp_call_node *outside = node_at(b->graph, 0);
    fill_node(b, outside, NYTP_COMPARE_SUBS, row);
    outside->by_chance =
        change_of(b, NYTP_COMPARE_SUBS, row, NYTP_FIGURE_EXCL).verdict == NYTP_VERDICT_CHANCE;
    outside->calls[NYTP_OLD] = outside->calls[NYTP_NEW] = 1;
}

static void add_nodes(building *b)
{
    const size_t count = nytp_comparison_count(b->comparison, NYTP_COMPARE_SUBS);
    g_autofree uint32_t *node_of_label =
        g_new0(uint32_t, nytp_comparison_count(b->comparison, NYTP_COMPARE_LABELS) + 1);
    const nytp_call_node outside = {.sub = SIZE_MAX, .label = SIZE_MAX, .calls = {1, 1}};
    g_array_append_val(b->graph->nodes, outside);
    b->node_of_sub = g_new0(uint32_t, count + 1);
    for (size_t row = 0; row < count; row++) {
        const nytp_change change = change_of(b, NYTP_COMPARE_SUBS, row, NYTP_FIGURE_COUNT);
        const size_t label = change.is_sum ? SIZE_MAX : nytp_comparison_label_of(b->comparison, row);
        if (change.is_sum)
            continue;
        if (nytp_str_is(change.name, NYTP_RUNTIME))
            set_outside(b, row);
        else if (label == SIZE_MAX)
            b->node_of_sub[row] = add_node(b, NYTP_COMPARE_SUBS, row);
        else if (node_of_label[label] != 0)
            b->node_of_sub[row] = node_of_label[label];
        else
            b->node_of_sub[row] = node_of_label[label] = add_node(b, NYTP_COMPARE_LABELS, label);
    }
}

static void add_edge(building *b, uint32_t caller, uint32_t callee, const nytp_change *calls,
                     const nytp_change *incl)
{
    GArray *edges = b->graph->edges;
    const uint32_t number = nytp_pairs_intern(&b->pairs, (nytp_pair){caller, callee});
    if (number == edges->len) {
        const nytp_call_edge new = {.caller = caller, .callee = callee, .by_chance = true};
        g_array_append_val(edges, new);
    }
    nytp_call_edge *edge = edge_at(b->graph, number);
    add(edge->calls, calls);
    add(edge->incl, incl);
    edge->by_chance &= calls->verdict == NYTP_VERDICT_CHANCE;
}

static void add_edges(building *b)
{
    const size_t count = nytp_comparison_count(b->comparison, NYTP_COMPARE_CALLS);
    for (size_t row = 0; row < count; row++) {
        const nytp_change calls = change_of(b, NYTP_COMPARE_CALLS, row, NYTP_FIGURE_COUNT),
                          incl = change_of(b, NYTP_COMPARE_CALLS, row, NYTP_FIGURE_INCL);
        uint32_t caller = calls.caller != SIZE_MAX ? b->node_of_sub[calls.caller] : 0;
        const uint32_t callee = calls.callee != SIZE_MAX ? b->node_of_sub[calls.callee] : 0;
        if (callee == 0 || (caller == callee && node_at(b->graph, callee)->label != SIZE_MAX))
            continue;
        if (node_at(b->graph, callee)->is_span) {
            g_array_append_val(b->calls_spans, caller);
            caller = 0;
        }
        add_edge(b, caller, callee, &calls, &incl);
    }
}

static double weight(const nytp_call_edge *edge)
{
    return edge->incl[NYTP_OLD] + edge->incl[NYTP_NEW];
}

/* Methods of a label call one another by subs of the driver, so its calls are not the sum of its edges. */
static void join_callers_of_labels(const building *b)
{
    const nytp_call_graph *g = b->graph;
    g_autofree uint32_t *heaviest = g_new(uint32_t, g->nodes->len);
    memset(heaviest, 0xff, g->nodes->len * sizeof *heaviest);
    for (uint32_t i = 0; i < g->edges->len; i++) {
        uint32_t *of = &heaviest[edge_at(g, i)->callee];
        if (*of == UINT32_MAX || weight(edge_at(g, i)) > weight(edge_at(g, *of)))
            *of = i;
    }
    guint kept = 0;
    for (uint32_t i = 0; i < g->edges->len; i++) {
        nytp_call_edge *edge = edge_at(g, i);
        const nytp_call_node *callee = node_at(g, edge->callee);
        if (callee->label != SIZE_MAX && heaviest[edge->callee] != i)
            continue;
        if (callee->label != SIZE_MAX) {
            const nytp_change calls = change_of(b, NYTP_COMPARE_LABELS, callee->label, NYTP_FIGURE_COUNT);
            set(edge->calls, &calls);
            memcpy(edge->incl, callee->incl, sizeof edge->incl);
            edge->by_chance = calls.verdict == NYTP_VERDICT_CHANCE;
        }
        *edge_at(g, kept++) = *edge;
    }
    g_array_set_size(g->edges, kept);
}

static int by_callee(const void *x, const void *y)
{
    const nytp_call_edge *a = x, *b = y;
    return nytp_order2(NYTP_ORDER(a->callee, b->callee), NYTP_ORDER(a->caller, b->caller));
}

static int by_caller(const void *x, const void *y)
{
    const nytp_call_edge *a = x, *b = y;
    return nytp_order2(NYTP_ORDER(a->caller, b->caller), NYTP_ORDER(a->callee, b->callee));
}

/* Marks what begins spans, and all of its callers. */
static void mark_above_spans(const building *b)
{
    const nytp_call_graph *g = b->graph;
    GArray *todo = b->calls_spans;
    nytp_group_sort(g->edges, by_callee);
    g_autofree guint *first = nytp_group_starts(g->edges, offsetof(nytp_call_edge, callee), g->nodes->len);
    while (todo->len > 0) {
        const uint32_t node = g_array_index(todo, uint32_t, todo->len - 1);
        g_array_set_size(todo, todo->len - 1);
        if (node_at(g, node)->has_spans)
            continue;
        node_at(g, node)->has_spans = true;
        for (guint i = first[node]; i < first[node + 1]; i++)
            g_array_append_val(todo, edge_at(g, i)->caller);
    }
}

static void find_cycles(nytp_call_graph *g)
{
    nytp_cycles cycles;
    nytp_group_sort(g->edges, by_caller);
    nytp_cycles_find(&cycles, g->edges, offsetof(nytp_call_edge, caller), offsetof(nytp_call_edge, callee),
                     g->nodes->len);
    for (uint32_t i = 0; i < g->nodes->len; i++)
        node_at(g, i)->cycle = cycles.of_function[i];
    g->cycles = cycles.count;
    nytp_cycles_clear(&cycles);
}

nytp_call_graph *nytp_call_graph_new(nytp_comparison *comparison)
{
    nytp_call_graph *graph = g_new0(nytp_call_graph, 1);
    building b = {.graph = graph, .comparison = comparison};
    graph->nodes = NYTP_ZEROED_ARRAY(nytp_call_node);
    graph->edges = NYTP_ZEROED_ARRAY(nytp_call_edge);
    b.calls_spans = NYTP_ARRAY(uint32_t);
    nytp_pairs_init(&b.pairs);
    add_nodes(&b);
    add_edges(&b);
    join_callers_of_labels(&b);
    mark_above_spans(&b);
    find_cycles(graph);
    nytp_pairs_clear(&b.pairs);
    g_array_free(b.calls_spans, TRUE);
    g_free(b.node_of_sub);
    return graph;
}

void nytp_call_graph_free(nytp_call_graph *graph)
{
    g_array_free(graph->nodes, TRUE);
    g_array_free(graph->edges, TRUE);
    g_free(graph);
}
