/* How calls are divided among slices of time. */
#include "calls/slices_state.h"

#include "base/ticks.h"

#include <math.h>

enum { MOST_STACKS = 1 << 13 }; /* of the current slice, before they are moved to cells */

void nytp_slice_level_clear(void *level_)
{
    const nytp_slice_level *l = level_;
    nytp_divided_level_clear(level_);
    if (l->eval_before != NULL)
        g_array_free(l->eval_before, TRUE);
}

/* Returns the node of a call that goes on, by the level of the calls that it has made. */
static uint32_t caller_of(nytp_time_slices *s, nytp_slice_level *l)
{
    if (l->caller == 0 && l->all.clock.depth > 0)
        l->caller = nytp_slice_stacks_caller(&s->stacks);
    return l->caller;
}

/* Calls of that depth have returned, so there is a level. */
static uint32_t caller_of_depth(void *slices, uint32_t depth)
{
    nytp_time_slices *s = slices;
    guint n = s->levels.count - 1;
    while (n > 0 && ((nytp_slice_level *)nytp_levels_nth(&s->levels, n))->all.clock.depth > depth)
        n--;
    return caller_of(s, nytp_levels_nth(&s->levels, n));
}

static void add_call_time(nytp_time_slices *s, uint32_t node, int64_t slice, uint64_t count, double ticks,
                          nytp_waited waited)
{
    const double per_s = s->ticks_per_sec;
    nytp_slice_cells_add(&s->calls,
                         (nytp_slice_cell){node, nytp_slices_process(s), slice, (int64_t)count, ticks / per_s,
                                           waited.asleep_ticks / per_s, waited.queued_ticks / per_s});
}

static void on_node(void *slices, uint32_t node, const nytp_node *of)
{
    add_call_time(slices, node, ((nytp_time_slices *)slices)->now, of->calls, of->excl_ticks, of->waited);
}

/* Returns how much of some of its own time a call waited: as much as of all of it. */
static nytp_waited waited_in(const nytp_call_event *call, double ticks)
{
    const double share = call->excl_ticks > 0 ? ticks / call->excl_ticks : 0;
    return nytp_waited_scaled(call->waited.own, fmin(fmax(share, 0), 1));
}

void nytp_slices_end_calls(nytp_time_slices *s)
{
    nytp_slice_stacks_end(&s->stacks, &(const nytp_slice_end){on_node, caller_of_depth, s});
}

static nytp_slice_level *level_at(nytp_time_slices *s, uint32_t depth)
{
    const nytp_slice_level *last = nytp_levels_last(&s->levels);
    const double last_ticks = last != NULL ? last->last_ticks : 0;
    nytp_slice_level *here = (nytp_slice_level *)nytp_divided_level_at(&s->levels, depth);
    here->last_ticks = last_ticks;
    return here;
}

/* The calls of a string eval are those of the sub that runs it, so that slices of a sub and its evals
 * together are those of the sub without evals. */
static void add_to_level(nytp_slice_level *here, const nytp_call_event *call, const nytp_slice_level *callees,
                         bool is_eval)
{
    const double ticks = nytp_at_least_0(call->incl_ticks);
    here->all.ticks += is_eval ? callees->all.ticks : ticks;
    here->eval_ticks += is_eval ? ticks - callees->all.ticks : 0;
}

/* Takes from a call what it had itself before the slice in which it returned. The first part of a request
 * counts where it begins. Times of built-ins and of statements are not measured together, so a part may be
 * negative, as that of a filter. */
static void divide(nytp_time_slices *s, nytp_call_event *call, double begin_ticks, nytp_slice_level *callees,
                   nytp_slice_level *here, guint end)
{
    const bool is_eval = nytp_slice_stacks_is_eval(&s->stacks, call->sub);
    const double most_ticks = nytp_at_least_0(call->excl_ticks + callees->eval_ticks);
    double given_ticks = 0;
    guint known = 0, known_evals = 0;
    if (is_eval)
        begin_ticks = MAX(begin_ticks, here->last_ticks);
    for (guint i = MAX(nytp_slice_ends_before(&s->ends, begin_ticks), here->all.ends); i < end; i++) {
        const double ticks = nytp_end_at(s->ends.ticks, i) - begin_ticks,
                     called_ticks = nytp_before_end(callees->all.before, i, &known),
                     evals_ticks = nytp_before_end(callees->eval_before, i, &known_evals);
        const double with_evals =
            is_eval ? ticks - called_ticks : fmin(fmax(ticks - called_ticks, 0), most_ticks);
        const double own_ticks = with_evals - evals_ticks;
        const uint64_t count = call->request != 0 && ticks > 0 ? call->count : 0;
        if (own_ticks != given_ticks || count > 0)
            add_call_time(s, caller_of(s, callees), nytp_slices_before(s, i), count, own_ticks - given_ticks,
                          waited_in(call, own_ticks - given_ticks));
        call->count -= count;
        nytp_before_end_add(&here->all.before, i, is_eval ? called_ticks : ticks);
        if (is_eval)
            nytp_before_end_add(&here->eval_before, i, with_evals);
        given_ticks = own_ticks;
    }
    here->all.ends = end;
    add_to_level(here, call, callees, is_eval);
    call->waited.own = waited_in(call, call->excl_ticks - given_ticks);
    call->excl_ticks -= given_ticks;
}

void nytp_slices_add_call(nytp_time_slices *s, const nytp_call_event *call, double now_ticks)
{
    nytp_slice_level callees = {.all.clock.depth = call->depth + 1};
    nytp_levels_leave(&s->levels, call->depth, &callees, sizeof callees);
    nytp_slice_level *here = level_at(s, call->depth);
    const guint end = nytp_slice_ends_before(&s->ends, now_ticks);
    nytp_call_event rest = *call;
    divide(s, &rest, now_ticks - nytp_at_least_0(call->incl_ticks), &callees, here, end);
    here->last_ticks = now_ticks;
    if (end < nytp_slice_ends_count(&s->ends)) { /* a built-in before it has passed that end */
        add_call_time(s, caller_of(s, &callees), nytp_slices_before(s, end), rest.count, rest.excl_ticks,
                      rest.waited.own);
        rest.waited.own = (nytp_waited){0};
        rest.excl_ticks = 0;
        rest.count = 0;
    }
    if (callees.caller != 0)
        nytp_slice_stacks_name_caller(&s->stacks, callees.caller, caller_of(s, here), call->sub);
    if (nytp_slice_stacks_add(&s->stacks, &rest) > MOST_STACKS)
        nytp_slices_end_calls(s);
    nytp_slice_level_clear(&callees);
}
