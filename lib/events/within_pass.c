#include "events/within.h"

#include "events/divide_calls.h"
#include "events/known_subs.h"
#include "format/tags.h"
#include "model/grow.h"

#include <math.h>

/* The clock passes an end. */
static void pass_end(nytp_within *w, guint i)
{
    nytp_divided_pass_end(&w->clock.levels, i);
    if (i % 2 == 0)
        nytp_within_begin_interval(w, i);
    w->lane.is_clear = false;
}

void nytp_within_pass_ends(nytp_within *w, double ticks)
{
    for (; w->passed < w->ends->len && nytp_end_at(w->ends, w->passed) < ticks; w->passed++)
        pass_end(w, w->passed);
}

void nytp_within_find_interval(nytp_within *w)
{
    const guint i = nytp_ends_before(w->ends, w->clock.statement_ticks);
    w->interval = i;
    w->lane.passes = i % 2 == 1;
    w->lane.from = i > 0 ? nytp_end_at(w->ends, i - 1) : -INFINITY;
    w->lane.to = i < w->ends->len ? nytp_end_at(w->ends, i) : INFINITY;
}

static void pass_start(nytp_within *w)
{
    w->start.pid_start.time_s = fmax(w->start.pid_start.time_s, nytp_within_time_of_end(w, 0, 0));
    nytp_filter_pass(&w->filter, &w->start);
    if (w->waits.count > 0)
        nytp_filter_pass_mark(&w->filter, &w->waits);
    if (w->coroutine.count > 0)
        nytp_filter_pass_mark(&w->filter, &w->coroutine);
    w->is_held = false;
    nytp_within_pass_memory(w);
}

void nytp_within_pass_process(nytp_within *w)
{
    w->some_passed = true;
    if (w->is_held)
        pass_start(w);
}

static void pass_state(nytp_within *w)
{
    if (w->state.count > 0)
        nytp_filter_pass_mark(&w->filter, &w->state);
    w->state.count = 0;
}

/* Passes on a share of how long the event that comes next waited. */
static void pass_waited(nytp_within *w, double share)
{
    NYTP_EACH(const nytp_mark, one, w->waited) {
        nytp_mark mark = *one;
        mark.waited.asleep_ticks = rint(mark.waited.asleep_ticks * share);
        mark.waited.queued_ticks = rint(mark.waited.queued_ticks * share);
        if (nytp_waited_ticks(nytp_waited_of(&mark)) > 0)
            nytp_filter_pass_mark(&w->filter, &mark);
    }
    g_array_set_size(w->waited, 0);
}

/* Passes a statement with what was held back before it. share: how much of it is left. */
static void pass_statement(nytp_within *w, const nytp_statement *statement, double share)
{
    nytp_within_pass_process(w);
    nytp_within_pass_mark(w);
    nytp_held_entries_pass(&w->entries, &w->filter, w->entries.entries->len);
    pass_state(w);
    if (w->waited->len > 0)
        pass_waited(w, share);
    nytp_filter_pass_statement(&w->filter, statement, 1);
}

/* Returns how much of a time is left. */
static double share_of(double left_ticks, double ticks)
{
    return ticks > 0 ? fmin(fmax(left_ticks / ticks, 0), 1) : left_ticks > 0;
}

/* A statement that contains an end, or begins or ends at one, or is the first one after something else. */
static void divide_statement(nytp_within *w, const nytp_statement *statement)
{
    const double begin_ticks = w->clock.statement_ticks, from = w->lane.from;
    nytp_clock_add_statements(&w->clock, statement->ticks);
    const double end_ticks = w->clock.statement_ticks;
    const bool counts = nytp_is_within(w->ends, end_ticks);
    nytp_statement left = *statement;
    left.ticks = (int32_t)nytp_ticks_within(w->ends, begin_ticks, end_ticks);
    left.executions = counts ? statement->executions : 0;
    nytp_within_pass_ends(w, end_ticks);
    if (counts || left.ticks != 0)
        pass_statement(w, &left, share_of(left.ticks, statement->ticks));
    g_array_set_size(w->waited, 0);
    nytp_within_find_interval(w);
    w->lane.is_clear = w->lane.from == from;
}

/* A statement that comes after the end of its process counts there. */
static void add_late_statement(nytp_within *w, const nytp_statement *statement)
{
    if (nytp_is_within(w->ends, w->clock.statement_ticks))
        pass_statement(w, statement, 1);
    g_array_set_size(w->waited, 0);
}

static inline void add_statement(nytp_within *w, const nytp_statement *statement)
{
    if (w->clock.has_ended)
        add_late_statement(w, statement);
    else if (!nytp_lane_takes(&w->lane, statement->ticks))
        divide_statement(w, statement);
    else if (w->lane.passes)
        nytp_filter_pass_statement(&w->filter, statement, 1);
}

void nytp_within_pass_statement(nytp_filter *filter, const nytp_statement *statement, uint64_t times)
{
    nytp_within *w = (nytp_within *)filter;
    for (; times > 0; times--) {
        add_statement(w, statement);
        w->state.count = 0;
    }
}

/* In a profile made of samples all time is in statements. */
static enum nytp_own_statements own_statements(const nytp_within *w, const nytp_return *returned)
{
    return w->is_sampled ? NYTP_HAS_STATEMENTS : returned->sub->kind;
}

/* nytp_ends_before(), faster in the lane. */
static guint ends_before(const nytp_within *w, double ticks)
{
    const bool is_in_lane = ticks > w->lane.from && ticks <= w->lane.to;
    return is_in_lane ? w->interval : nytp_ends_before(w->ends, ticks);
}

/* What is left of a call if the intervals have whole calls: all, or the times of those that it made. The
 * clock is exact to a statement, so a call that has returned before an interval may seem to have a part of
 * it. */
static nytp_return whole_or_part(const nytp_return *returned, bool is_whole, bool has_whole, nytp_return left)
{
    if (is_whole)
        return *returned;
    left.incl_ticks = has_whole ? left.incl_ticks : 0;
    left.excl_ticks = has_whole ? fmax(left.excl_ticks, 0) : 0;
    left.is_part = true;
    return left;
}

static inline void pass_return(nytp_within *w, const nytp_return *returned, double share, bool is_left,
                               nytp_divided_level *here)
{
    if (is_left)
        nytp_held_entries_pass(&w->entries, &w->filter, returned->depth);
    if (!nytp_held_entries_leave(&w->entries, returned->depth) && !is_left)
        return;
    nytp_within_pass_process(w);
    nytp_within_pass_mark(w);
    nytp_held_evals_pass(&w->evals, &w->filter);
    if (w->waited->len > 0)
        pass_waited(w, share);
    nytp_filter_pass_return(&w->filter, returned);
    if (returned->request != 0)
        nytp_within_note_request(w, returned->request);
    here->is_passed = here->is_passed || is_left;
}

/* Whether a call is wholly between the ends of the lane, and nothing of it was passed on if they are those of
 * a gap. */
static inline bool is_between_ends(const nytp_within *w, double begin_ticks, double end_ticks,
                                   const nytp_divided_level *callees, uint32_t depth)
{
    return begin_ticks > w->lane.from && end_ticks <= w->lane.to && w->type->has_call == NULL &&
           (w->lane.passes || (!callees->is_passed && !nytp_held_entries_has_passed(&w->entries, depth)));
}

static __attribute__((noinline)) void divide_return(nytp_within *w, const nytp_return *returned,
                                                    double begin_ticks, double end_ticks,
                                                    const nytp_divided_level *callees,
                                                    nytp_divided_level *here)
{
    const nytp_divided_call call = {begin_ticks, ends_before(w, begin_ticks), ends_before(w, end_ticks)};
    nytp_return left = *returned;
    nytp_divide_call(w->ends, &call, !w->is_sampled, callees, here, &left);
    bool is_left = here->ends % 2 == 1 || left.incl_ticks != 0;
    if (w->type->has_call != NULL) {
        is_left = w->type->has_call(w);
        left = whole_or_part(returned, is_left, callees->is_passed, left);
    }
    pass_return(w, &left, share_of(left.excl_ticks, returned->excl_ticks), is_left || callees->is_passed,
                here);
}

void nytp_within_pass_return(nytp_filter *filter, const nytp_return *returned)
{
    nytp_within *w = (nytp_within *)filter;
    const uint32_t depth = returned->depth;
    const enum nytp_own_statements sub = own_statements(w, returned);
    const double ticks = MAX(returned->incl_ticks, 0);
    const double since_ticks = nytp_clock_return(&w->clock, depth, ticks, sub);
    const double end_ticks = nytp_clock_now(&w->clock), begin_ticks = end_ticks - ticks;
    nytp_divided_level callees = {.before = NULL};
    nytp_within_pass_ends(w, end_ticks);
    if (w->evals.open->len > 0)
        nytp_held_evals_leave(&w->evals, depth);
    nytp_levels_leave(&w->clock.levels, depth, &callees, sizeof callees);
    nytp_divided_level *here = nytp_divided_level_at(&w->clock.levels, depth);
    nytp_clock_let_wait(&w->clock, &here->clock, &callees.clock, ticks, since_ticks, sub);
    here->ticks += ticks;
    w->last_ticks = end_ticks;
    if (!is_between_ends(w, begin_ticks, end_ticks, &callees, depth)) {
        divide_return(w, returned, begin_ticks, end_ticks, &callees, here);
    } else {
        here->ends = w->interval;
        if (w->lane.passes)
            pass_return(w, returned, 1, true, here);
        else
            nytp_held_entries_leave(&w->entries, depth);
    }
    nytp_divided_level_clear(&callees);
    if (w->waited->len > 0)
        g_array_set_size(w->waited, 0);
}
