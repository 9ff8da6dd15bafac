#include "events/within.h"

#include "base/str.h"
#include "base/ticks.h"
#include "events/divide_calls.h"
#include "events/known_subs.h"
#include "format/tags.h"
#include "model/hashes.h"

#include <math.h>
#include <stdio.h>

/* The clock passes an end. */
static void pass_end(nytp_within *w, guint i)
{
    nytp_divided_pass_end(&w->clock.levels, i);
    if (i % 2 == 0)
        nytp_within_begin_interval(w, i);
    w->lane.is_clear = false;
}

static inline void pass_ends(nytp_within *w, double ticks)
{
    for (; w->passed < w->ends->len && nytp_end_at(w->ends, w->passed) < ticks; w->passed++)
        pass_end(w, w->passed);
}

/* Notes between which ends the clock is. */
static void find_interval(nytp_within *w)
{
    const guint i = nytp_ends_before(w->ends, w->clock.statement_ticks);
    w->interval = i;
    w->lane.passes = i % 2 == 1;
    w->lane.from = i > 0 ? nytp_end_at(w->ends, i - 1) : -INFINITY;
    w->lane.to = i < w->ends->len ? nytp_end_at(w->ends, i) : INFINITY;
}

static void pass_coroutine(const nytp_within *w)
{
    nytp_filter_pass_mark(&w->filter, &w->coroutine);
}

static void pass_start(nytp_within *w)
{
    w->start.pid_start.time_s = fmax(w->start.pid_start.time_s, nytp_within_time_of_end(w, 0, 0));
    nytp_filter_pass(&w->filter, &w->start);
    if (w->waits.count > 0)
        nytp_filter_pass_mark(&w->filter, &w->waits);
    if (w->coroutine.count > 0)
        pass_coroutine(w);
    w->is_held = false;
    nytp_within_pass_memory(w);
}

/* Something of the process is passed on. */
static inline void pass_process(nytp_within *w)
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
    for (guint i = 0; i < w->waited->len; i++) {
        nytp_mark mark = g_array_index(w->waited, nytp_mark, i);
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
    pass_process(w);
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
    pass_ends(w, end_ticks);
    if (counts || left.ticks != 0)
        pass_statement(w, &left, share_of(left.ticks, statement->ticks));
    g_array_set_size(w->waited, 0);
    find_interval(w);
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

static void on_statement(nytp_filter *filter, const nytp_statement *statement, uint64_t times)
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
    pass_process(w);
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

static void on_return(nytp_filter *filter, const nytp_return *returned)
{
    nytp_within *w = (nytp_within *)filter;
    const uint32_t depth = returned->depth;
    const enum nytp_own_statements sub = own_statements(w, returned);
    const double ticks = MAX(returned->incl_ticks, 0);
    const double since_ticks = nytp_clock_return(&w->clock, depth, ticks, sub);
    const double end_ticks = nytp_clock_now(&w->clock), begin_ticks = end_ticks - ticks;
    nytp_divided_level callees = {.before = NULL};
    pass_ends(w, end_ticks);
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

/* No call goes on. */
static void end_stack(nytp_within *w)
{
    nytp_held_entries_leave(&w->entries, 0);
    nytp_held_evals_leave(&w->evals, 0);
    w->state.count = 0;
    w->waits.count = 0;
    g_array_set_size(w->waited, 0);
    w->last_ticks = 0;
    w->end_s = fmax(w->end_s, w->start_s + nytp_clock_true_now(&w->clock) / w->ticks_per_sec);
    w->kept_ticks += nytp_ticks_within(w->ends, 0, w->clock.statement_ticks);
    w->total_ticks += w->clock.statement_ticks;
    nytp_clock_reset(&w->clock);
}

static void begin_process(nytp_within *w, const nytp_chunk *start)
{
    const double time_s = start->pid_start.time_s;
    end_stack(w);
    w->is_first = !w->has_begin;
    if (w->is_first)
        w->begin_s = w->given_begin_s != 0 ? w->given_begin_s : time_s;
    w->has_begin = true;
    w->start_s = time_s - w->begin_s;
    g_array_set_size(w->ends, 0);
    w->passed = 0;
    w->first_ticks = 0;
    w->gap = (nytp_gap){0};
    w->memory.count = 0;
    g_hash_table_remove_all(w->requests);
    g_array_set_size(w->instants, 0);
    w->type->find_ends(w);
    find_interval(w);
    w->start = *start;
    w->is_held = true;
    w->coroutine.count = 0;
}

static void end_process(nytp_within *w, const nytp_chunk *end)
{
    nytp_chunk left = *end;
    if (!w->is_held && end->pid_end.pid == w->start.pid_start.pid) {
        const double latest_s = nytp_within_time_of_end(w, w->ends->len - 1, end->pid_end.time_s);
        left.pid_end.time_s = fmax(fmin(end->pid_end.time_s, latest_s), w->start.pid_start.time_s);
        nytp_filter_pass(&w->filter, &left);
    }
    nytp_clock_end(&w->clock);
}

/* What the collector took in all is spread evenly over the time. */
static void pass_overhead(nytp_within *w, nytp_chunk overhead)
{
    const double now_ticks = w->clock.statement_ticks, total_ticks = w->total_ticks + now_ticks;
    const double share =
        total_ticks > 0 ? (w->kept_ticks + nytp_ticks_within(w->ends, 0, now_ticks)) / total_ticks : 0;
    snprintf(w->overhead, sizeof w->overhead, "%.0f", nytp_str_number(overhead.attribute.value) * share);
    overhead.attribute.value = nytp_str_of(w->overhead);
    nytp_filter_pass(&w->filter, &overhead);
}

static void take_clock(nytp_within *w, const nytp_mark *mark)
{
    const nytp_process_clock *clock = &w->clock;
    const double before_ticks = nytp_clock_now(clock), before_uncounted = nytp_clock_uncounted(clock);
    nytp_clock_mark(&w->clock, mark);
    const double now_ticks = nytp_clock_now(clock);
    pass_ends(w, now_ticks);
    if (!clock->lacks_statements)
        w->gap.off_ticks += nytp_ticks_within(w->ends, before_ticks, now_ticks);
    nytp_within_take_mark(w, nytp_clock_uncounted(clock) - before_uncounted);
    find_interval(w);
}

/* Divides an eval that ends, as a call: it did not begin before the clock said so. If the intervals have
 * whole calls, so they do evals: where the clock is not exact, an eval that is in no interval may seem to
 * begin in one. */
static nytp_mark divide_eval(const nytp_within *w, const nytp_mark *end, double least_ticks)
{
    const double end_ticks = nytp_clock_now(&w->clock), eval_ticks = end->eval_end.ticks;
    const double begin_ticks = end_ticks - eval_ticks, early_ticks = fmax(least_ticks - begin_ticks, 0);
    double ticks = nytp_ticks_within(w->ends, begin_ticks + early_ticks, end_ticks);
    ticks += nytp_is_within(w->ends, end_ticks) ? early_ticks : 0;
    bool is_part = end->eval_end.is_part != 0 || !nytp_is_within(w->ends, end_ticks);
    if (w->type->may_have_eval != NULL) {
        const bool is_whole = ticks >= eval_ticks / 2 && w->type->may_have_eval(w, nytp_eval_depth(end));
        is_part |= !is_whole;
        ticks = is_whole ? eval_ticks : 0;
    }
    return (nytp_mark){.kind = NYTP_MARK_EVAL_END,
                       .count = is_part ? 3 : 2,
                       .eval_end = {end->eval_end.depth, ticks, is_part}};
}

static void end_eval(nytp_within *w, const nytp_mark *mark)
{
    double least_ticks;
    if (!nytp_held_evals_ends(&w->evals, mark, &least_ticks))
        return;
    const nytp_mark end = divide_eval(w, mark, least_ticks);
    w->last_ticks = nytp_clock_now(&w->clock);
    if (end.eval_end.ticks > 0)
        pass_process(w);
    nytp_held_evals_end(&w->evals, &w->filter, &end);
}

static void take_setting(nytp_within *w, const nytp_chunk *chunk)
{
    const nytp_str key = chunk->attribute.key, value = chunk->attribute.value;
    nytp_measure_note(&w->measure, key, value);
    w->is_sampled = nytp_measure_is_sampled(&w->measure);
    w->filter.tags |= w->is_sampled ? NYTP_EVENTS : 0;
    if (nytp_str_is(key, "ticks_per_sec") && nytp_is_rate(nytp_str_number(value)))
        w->ticks_per_sec = nytp_str_number(value);
    if (nytp_str_is(key, "cumulative_overhead_ticks"))
        pass_overhead(w, *chunk);
    else if (!nytp_str_is(key, "sampled_missed_s")) /* true of the whole run alone */
        nytp_filter_pass(&w->filter, chunk);
}

/* What is said of the process alone was anywhere before. */
static void take_waited(nytp_within *w, const nytp_mark *mark)
{
    if (mark->waited.of_process == 0)
        g_array_append_val(w->waited, *mark);
    else if (!w->is_held && nytp_is_within(w->ends, w->clock.statement_ticks))
        nytp_filter_pass_mark(&w->filter, mark);
}

static void take_attribute(nytp_within *w, const nytp_chunk *chunk)
{
    nytp_mark mark;
    if (!nytp_mark_read(chunk, &mark) && mark.kind != NYTP_NO_MARK)
        return;
    switch (mark.kind) {
    case NYTP_NO_MARK: take_setting(w, chunk); break;
    case NYTP_MARK_CLOCK: take_clock(w, &mark); break;
    case NYTP_MARK_COROUTINE:
        w->coroutine = mark;
        if (!w->is_held)
            pass_coroutine(w);
        break;
    case NYTP_MARK_STATE: w->state = mark; break;
    case NYTP_MARK_WAITS:
        w->waits = mark;
        if (!w->is_held)
            nytp_filter_pass_mark(&w->filter, &mark);
        break;
    case NYTP_MARK_WAITED: take_waited(w, &mark); break;
    case NYTP_MARK_REQUEST: nytp_within_take_request(w, &mark); break;
    case NYTP_MARK_MEMORY_AT: nytp_within_take_memory(w, &mark); break;
    case NYTP_MARK_EVAL_BEGIN: nytp_held_evals_add(&w->evals, &mark, w->last_ticks); break;
    case NYTP_MARK_EVAL_END: end_eval(w, &mark); break;
    case NYTP_MARK_PROCESS_CUT:
        if (!w->is_held)
            nytp_filter_pass(&w->filter, chunk);
        break;
    case NYTP_MARK_WAIT_FOR_CPU: /* true of the whole run alone */
    case NYTP_MARK_PROCESS_CPU:
    case NYTP_MARK_SAMPLED_LOST: break;
    case NYTP_MARK_TRACE_CONTEXT:
    case NYTP_MARK_MEMORY:
    case NYTP_MARK_PARTS: nytp_filter_pass(&w->filter, chunk); break; /* parts: filters.c has taken them */
    }
}

static void on_chunk(nytp_filter *filter, const nytp_chunk *chunk)
{
    nytp_within *w = (nytp_within *)filter;
    w->lane.is_clear = false;
    switch (chunk->tag) {
    case NYTP_SUB_ENTRY: nytp_held_entries_add(&w->entries, chunk); return;
    case NYTP_PID_START: begin_process(w, chunk); return;
    case NYTP_PID_END: end_process(w, chunk); return;
    case NYTP_ATTRIBUTE: take_attribute(w, chunk); return;
    case NYTP_OPTION: nytp_clock_note_option(&w->clock, chunk->attribute.key, chunk->attribute.value); break;
    default: break;
    }
    if (chunk->tag != NYTP_SUB_CALLERS || nytp_is_xsub_mark(chunk))
        nytp_filter_pass(filter, chunk);
}

static void end(nytp_filter *filter)
{
    nytp_within *w = (nytp_within *)filter;
    end_stack(w);
    nytp_clock_end_profile(&w->clock);
    w->has_begin = w->is_sampled = false;
    w->given_begin_s = 0;
    w->kept_ticks = w->total_ticks = 0;
    w->measure = nytp_measure_new();
    w->ticks_per_sec = NYTP_USUAL_TICKS_PER_SEC;
}

static void clear(nytp_filter *filter)
{
    nytp_within *w = (nytp_within *)filter;
    if (w->type->clear != NULL)
        w->type->clear(w);
    nytp_clock_clear(&w->clock);
    g_array_free(w->ends, TRUE);
    g_array_free(w->instants, TRUE);
    g_hash_table_destroy(w->requests);
    nytp_held_entries_free(&w->entries);
    nytp_held_evals_free(&w->evals);
    g_array_free(w->waited, TRUE);
}

static char *missing(const nytp_filter *filter)
{
    const nytp_within *w = (const nytp_within *)filter;
    return w->some_passed ? NULL : w->type->missing(w);
}

static char *wrong(const nytp_filter *filter)
{
    const nytp_within *w = (const nytp_within *)filter;
    return w->type->wrong != NULL ? w->type->wrong(w) : NULL;
}

nytp_filter *nytp_within_init(nytp_within *within, const nytp_within_type *type)
{
    static const nytp_filter_type filter_type = {.statement = on_statement,
                                                 .returned = on_return,
                                                 .chunk = on_chunk,
                                                 .end = end,
                                                 .clear = clear,
                                                 .missing = missing,
                                                 .wrong = wrong};
    within->lane.clock = &within->clock;
    within->filter = (nytp_filter){.type = &filter_type,
                                   .lane = &within->lane,
                                   .tags = NYTP_TIMES | NYTP_BIT(DISCOUNT) | NYTP_BIT(SUB_RETURN) |
                                           NYTP_BIT(ATTRIBUTE) | NYTP_BIT(OPTION) | NYTP_BIT(PID_START) |
                                           NYTP_BIT(PID_END) | NYTP_BIT(SUB_INFO) | NYTP_BIT(SUB_CALLERS)};
    within->type = type;
    within->ticks_per_sec = NYTP_USUAL_TICKS_PER_SEC;
    within->measure = nytp_measure_new();
    within->ends = g_array_new(FALSE, FALSE, sizeof(double));
    within->instants = g_array_new(FALSE, FALSE, sizeof(nytp_instant));
    within->requests = g_hash_table_new_full(nytp_hash_of_int64, g_int64_equal, g_free, NULL);
    nytp_clock_init(&within->clock, sizeof(nytp_divided_level), nytp_divided_level_clear);
    within->entries = nytp_held_entries_new();
    within->evals = nytp_held_evals_new();
    within->waited = g_array_new(FALSE, FALSE, sizeof(nytp_mark));
    find_interval(within);
    return &within->filter;
}
