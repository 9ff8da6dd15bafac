/* What recurs in no stack can still be a cycle: one stack has a part of it, and another one the rest. It is
 * broken at the calls that take least time: calls of their callers that lead to what they call are told
 * apart. The callers of these may then be in a cycle, and the same is done again. In the end cycles of calls
 * that are told apart may be left, of stacks that go around them before they lead on. There the calls that
 * take least time are left out. */
#include "recursion.h"

#include "base/order.h"
#include "model/group.h"
#include "model/grow.h"

enum { MOST_CALLS = 4000 /* of a cycle, as its paths are searched for each of its calls */ };

/* The calls of a function by another one, within a cycle. */
typedef struct inner {
    uint32_t cycle;
    bool stays; /* the cycle cannot be broken here */
    uint64_t ticks;
    uint32_t caller, callee;
    uint32_t count; /* of the graph's calls */
    uint32_t next;  /* kept call of the same caller */
} inner;

typedef struct breaking {
    const cg_graph *g;
    cg_recursion *recursion; /* which gets pairs; NULL if calls are left out, */
    nytp_pairs left_out;     /* these: caller, callee */
    GArray *calls;           /* inner, sorted: those that had better be kept first */
    double *missing;         /* by function: how much too little KCachegrind shows, without calls in cycles */
    uint32_t *entered;       /* by function: how many of the graph's calls lead to it */
    uint32_t *kept;          /* by function: index + 1 of its last kept call, 0 if there is none */
    uint32_t *seen;          /* by function: the search that has met it last */
    uint32_t search;
} breaking;

static int by_pair(const void *a, const void *b)
{
    const inner *x = a, *y = b;
    return nytp_order2(NYTP_ORDER(x->caller, y->caller), NYTP_ORDER(x->callee, y->callee));
}

static int by_cycle(const void *a, const void *b)
{
    const inner *x = a, *y = b;
    const int order = nytp_order3(NYTP_ORDER(x->cycle, y->cycle), NYTP_ORDER(y->stays, x->stays),
                                  NYTP_ORDER(y->ticks, x->ticks));
    return order != 0 ? order : by_pair(a, b);
}

static void add_inner(void *record, const void *other)
{
    ((inner *)record)->ticks += ((const inner *)other)->ticks;
    ((inner *)record)->count += ((const inner *)other)->count;
}

/* Finds the calls within cycles. Nothing was measured of calls of parts: they have what the part spends.
 * Calls by functions that are told apart cannot be told apart again, and only calls of such functions can be
 * left out. */
static void find_calls(breaking *b)
{
    const cg_graph *g = b->g;
    g_autofree uint64_t *spent = cg_graph_spent(g, CG_TIME);
    nytp_cycles c;
    nytp_cycles_find(&c, g->calls, offsetof(cg_call, caller), offsetof(cg_call, callee), g->functions->len);
    for (uint32_t i = 0; i < g->functions->len; i++)
        b->missing[i] = -(double)cg_graph_function(g, i)->self[CG_TIME];
    NYTP_EACH(const cg_call, call, g->calls) {
        inner one = {.cycle = c.of_function[call->caller],
                     .ticks = call->is_measured ? call->incl[CG_TIME] : spent[call->callee],
                     .caller = call->caller,
                     .callee = call->callee,
                     .count = 1};
        one.stays = b->recursion != NULL ? cg_graph_function(g, one.caller)->is_way
                                         : !cg_graph_function(g, one.callee)->is_way;
        if (call->caller == call->callee)
            continue;
        b->entered[call->callee]++;
        b->missing[call->callee] += (double)one.ticks;
        if (c.of_function[call->callee] == one.cycle)
            g_array_append_val(b->calls, one);
        else
            b->missing[call->caller] -= (double)one.ticks;
    }
    nytp_cycles_clear(&c);
    nytp_group_sort(b->calls, by_pair);
    nytp_group_merge(b->calls, by_pair, add_inner);
    nytp_group_sort(b->calls, by_cycle);
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
    nytp_pairs_intern(&r->pairs, (nytp_pair){call->caller, callee->is_way ? callee->to : call->callee});
    r->has_ways[call->caller] = true;
    return r->pairs.count > before;
}

/* Leaves a call out that closes a cycle. Returns false if no other one leads to its callee. */
static bool leave_out(breaking *b, const inner *call)
{
    if (b->entered[call->callee] == call->count)
        return false;
    b->entered[call->callee] -= call->count;
    nytp_pairs_intern(&b->left_out, (nytp_pair){call->caller, call->callee});
    return true;
}

static bool break_cycle(breaking *b, guint first, guint end)
{
    bool has_broken = false;
    for (guint i = first; i < end; i++) {
        inner *call = &g_array_index(b->calls, inner, i);
        const bool closes = leads(b, call->callee, call->caller);
        const bool is_broken =
            closes && !call->stays &&
            (b->recursion != NULL ? add_pair(b->recursion, b->g, call) : leave_out(b, call));
        has_broken |= is_broken;
        if (is_broken || (closes && b->recursion != NULL))
            continue;
        call->next = b->kept[call->caller];
        b->kept[call->caller] = i + 1;
    }
    return has_broken;
}

/* Tells calls apart in cycles that matter: some function would be shown with more than 1 % of the total too
 * little. Leaves calls out in all. */
static bool break_cycles(breaking *b)
{
    double total_ticks = 0;
    bool has_broken = false;
    find_calls(b);
    NYTP_EACH(const cg_function, function, b->g->functions)
        total_ticks += (double)function->self[CG_TIME];
    for (guint i = 0, end; i < b->calls->len; i = end) {
        bool matters = b->recursion == NULL;
        end = nytp_group_end(b->calls, i, offsetof(inner, cycle));
        for (guint k = i; k < end; k++)
            matters |= b->missing[g_array_index(b->calls, inner, k).caller] > total_ticks / 100;
        if (matters && end - i <= MOST_CALLS)
            has_broken |= break_cycle(b, i, end);
    }
    return has_broken;
}

bool cg_recursion_break(cg_recursion *r, cg_graph *g)
{
    const uint32_t count = g->functions->len + 1; /* + 1: never NULL */
    guint kept = 0;
    breaking b = {.g = g,
                  .recursion = r,
                  .calls = NYTP_ARRAY(inner),
                  .missing = g_new(double, count),
                  .entered = g_new0(uint32_t, count),
                  .kept = g_new0(uint32_t, count),
                  .seen = g_new0(uint32_t, count)};
    nytp_pairs_init(&b.left_out);
    const bool has_broken = break_cycles(&b);
    NYTP_EACH(const cg_call, call, g->calls)
        if (nytp_pairs_find(&b.left_out, (nytp_pair){call->caller, call->callee}) == UINT32_MAX)
            *cg_graph_call(g, kept++) = *call;
    g_array_set_size(g->calls, kept);
    nytp_pairs_clear(&b.left_out);
    g_array_free(b.calls, TRUE);
    g_free(b.missing);
    g_free(b.entered);
    g_free(b.kept);
    g_free(b.seen);
    return has_broken;
}
