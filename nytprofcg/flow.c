/* For each cycle, the calls that lead into it get what it spends: what its functions cost themselves, and the
 * calls that lead out of it.
 *
 * Measured times almost agree with this, because a sub's inclusive time is its exclusive time and that of its
 * callees. They do not agree where a call never returned, a time was clamped, several subs have one name, or
 * a sub has parts. The exclusive times are the most reliable, so they are kept. From the innermost cycles
 * outwards, the time of each cycle is divided among the calls that lead into it, in proportion to their
 * measured times; where those add up already, nothing changes. Calls within a cycle keep what was measured.
 */
#include "build.h"

#include "base/order.h"
#include "model/group.h"
#include "model/grow.h"
#include "model/split.h"

/* A call that leads from one cycle into another. */
typedef struct entry {
    uint32_t cycle, call;
} entry;

static int by_cycle(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return nytp_order2(NYTP_ORDER(x->cycle, y->cycle), NYTP_ORDER(x->call, y->call));
}

static GArray *collect_entries(const cg_graph *g, const nytp_cycles *c)
{
    GArray *entries = NYTP_ARRAY(entry);
    for (uint32_t i = 0; i < g->calls->len; i++) {
        const cg_call *call = cg_graph_call(g, i);
        entry e = {c->of_function[call->callee], i};
        if (c->of_function[call->caller] != e.cycle)
            g_array_append_val(entries, e);
    }
    nytp_group_sort(entries, by_cycle);
    return entries;
}

enum measured { AMOUNT, TIME, COUNT, MEASURED };

static uint64_t weight_of(const cg_call *call, enum cg_amount amount, enum measured by)
{
    return by == COUNT ? call->count : call->incl[by == AMOUNT ? amount : cg_first_of(amount)];
}

/* Divides what a cycle spends of an amount among the calls that lead into it: by that amount, or by time (of
 * memory, by bytes) if none of them has any, or else by count. */
static void divide(const cg_graph *g, enum cg_amount amount, uint64_t total, const entry *entries,
                   size_t count)
{
    g_autofree uint64_t *weights = g_new(uint64_t, count), *shares = g_new0(uint64_t, count);
    bool is_divided = false;
    for (int by = AMOUNT; by < MEASURED && !is_divided; by++) {
        for (size_t i = 0; i < count; i++)
            weights[i] = weight_of(cg_graph_call(g, entries[i].call), amount, by);
        is_divided = nytp_split_by_weight(total, weights, shares, count);
    }
    for (size_t i = 0; i < count; i++)
        cg_graph_call(g, entries[i].call)->incl[amount] = shares[i];
}

/* Sets the amount of calls to parts that are in the same cycle as their subs. Nothing was measured for them,
 * so they get what the part spends. */
static void balance_parts_in_cycles(const cg_graph *g, const nytp_cycles *c, enum cg_amount amount)
{
    g_autofree uint64_t *spent = cg_graph_spent(g, amount);
    NYTP_EACH(cg_call, call, g->calls)
        if (!call->is_measured && c->of_function[call->caller] == c->of_function[call->callee])
            call->incl[amount] = spent[call->callee];
}

static void balance(const cg_graph *g, const nytp_cycles *c, const GArray *entries, enum cg_amount amount)
{
    g_autofree uint64_t *spent = g_new0(uint64_t, c->count);
    for (uint32_t i = 0; i < g->functions->len; i++)
        spent[c->of_function[i]] += cg_graph_function(g, i)->self[amount];
    for (guint i = 0, end; i < entries->len; i = end) {
        const entry *first = &g_array_index(entries, entry, i);
        end = nytp_group_end(entries, i, offsetof(entry, cycle));
        divide(g, amount, spent[first->cycle], first, end - i);
        for (const entry *e = first; e < first + (end - i); e++) {
            const cg_call *call = cg_graph_call(g, e->call);
            spent[c->of_function[call->caller]] += call->incl[amount];
        }
    }
    balance_parts_in_cycles(g, c, amount);
}

/* The parts of the time are divided, so that no call waits longer than it lasts. */
static void balance_parts(const cg_graph *g, const nytp_cycles *c, const GArray *entries)
{
    for (int amount = CG_WORK; amount <= CG_ASLEEP; amount++)
        balance(g, c, entries, amount);
    NYTP_EACH(cg_call, one, g->calls) {
        uint64_t *ticks = one->incl;
        ticks[CG_TIME] = ticks[CG_ASLEEP] + ticks[CG_QUEUED] + ticks[CG_WORK];
    }
}

void cg_flow_balance(cg_graph *g)
{
    nytp_cycles c;
    nytp_cycles_find(&c, g->calls, offsetof(cg_call, caller), offsetof(cg_call, callee), g->functions->len);
    g_autoptr(GArray) entries = collect_entries(g, &c);
    if (g->has_waits)
        balance_parts(g, &c, entries);
    else
        balance(g, &c, entries, CG_TIME);
    balance(g, &c, entries, CG_STATEMENTS);
    balance(g, &c, entries, CG_STATEMENT_TIME);
    for (int amount = CG_BYTES; amount < g->amounts; amount++)
        balance(g, &c, entries, amount);
    nytp_cycles_clear(&c);
}
