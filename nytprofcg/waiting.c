/* How long calls waited, and how many statements they ran, is known of all calls that a sub makes of another
 * one. If they are made in several lines, the lines share it in proportion to their inclusive times. No call
 * waits longer than it lasts. How long a sub waited itself is shared by its lines in the same way. What is
 * left is work. */
#include "build.h"

#include "model/grow.h"
#include "model/records.h"
#include "model/split.h"

#include <stddef.h>

static uint64_t work_of(const uint64_t ticks[CG_AMOUNTS])
{
    return ticks[CG_TIME] - ticks[CG_ASLEEP] - ticks[CG_QUEUED];
}

typedef struct pair {
    uint32_t caller, callee; /* subs */
    nytp_scale scale;        /* from the time of the calls to what was measured of them */
} pair;

static void add_measured(void *record, const void *other)
{
    ((pair *)record)->scale.to += ((const pair *)other)->scale.to;
}

static nytp_records measured_pairs(const cg_graph *g, const nytp_records *arcs)
{
    nytp_records pairs;
    nytp_records_init(&pairs, sizeof(pair), offsetof(pair, scale));
    NYTP_EACH_RECORD(const nytp_arc, arc, arcs) {
        const pair p = {
            g->subs[arc->caller].as_caller, arc->callee, {.to = (uint64_t)MAX(arc->incl_ticks, 0)}};
        if (p.scale.to > 0)
            nytp_records_add(&pairs, &p, add_measured);
    }
    return pairs;
}

/* Returns the pair of the call; NULL if nothing was measured of its calls, or the amount of this one is set.
 */
static pair *pair_of(const cg_graph *g, const nytp_records *pairs, const cg_call *call, enum cg_amount amount)
{
    const pair key = {cg_graph_function(g, call->caller)->sub, cg_graph_function(g, call->callee)->sub, {0}};
    const bool is_set = call->has_waits && (amount == CG_QUEUED || amount == CG_ASLEEP);
    return call->is_measured && !is_set ? nytp_records_find(pairs, &key) : NULL;
}

static void share_among_calls(const cg_graph *g, const nytp_records *arcs, enum cg_amount amount)
{
    nytp_records pairs = measured_pairs(g, arcs);
    for (uint32_t i = 0; pairs.count > 0 && i < g->calls->len; i++) {
        const cg_call *call = cg_graph_call(g, i);
        pair *p = pair_of(g, &pairs, call, amount);
        if (p != NULL)
            p->scale.from += call->incl[cg_first_of(amount)];
    }
    for (uint32_t i = 0; pairs.count > 0 && i < g->calls->len; i++) {
        cg_call *call = cg_graph_call(g, i);
        pair *p = pair_of(g, &pairs, call, amount);
        if (p != NULL)
            call->incl[amount] = nytp_scale_next(&p->scale, call->incl[cg_first_of(amount)]);
    }
    nytp_records_clear(&pairs);
}

/* Returns how long each sub waited itself, and the root, to be shared by its costs. The caller must g_free()
 * the array. */
static nytp_scale *own_scales(const cg_graph *g, const cg_measured *waits)
{
    nytp_scale *own = g_new0(nytp_scale, g->root + 1);
    NYTP_EACH_RECORD(const nytp_arc, arc, &waits->arcs)
        own[arc->callee].to += (uint64_t)MAX(arc->excl_ticks, 0);
    own[g->root].to += (uint64_t)waits->outside_ticks;
    NYTP_EACH(const cg_cost, cost, g->costs)
        own[cg_graph_function(g, cost->function)->sub].from += cg_cost_of(g, cost, CG_WORK);
    for (uint32_t i = 0; i <= g->root; i++)
        own[i].to = MIN(own[i].to, own[i].from);
    return own;
}

static void share_own(cg_graph *g, const cg_measured *waits, enum nytp_wait wait)
{
    g_autofree nytp_scale *own = own_scales(g, waits);
    bool any = false;
    for (uint32_t i = 0; i <= g->root; i++)
        any |= own[i].to > 0;
    if (!any)
        return;
    NYTP_EACH(cg_cost, cost, g->costs) {
        cg_function *function = cg_graph_function(g, cost->function);
        const uint64_t work = cg_cost_of(g, cost, CG_WORK),
                       ticks = own[function->sub].to > 0 ? nytp_scale_next(&own[function->sub], work) : 0;
        cg_cost_add(g, cost, cg_amount_of(wait), ticks);
        function->self[cg_amount_of(wait)] += ticks;
    }
    g->has_waits = true;
}

void cg_measured_share(cg_graph *g, const cg_measured measured[CG_AMOUNTS])
{
    for (int wait = 0; wait < NYTP_WAITS; wait++) {
        const enum cg_amount amount = cg_amount_of(wait);
        share_own(g, &measured[amount], wait);
        share_among_calls(g, &measured[amount].arcs, amount);
    }
    for (guint i = 0; i < g->views->len; i++)
        for (enum cg_amount amount = CG_STATEMENTS; amount <= CG_STATEMENT_TIME; amount++)
            share_among_calls(g, &measured[cg_first_amount(i) + amount].arcs, cg_first_amount(i) + amount);
    NYTP_EACH(cg_function, function, g->functions)
        function->self[CG_WORK] = work_of(function->self);
    NYTP_EACH(cg_call, call, g->calls) {
        uint64_t *ticks = call->incl;
        ticks[CG_ASLEEP] = MIN(ticks[CG_ASLEEP], ticks[CG_TIME]);
        ticks[CG_QUEUED] = MIN(ticks[CG_QUEUED], ticks[CG_TIME] - ticks[CG_ASLEEP]);
        ticks[CG_WORK] = work_of(ticks);
    }
}
