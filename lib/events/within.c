#include "events/within.h"

#include "base/str.h"
#include "base/ticks.h"
#include "format/memory.h"
#include "format/tags.h"
#include "model/grow.h"
#include "model/hashes.h"

#include <math.h>
#include <stdio.h>

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
    nytp_within_find_interval(w);
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
    nytp_within_pass_ends(w, now_ticks);
    if (!clock->lacks_statements)
        w->gap.off_ticks += nytp_ticks_within(w->ends, before_ticks, now_ticks);
    nytp_within_take_mark(w, nytp_clock_uncounted(clock) - before_uncounted);
    nytp_within_find_interval(w);
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
        nytp_within_pass_process(w);
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
    else if (!nytp_str_is(key, "sampled_missed_s") &&
             !nytp_str_is(key, NYTP_SAMPLED_SUM_KEY)) /* true of the whole run alone */
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
            nytp_filter_pass_mark(&w->filter, &w->coroutine);
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
    case NYTP_MARK_SAMPLED_LOST:
    case NYTP_MARK_KEPT:
    case NYTP_MARK_LEFT:
    case NYTP_MARK_HEAP_RECORDS:
    case NYTP_MARK_HEAP_FILE:
    case NYTP_MARK_HEAP_MARK: break;
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
    static const nytp_filter_type filter_type = {.statement = nytp_within_pass_statement,
                                                 .returned = nytp_within_pass_return,
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
    within->ends = NYTP_ARRAY(double);
    within->instants = NYTP_ARRAY(nytp_instant);
    within->requests = g_hash_table_new_full(nytp_hash_of_int64, g_int64_equal, g_free, NULL);
    nytp_clock_init(&within->clock, sizeof(nytp_divided_level), nytp_divided_level_clear);
    within->entries = nytp_held_entries_new();
    within->evals = nytp_held_evals_new();
    within->waited = NYTP_ARRAY(nytp_mark);
    nytp_within_find_interval(within);
    return &within->filter;
}
