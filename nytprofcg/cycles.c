/* Splits the functions that recur indirectly, and enters the cycles that are left. */
#include "build.h"

#include "base/order.h"
#include "model/group.h"
#include "model/grow.h"
#include "recursion.h"
#include "model/split.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A walk over the stacks takes time for each. At this many it takes some seconds. */
enum { MOST_STACKS = 8000000 };

/* The function for calls of another one that lead to `to`. */
typedef struct made {
    uint32_t of, to;
    uint32_t function;
} made;

typedef struct splitting {
    cg_graph *g;
    const cg_recursion *recursion;
    nytp_records made; /* made */
    GArray *into;      /* cg_call, of functions that have ways, sorted by caller and callee */
} splitting;

static int by_caller_callee_to(const void *a, const void *b)
{
    const cg_way *x = a, *y = b;
    return nytp_order3(NYTP_ORDER(x->caller, y->caller), NYTP_ORDER(x->callee, y->callee),
                       NYTP_ORDER(x->to, y->to));
}

static int by_caller_callee(const void *a, const void *b)
{
    const cg_call *x = a, *y = b;
    return nytp_order2(NYTP_ORDER(x->caller, y->caller), NYTP_ORDER(x->callee, y->callee));
}

/* Returns the function of a way, which may be a new one. */
static uint32_t function_of_way(splitting *s, uint32_t of, uint32_t to)
{
    const made key = {of, to, s->g->functions->len};
    bool is_new;
    const uint32_t number = nytp_records_number(&s->made, &key, &is_new);
    if (is_new) {
        cg_function way = *cg_graph_function(s->g, of);
        way.is_part = false;
        way.is_way = true;
        way.of = of;
        way.to = to;
        memset(way.self, 0, sizeof way.self);
        g_array_append_val(s->g->functions, way);
    }
    return ((const made *)nytp_records_at(&s->made, number))->function;
}

/* Calls of functions that are not told apart lead to these directly. If no way leads there, the calls were in
 * no stack. */
static void move_direct_calls(const splitting *s)
{
    NYTP_EACH(cg_call, call, s->g->calls) {
        const made key = {.of = call->caller, .to = call->callee};
        const made *way = nytp_records_find(&s->made, &key);
        if (way != NULL)
            call->caller = way->function;
    }
}

/* Makes a call one of a way that leads on. */
static void lead(splitting *s, const cg_way *way, cg_call *call)
{
    call->is_measured = true;
    call->callee = function_of_way(s, way->callee, way->to);
    if (cg_recursion_to(s->recursion, way->caller, way->to) != CG_NO_FUNCTION)
        call->caller = function_of_way(s, way->caller, way->to);
}

static uint64_t whole(double ticks)
{
    const double rounded = fmax(round(ticks), 0);
    return rounded < 0x1p63 ? (uint64_t)rounded : 0;
}

/* Adds the calls of a way, which is divided among calls of that caller and callee by their times and numbers.
 * The numbers of calls stay with the plain function. */
static void add_way(splitting *s, const cg_way *way, const cg_call *calls, guint count)
{
    nytp_scale ticks[CG_VIEWS] = {{0}}, number = {.to = MAX(way->count, 1)}, waits[NYTP_WAITS];
    const uint32_t views = s->g->views->len;
    for (uint32_t view = 0; view < views; view++)
        ticks[view].to = whole(way->ticks[view]);
    for (guint i = 0; i < count; i++) {
        for (uint32_t view = 0; view < views; view++)
            ticks[view].from += calls[i].incl[cg_first_amount(view)];
        number.from += calls[i].count;
    }
    for (int wait = 0; wait < NYTP_WAITS; wait++)
        waits[wait] = (nytp_scale){ticks[0].to, whole(nytp_waited_by(way->waited, wait)), 0, 0};
    for (guint i = 0; i < count; i++) {
        cg_call call = calls[i];
        uint64_t any = 0;
        for (uint32_t view = 0; view < views; view++) {
            uint64_t *incl = &call.incl[cg_first_amount(view)];
            any |= *incl = nytp_scale_next(&ticks[view], *incl);
        }
        for (int wait = 0; wait < NYTP_WAITS; wait++)
            call.incl[cg_amount_of(wait)] = nytp_scale_next(&waits[wait], call.incl[CG_TIME]);
        call.has_waits = true;
        if (way->to != CG_NO_FUNCTION) {
            call.count = nytp_scale_next(&number, call.count);
            lead(s, way, &call);
        }
        if (call.count == 0 && any == 0)
            continue;
        call.count = MAX(call.count, 1);
        g_array_append_val(s->g->calls, call);
    }
}

/* Takes calls of functions that have ways out of the graph. */
static void take_calls(splitting *s)
{
    guint kept = 0;
    NYTP_EACH(const cg_call, one, s->g->calls) {
        const cg_call call = *one;
        if (s->recursion->has_ways[call.callee])
            g_array_append_val(s->into, call);
        else
            *cg_graph_call(s->g, kept++) = call;
    }
    g_array_set_size(s->g->calls, kept);
    nytp_group_sort(s->into, by_caller_callee);
}

/* Returns the first of the calls that is not of this caller and callee. */
static guint end_of_calls(const GArray *calls, guint first, const cg_way *way)
{
    while (first < calls->len && g_array_index(calls, cg_call, first).caller == way->caller &&
           g_array_index(calls, cg_call, first).callee == way->callee)
        first++;
    return first;
}

/* Puts the calls back, by their ways. Calls that are in no stack stay as they are. A caller that is in stacks
 * alone, as its own arc names another one, calls from its first line. */
static void put_calls_back(splitting *s, GArray *ways)
{
    guint at = 0;
    for (guint i = 0; i < ways->len; i++) {
        const cg_way *way = &g_array_index(ways, cg_way, i);
        const cg_call key = {.caller = way->caller, .callee = way->callee};
        for (; at < s->into->len && by_caller_callee(&g_array_index(s->into, cg_call, at), &key) < 0; at++)
            g_array_append_val(s->g->calls, g_array_index(s->into, cg_call, at));
        const guint end = end_of_calls(s->into, at, way);
        cg_call unknown = key;
        unknown.line = cg_graph_function(s->g, way->caller)->first_line;
        unknown.count = 1;
        if (end > at)
            add_way(s, way, &g_array_index(s->into, cg_call, at), end - at);
        else if (way->to != CG_NO_FUNCTION)
            add_way(s, way, &unknown, 1);
        const cg_way *next = way + 1;
        if (i + 1 == ways->len || next->caller != way->caller || next->callee != way->callee)
            at = end;
    }
    g_array_append_vals(s->g->calls, &g_array_index(s->into, cg_call, at), s->into->len - at);
}

/* Removes calls of functions that call nothing: those are only on ways that go around a loop, and ways are
 * without loops. Returns whether there were any. */
static bool remove_dead_ends(const cg_graph *g)
{
    g_autofree bool *calls_any = g_new0(bool, g->functions->len);
    guint kept = 0;
    NYTP_EACH(const cg_call, one, g->calls)
        calls_any[one->caller] = true;
    NYTP_EACH(const cg_call, call, g->calls)
        if (!cg_graph_function(g, call->callee)->is_way || calls_any[call->callee])
            *cg_graph_call(g, kept++) = *call;
    const bool has_removed = kept < g->calls->len;
    g_array_set_size(g->calls, kept);
    return has_removed;
}

/* Removes the functions for ways that are not called any more. They come last. */
static void remove_uncalled(const cg_graph *g, uint32_t first_way)
{
    g_autofree uint32_t *numbers = g_new0(uint32_t, g->functions->len + 1); /* + 1: never NULL */
    uint32_t kept = first_way;
    NYTP_EACH(const cg_call, one, g->calls)
        numbers[one->callee] = 1;
    for (uint32_t i = 0; i < g->functions->len; i++) {
        const bool stays = i < first_way || numbers[i] != 0;
        numbers[i] = i < first_way ? i : kept;
        if (stays && i >= first_way)
            *cg_graph_function(g, kept++) = *cg_graph_function(g, i);
    }
    g_array_set_size(g->functions, kept);
    NYTP_EACH(cg_call, call, g->calls) {
        call->caller = numbers[call->caller];
        call->callee = numbers[call->callee];
    }
}

/* Removes what leads nowhere after calls were split or left out. */
static void tidy(cg_graph *g, uint32_t first_way)
{
    while (remove_dead_ends(g)) {
    }
    remove_uncalled(g, first_way);
    cg_calls_sort(g);
}

static void split_by(cg_graph *g, const GArray *stacks, const cg_recursion *recursion)
{
    const uint32_t first_way = g->functions->len;
    splitting s = {.g = g, .recursion = recursion, .into = NYTP_ARRAY(cg_call)};
    nytp_records_init(&s.made, sizeof(made), offsetof(made, function));
    nytp_records found = cg_recursion_ways(recursion, g, stacks);
    g_autoptr(GArray) ways = NYTP_ARRAY(cg_way);
    g_array_append_vals(ways, found.all, found.count);
    nytp_group_sort(ways, by_caller_callee_to);
    take_calls(&s);
    put_calls_back(&s, ways);
    move_direct_calls(&s);
    tidy(g, first_way);
    nytp_records_clear(&found);
    nytp_records_clear(&s.made);
    g_array_free(s.into, TRUE);
}

/* Splits what recurs, and again with more pairs as long as there are cycles that matter. */
static void split(cg_graph *g, const GArray *stacks)
{
    enum { MOST_ROUNDS = 12 };
    const uint32_t first_way = g->functions->len;
    g_autoptr(GArray) calls = g_array_copy(g->calls);
    cg_recursion recursion;
    cg_recursion_init(&recursion, g, stacks);
    split_by(g, stacks, &recursion);
    for (int i = 0; i < MOST_ROUNDS && cg_recursion_break(&recursion, g); i++) {
        g_array_set_size(g->functions, first_way);
        g_array_set_size(g->calls, 0);
        g_array_append_vals(g->calls, calls->data, calls->len);
        split_by(g, stacks, &recursion);
    }
    cg_recursion_break(NULL, g);
    tidy(g, first_way);
    cg_recursion_clear(&recursion);
}

static bool has_cycles(const cg_graph *g)
{
    nytp_cycles c;
    nytp_cycles_find(&c, g->calls, offsetof(cg_call, caller), offsetof(cg_call, callee), g->functions->len);
    const bool has_some = c.count < g->functions->len;
    nytp_cycles_clear(&c);
    return has_some;
}

void cg_cycles_split(cg_graph *g, const GArray *stacks)
{
    uint64_t count = 0;
    if (!has_cycles(g))
        return;
    NYTP_EACH(const cg_stacks, one, stacks)
        count += nytp_stacktree_count(one->tree);
    if (count == 0)
        g->not_split = g_strdup("the profile has no calls one by one");
    else if (count > MOST_STACKS)
        g->not_split =
            g_strdup_printf("the profile has %" PRIu64 " stacks, more than %d", count, MOST_STACKS);
    else
        split(g, stacks);
}

#define NO_CALL UINT32_MAX /* a cycle that a call leads into */

/* Returns an array with a call for each cycle that no call leads into: the call within it that was probably
 * made from outside. That is the one with the most inclusive time, since recursive calls have none. The other
 * cycles have NO_CALL. The caller must g_free() the array. */
static uint32_t *choose_entries(const cg_graph *g, const nytp_cycles *c)
{
    uint32_t *entries = g_new(uint32_t, c->count);
    g_autofree bool *reached = g_new0(bool, c->count);
    for (uint32_t i = 0; i < c->count; i++)
        entries[i] = NO_CALL;
    reached[c->of_function[g->subs[g->root].function]] = true;
    for (uint32_t i = 0; i < g->calls->len; i++) {
        const cg_call *call = cg_graph_call(g, i);
        uint32_t cycle = c->of_function[call->callee];
        if (c->of_function[call->caller] != cycle)
            reached[cycle] = true;
        else if (call->is_measured && (entries[cycle] == NO_CALL ||
                                       call->incl[CG_TIME] > cg_graph_call(g, entries[cycle])->incl[CG_TIME]))
            entries[cycle] = i;
    }
    for (uint32_t i = 0; i < c->count; i++)
        if (reached[i])
            entries[i] = NO_CALL;
    return entries;
}

/* The outermost calls of a recursion are missing if they had not returned when the profile ended. Then one
 * of the recursive calls is shown as a call from the root, so that the number of calls stays the same. */
void cg_cycles_enter(cg_graph *g)
{
    nytp_cycles c;
    nytp_cycles_find(&c, g->calls, offsetof(cg_call, caller), offsetof(cg_call, callee), g->functions->len);
    g_autofree uint32_t *entries = choose_entries(g, &c);
    for (uint32_t i = 0; i < c.count; i++) {
        if (entries[i] == NO_CALL)
            continue;
        cg_call *inner = cg_graph_call(g, entries[i]);
        cg_call outer = *inner;
        outer.caller = g->subs[g->root].function;
        outer.line = g->subs[g->root].first_line;
        outer.count = 1;
        inner->incl[CG_TIME] = 0;
        if (--inner->count == 0)
            *inner = outer;
        else
            g_array_append_val(g->calls, outer);
    }
    nytp_cycles_clear(&c);
    cg_calls_sort(g);
}
