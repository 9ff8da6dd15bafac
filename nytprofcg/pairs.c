/* What recurs in no stack can still be a cycle: one stack has a part of it, and another one the rest. It is
 * broken at the calls that take least time: calls of their callers that lead to what they call are told
 * apart. The callers of these may then be in a cycle, and the same is done again. */
#include "recursion.h"

#include "base/order.h"
#include "model/group.h"
#include "model/grow.h"

enum { MOST_CALLS = 4000 /* of a cycle, as its paths are searched for each of its calls */ };

/* A call within a cycle. */
typedef struct inner {
    uint32_t cycle;
    bool is_way; /* its caller is told apart already */
    uint64_t ticks;
    uint32_t caller, callee;
    uint32_t next; /* kept call of the same caller */
} inner;

typedef struct breaking {
    const cg_graph *g;
    GArray *calls;  /* inner, sorted: those that had better be kept first */
    uint32_t *kept; /* by function: index + 1 of its last kept call, 0 if there is none */
    uint32_t *seen; /* by function: the search that has met it last */
    uint32_t search;
} breaking;

static int by_cycle(const void *a, const void *b)
{
    const inner *x = a, *y = b;
    const int order = nytp_order3(NYTP_ORDER(x->cycle, y->cycle), NYTP_ORDER(y->is_way, x->is_way),
                                  NYTP_ORDER(y->ticks, x->ticks));
    return nytp_order3(order, NYTP_ORDER(x->caller, y->caller), NYTP_ORDER(x->callee, y->callee));
}

/* Nothing was measured of calls of parts: they have what the part spends. */
static uint64_t *spent_by_functions(const cg_graph *g)
{
    uint64_t *spent = g_new0(uint64_t, g->functions->len + 1); /* + 1: never NULL */
    for (uint32_t i = 0; i < g->functions->len; i++)
        spent[i] = cg_graph_function(g, i)->self[CG_TIME];
    NYTP_EACH(const cg_call, call, g->calls)
        spent[call->caller] += call->incl[CG_TIME];
    return spent;
}

/* Returns the calls within cycles, and sets how much too little KCachegrind shows of each function, because
 * it leaves them out. */
static GArray *calls_within_cycles(const cg_graph *g, double *missing)
{
    GArray *calls = NYTP_ARRAY(inner);
    g_autofree uint64_t *spent = spent_by_functions(g);
    nytp_cycles c;
    nytp_cycles_find(&c, g->calls, offsetof(cg_call, caller), offsetof(cg_call, callee), g->functions->len);
    for (uint32_t i = 0; i < g->functions->len; i++)
        missing[i] = -(double)cg_graph_function(g, i)->self[CG_TIME];
    NYTP_EACH(const cg_call, call, g->calls) {
        const inner one = {.cycle = c.of_function[call->caller],
                           .is_way = cg_graph_function(g, call->caller)->is_way,
                           .ticks = call->is_measured ? call->incl[CG_TIME] : spent[call->callee],
                           .caller = call->caller,
                           .callee = call->callee};
        if (call->caller == call->callee)
            continue;
        missing[call->callee] += (double)one.ticks;
        if (c.of_function[call->callee] == one.cycle)
            g_array_append_val(calls, one);
        else
            missing[call->caller] -= (double)one.ticks;
    }
    nytp_cycles_clear(&c);
    nytp_group_sort(calls, by_cycle);
    return calls;
}

/* Whether kept calls lead from one function to another. */
static bool leads(breaking *b, uint32_t from, uint32_t to)
{
    g_autoptr(GArray) open = NYTP_ARRAY(uint32_t);
    b->seen[from] = ++b->search;
    g_array_append_val(open, from);
    while (open->len > 0) {
        const uint32_t function = g_array_index(open, uint32_t, open->len - 1);
        g_array_set_size(open, open->len - 1);
        if (function == to)
            return true;
        for (uint32_t i = b->kept[function]; i > 0; i = g_array_index(b->calls, inner, i - 1).next) {
            const uint32_t callee = g_array_index(b->calls, inner, i - 1).callee;
            if (b->seen[callee] != b->search)
                g_array_append_val(open, callee);
            b->seen[callee] = b->search;
        }
    }
    return false;
}

/* Returns whether a call that closes a cycle can be told apart, and is not yet. */
static bool add_pair(cg_recursion *r, const cg_graph *g, const inner *call)
{
    const cg_function *callee = cg_graph_function(g, call->callee);
    const uint32_t before = r->pairs.count;
    if (call->is_way)
        return false;
    nytp_pairs_intern(&r->pairs, (nytp_pair){call->caller, callee->is_way ? callee->to : call->callee});
    r->has_ways[call->caller] = true;
    return r->pairs.count > before;
}

static bool break_cycle(breaking *b, guint first, guint end, cg_recursion *r)
{
    bool has_broken = false;
    for (guint i = first; i < end; i++) {
        inner *call = &g_array_index(b->calls, inner, i);
        if (leads(b, call->callee, call->caller)) {
            has_broken |= add_pair(r, b->g, call);
            continue;
        }
        call->next = b->kept[call->caller];
        b->kept[call->caller] = i + 1;
    }
    return has_broken;
}

bool cg_recursion_add_pairs(cg_recursion *r, const cg_graph *g)
{
    g_autofree double *missing = g_new(double, g->functions->len + 1); /* + 1: never NULL */
    g_autoptr(GArray) calls = calls_within_cycles(g, missing);
    breaking b = {.g = g,
                  .calls = calls,
                  .kept = g_new0(uint32_t, g->functions->len + 1),
                  .seen = g_new0(uint32_t, g->functions->len + 1)};
    double total_ticks = 0;
    bool has_broken = false;
    NYTP_EACH(const cg_function, function, g->functions)
        total_ticks += (double)function->self[CG_TIME];
    for (guint i = 0, end; i < calls->len; i = end) {
        bool matters = false;
        end = nytp_group_end(calls, i, offsetof(inner, cycle));
        for (guint k = i; k < end; k++)
            matters |= missing[g_array_index(calls, inner, k).caller] > total_ticks / 100;
        if (matters && end - i <= MOST_CALLS)
            has_broken |= break_cycle(&b, i, end, r);
    }
    g_free(b.kept);
    g_free(b.seen);
    return has_broken;
}
