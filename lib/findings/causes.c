#include "findings/causes.h"

#include "base/order.h"
#include "base/str.h"
#include "compare/comparison.h"
#include "model/grow.h"

#include <math.h>
#include <string.h>

enum { MOST = 7 };
static const double LEAST_SHARE = 0.01;

/* Subs that call each other. */
typedef struct cycle {
    double calls[NYTP_SIDES];  /* from outside */
    double within[NYTP_SIDES]; /* of one by another, or of one by itself */
    double ticks[NYTP_SIDES];
    uint32_t most, second, count; /* the nodes with most calls, and how many there are */
    bool by_chance;
} cycle;

typedef struct finding {
    const nytp_call_graph *graph;
    double (
        *plain)[NYTP_SIDES]; /* by node: what its calls take, without others of its cycle and without spans */
    cycle *cycles;
    GArray *causes;
    nytp_cause *of_node; /* of new and gone nodes; callers 0: none yet */
    nytp_cause of_all, queued;
    double of_all_subs;       /* the factor by which calls of most subs differ, 1: by none */
    double least, least_each; /* what a cause is, and what a longer call is */
} finding;

static const nytp_call_node *node_at(const finding *f, uint32_t node)
{
    return &g_array_index(f->graph->nodes, nytp_call_node, node);
}

static const nytp_call_edge *edge_at(const finding *f, guint edge)
{
    return &g_array_index(f->graph->edges, nytp_call_edge, edge);
}

static void add_cause(const finding *f, const nytp_cause *cause)
{
    if (fabs(cause->amount) >= f->least)
        g_array_append_vals(f->causes, cause, 1);
}

static bool is_within_cycle(const finding *f, const nytp_call_edge *edge)
{
    return node_at(f, edge->caller)->cycle == node_at(f, edge->callee)->cycle;
}

/* Requests take their time wherever they are counted, so what begins them costs the rest. */
static void add_plain_times(const finding *f)
{
    for (uint32_t i = 0; i < f->graph->nodes->len; i++)
        NYTP_EACH_SIDE(side)
            f->plain[i][side] = node_at(f, i)->excl[side];
    NYTP_EACH(const nytp_call_edge, edge, f->graph->edges) {
        const nytp_call_node *callee = node_at(f, edge->callee);
        const bool counts = !callee->has_spans && !callee->is_span && !is_within_cycle(f, edge);
        for (int side = 0; side < NYTP_SIDES && counts; side++)
            f->plain[edge->caller][side] += edge->incl[side];
    }
}

/* Returns what a call takes. */
static double price(const finding *f, const nytp_call_edge *edge, enum nytp_side side)
{
    const nytp_call_node *callee = node_at(f, edge->callee);
    return callee->has_spans ? f->plain[edge->callee][side] / callee->calls[side]
                             : edge->incl[side] / edge->calls[side];
}

static nytp_cause cause_of(const finding *f, const nytp_call_edge *edge, double amount)
{
    const nytp_call_node *callee = node_at(f, edge->callee);
    nytp_cause cause = {.kind = callee->calls[NYTP_OLD] <= 0   ? NYTP_CAUSE_NEW
                                : callee->calls[NYTP_NEW] <= 0 ? NYTP_CAUSE_GONE
                                                               : NYTP_CAUSE_CALLS,
                        .amount = amount,
                        .sub = callee->sub,
                        .label = callee->label,
                        .caller = node_at(f, edge->caller)->sub,
                        .callers = !callee->is_span};
    NYTP_EACH_SIDE(side) {
        cause.calls[side] = edge->calls[side];
        cause.caller_calls[side] = node_at(f, edge->caller)->calls[side];
    }
    return cause;
}

/* A sub that is new or gone is one cause, whoever calls it. */
static void add_to_node(const finding *f, uint32_t node, const nytp_cause *cause)
{
    nytp_cause *sum = &f->of_node[node];
    const nytp_cause before = *sum;
    if (fabs(before.amount) <= fabs(cause->amount))
        *sum = *cause;
    sum->amount = before.amount + cause->amount;
    sum->callers = before.callers + cause->callers;
    NYTP_EACH_SIDE(side)
        sum->calls[side] = before.calls[side] + cause->calls[side];
}

static void look_at_edge(const finding *f, const nytp_call_edge *edge)
{
    const double *calls = node_at(f, edge->caller)->calls;
    if (edge->by_chance || is_within_cycle(f, edge) || !(calls[NYTP_OLD] > 0 && calls[NYTP_NEW] > 0))
        return;
    const double more = edge->calls[NYTP_NEW] - edge->calls[NYTP_OLD] / calls[NYTP_OLD] * calls[NYTP_NEW];
    const double each = price(f, edge, edge->calls[NYTP_OLD] > 0 ? NYTP_OLD : NYTP_NEW);
    if (!(fabs(more) >= 0.5) || !isfinite(each))
        return;
    const nytp_cause cause = cause_of(f, edge, more * each);
    if (cause.kind == NYTP_CAUSE_CALLS)
        add_cause(f, &cause);
    else
        add_to_node(f, edge->callee, &cause);
}

static void look_at_node(finding *f, const nytp_call_node *node)
{
    const double old = node->excl[NYTP_OLD] / node->calls[NYTP_OLD],
                 new = node->excl[NYTP_NEW] / node->calls[NYTP_NEW];
    const nytp_cause cause = {.kind = NYTP_CAUSE_EACH,
                              .amount = node->calls[NYTP_NEW] * (new - old),
                              .sub = node->sub,
                              .label = node->label,
                              .caller = SIZE_MAX,
                              .calls = {node->calls[NYTP_OLD], node->calls[NYTP_NEW]},
                              .each = {old, new}};
    if (node->by_chance || !isfinite(cause.amount))
        return;
    if (nytp_slowdown_explains(f->of_all_subs, node))
        f->of_all.amount += cause.amount;
    else if (fabs(cause.amount) >= f->least_each)
        add_cause(f, &cause);
}

static void add_member(const finding *f, uint32_t node)
{
    cycle *c = &f->cycles[node_at(f, node)->cycle];
    const double calls = node_at(f, node)->calls[NYTP_NEW];
    if (c->count++ == 0 || calls > node_at(f, c->most)->calls[NYTP_NEW]) {
        c->second = c->most;
        c->most = node;
    } else if (c->count == 2 || calls > node_at(f, c->second)->calls[NYTP_NEW]) {
        c->second = node;
    }
    c->by_chance = true;
    NYTP_EACH_SIDE(side)
        c->ticks[side] += f->plain[node][side];
}

static void add_to_cycle(const finding *f, const nytp_call_edge *edge)
{
    const bool is_within = is_within_cycle(f, edge);
    cycle *c = &f->cycles[node_at(f, edge->callee)->cycle];
    NYTP_EACH_SIDE(side)
        (is_within ? c->within : c->calls)[side] += edge->calls[side];
    c->by_chance &= !is_within || edge->by_chance;
}

static void look_at_cycle(const finding *f, const cycle *c)
{
    const double more = c->within[NYTP_NEW] - c->within[NYTP_OLD] / c->calls[NYTP_OLD] * c->calls[NYTP_NEW];
    const enum nytp_side side = c->within[NYTP_OLD] > 0 ? NYTP_OLD : NYTP_NEW;
    const bool is_in_both = c->calls[NYTP_OLD] > 0 && c->calls[NYTP_NEW] > 0;
    const nytp_cause cause = {.kind = NYTP_CAUSE_CYCLE,
                              .amount = more * c->ticks[side] / (c->calls[side] + c->within[side]),
                              .sub = node_at(f, c->most)->sub,
                              .label = node_at(f, c->most)->label,
                              .caller = node_at(f, c->second)->sub,
                              .callers = c->count,
                              .calls = {c->within[NYTP_OLD], c->within[NYTP_NEW]}};
    if (is_in_both && !c->by_chance && isfinite(cause.amount))
        add_cause(f, &cause);
}

static void find_in_cycles(finding *f)
{
    const nytp_call_graph *g = f->graph;
    f->cycles = g_new0(cycle, g->cycles);
    for (uint32_t i = 0; i < g->nodes->len; i++)
        add_member(f, i);
    for (guint i = 0; i < g->edges->len; i++)
        add_to_cycle(f, edge_at(f, i));
    for (uint32_t i = 0; i < g->cycles; i++)
        look_at_cycle(f, &f->cycles[i]);
    g_free(f->cycles);
}

/* Begins the causes that are of no single sub. Where it is measured which subs waited for a processor, their
 * times are without it. Otherwise, unless all subs differ alike, what the program waited explains what any
 * sub differs by that is less, if few runs were compared. */
static void begin_all(finding *f, nytp_comparison *comparison)
{
    const nytp_queued queued = nytp_queued_of(comparison);
    const nytp_cause of_none = {.sub = SIZE_MAX, .label = SIZE_MAX, .caller = SIZE_MAX};
    const double *s = f->graph->knows_queued ? f->graph->queued_s : queued.s;
    f->of_all_subs = nytp_slowdown(f->graph, f->least);
    f->of_all = f->queued = of_none;
    f->of_all.kind = NYTP_CAUSE_ALL;
    f->of_all.each[NYTP_OLD] = 1;
    f->of_all.each[NYTP_NEW] = f->of_all_subs;
    f->queued.kind = NYTP_CAUSE_QUEUED;
    memcpy(f->queued.each, s, sizeof f->queued.each);
    const bool is_in_subs = !f->graph->knows_queued && queued.much > 0 && f->of_all_subs == 1;
    if (f->graph->knows_queued || is_in_subs)
        f->queued.amount = s[NYTP_NEW] - s[NYTP_OLD];
    f->least_each = f->least;
    if (is_in_subs && nytp_runs_are_few(nytp_comparison_runs(comparison, NYTP_OLD),
                                        nytp_comparison_runs(comparison, NYTP_NEW)))
        f->least_each = fmax(s[NYTP_OLD], s[NYTP_NEW]);
}

static void find_in_calls(finding *f, nytp_comparison *comparison)
{
    nytp_call_graph *graph = nytp_call_graph_new(comparison);
    f->graph = graph;
    f->plain = g_malloc0_n(graph->nodes->len, sizeof *f->plain);
    f->of_node = g_new0(nytp_cause, graph->nodes->len);
    begin_all(f, comparison);
    add_plain_times(f);
    for (guint i = 0; i < graph->edges->len; i++)
        look_at_edge(f, edge_at(f, i));
    for (uint32_t i = 0; i < graph->nodes->len; i++) {
        look_at_node(f, node_at(f, i));
        if (f->of_node[i].amount != 0)
            add_cause(f, &f->of_node[i]);
    }
    add_cause(f, &f->of_all);
    add_cause(f, &f->queued);
    find_in_cycles(f);
    g_free(f->of_node);
    g_free(f->plain);
    nytp_call_graph_free(graph);
}

static void find_in_amounts(const finding *f, nytp_comparison *comparison)
{
    for (size_t row = 0; row < nytp_comparison_count(comparison, NYTP_COMPARE_SUBS); row++) {
        nytp_change change;
        nytp_comparison_get(comparison, NYTP_COMPARE_SUBS, row, NYTP_FIGURE_EXCL, &change);
        const nytp_cause cause = {.kind = NYTP_CAUSE_SELF,
                                  .amount = change.difference,
                                  .sub = nytp_str_is(change.name, NYTP_RUNTIME) ? SIZE_MAX : row,
                                  .label = SIZE_MAX,
                                  .caller = SIZE_MAX,
                                  .each = {change.median[NYTP_OLD], change.median[NYTP_NEW]}};
        if (change.verdict != NYTP_VERDICT_CHANCE && !change.is_sum)
            add_cause(f, &cause);
    }
}

static gint by_amount(gconstpointer x, gconstpointer y)
{
    const nytp_cause *a = x, *b = y;
    return nytp_order4(NYTP_ORDER(fabs(b->amount), fabs(a->amount)), NYTP_ORDER(a->kind, b->kind),
                       NYTP_ORDER(a->sub, b->sub), NYTP_ORDER(a->caller, b->caller));
}

GArray *nytp_causes_new(nytp_comparison *comparison)
{
    const nytp_measure *measure = nytp_comparison_measure(comparison);
    const bool by_share = nytp_comparison_is_by_share(comparison);
    finding f = {.causes = NYTP_ARRAY(nytp_cause)};
    nytp_change whole;
    nytp_comparison_whole(comparison, NYTP_FIGURE_EXCL, &whole);
    f.least = LEAST_SHARE * (by_share ? 1 : fmax(whole.median[NYTP_OLD], whole.median[NYTP_NEW]));
    if (by_share || !nytp_measure_is_time(measure))
        find_in_amounts(&f, comparison);
    else
        find_in_calls(&f, comparison);
    g_array_sort(f.causes, by_amount);
    if (f.causes->len > MOST)
        g_array_set_size(f.causes, MOST);
    return f.causes;
}
