/* How long calls waited is known of all calls that a sub makes of another one. If they are made in several
 * lines, the lines share it in proportion to their inclusive times. No call waits longer than it lasts. What
 * a sub waited itself is shared by its lines in the same way. */
#include "build.h"

#include "model/split.h"

#include <stddef.h>

typedef struct pair {
    uint32_t caller, callee; /* subs */
    nytp_scale scale;        /* from the time of the calls to their waiting */
} pair;

static void add_waiting(void *record, const void *other)
{
    ((pair *)record)->scale.to += ((const pair *)other)->scale.to;
}

static nytp_records pairs_that_wait(const cg_graph *g, const nytp_records *waiting)
{
    nytp_records pairs;
    nytp_records_init(&pairs, sizeof(pair), offsetof(pair, scale));
    for (uint32_t i = 0; i < waiting->count; i++) {
        const nytp_arc *arc = nytp_records_at(waiting, i);
        const pair p = {
            g->subs[arc->caller].as_caller, arc->callee, {.to = (uint64_t)MAX(arc->incl_ticks, 0)}};
        if (p.scale.to > 0)
            nytp_records_add(&pairs, &p, add_waiting);
    }
    return pairs;
}

/* Returns the pair of the call; NULL if its calls have not waited. */
static pair *pair_of(const cg_graph *g, const nytp_records *pairs, const cg_call *call)
{
    const pair key = {cg_graph_function(g, call->caller)->sub, cg_graph_function(g, call->callee)->sub, {0}};
    return call->is_measured ? nytp_records_find(pairs, &key) : NULL;
}

/* Returns how long each sub waited itself, and the root; they may be shared by its costs. *any receives
 * whether one did. */
static nytp_scale *own_scales(const cg_graph *g, const nytp_records *waiting, int64_t outside_ticks,
                              bool *any)
{
    nytp_scale *own = g_new0(nytp_scale, g->root + 1);
    for (uint32_t i = 0; i < waiting->count; i++) {
        const nytp_arc *arc = nytp_records_at(waiting, i);
        own[arc->callee].to += (uint64_t)MAX(arc->excl_ticks, 0);
    }
    own[g->root].to += (uint64_t)outside_ticks;
    for (guint i = 0; i < g->costs->len; i++)
        own[cg_graph_function(g, cg_graph_cost(g, i)->function)->sub].from += cg_graph_cost(g, i)->time_ticks;
    for (uint32_t i = 0; i <= g->root; i++) {
        own[i].to = MIN(own[i].to, own[i].from);
        *any |= own[i].to > 0;
    }
    return own;
}

static void share_own(cg_graph *g, const nytp_records *waiting, int64_t outside_ticks)
{
    g_autofree nytp_scale *own = own_scales(g, waiting, outside_ticks, &g->has_waiting);
    if (!g->has_waiting)
        return;
    g->waiting_ticks = g_new0(uint64_t, g->costs->len);
    for (guint i = 0; i < g->costs->len; i++) {
        const cg_cost *cost = cg_graph_cost(g, i);
        cg_function *function = cg_graph_function(g, cost->function);
        if (own[function->sub].to > 0)
            g->waiting_ticks[i] = nytp_scale_next(&own[function->sub], cost->time_ticks);
        function->self_ticks[CG_WAITING] += g->waiting_ticks[i];
    }
}

void cg_waiting_share(cg_graph *g, const nytp_records *waiting, int64_t outside_ticks)
{
    nytp_records pairs = pairs_that_wait(g, waiting);
    share_own(g, waiting, outside_ticks);
    for (uint32_t i = 0; i < g->calls->len; i++) {
        const cg_call *call = cg_graph_call(g, i);
        pair *p = pair_of(g, &pairs, call);
        if (p != NULL)
            p->scale.from += call->incl_ticks[CG_TIME];
    }
    for (uint32_t i = 0; i < g->calls->len; i++) {
        cg_call *call = cg_graph_call(g, i);
        pair *p = pair_of(g, &pairs, call);
        if (p == NULL)
            continue;
        p->scale.to = MIN(p->scale.to, p->scale.from);
        call->incl_ticks[CG_WAITING] = nytp_scale_next(&p->scale, call->incl_ticks[CG_TIME]);
    }
    nytp_records_clear(&pairs);
}
