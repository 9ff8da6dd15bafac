#include "events/within.h"

#include "events/divide_calls.h"

#include <math.h>

/* Returns when an end was, in ticks since the process began; 0 if it is before all times, or not there, as in
 * a file that was replaced after its spans were found. */
static double true_end(const nytp_within *w, guint i)
{
    return i < w->instants->len ? fmax(g_array_index(w->instants, nytp_instant, i).ticks, 0) : 0;
}

double nytp_within_time_of_end(const nytp_within *within, guint end, double time_s)
{
    return end < within->ends->len && isfinite(nytp_end_at(within->ends, end))
               ? within->begin_s + within->start_s + true_end(within, end) / within->ticks_per_sec
               : time_s;
}

/* Returns how much of the time that the clock counted is within the intervals. */
static double counted_before(const nytp_within *w, double clock_ticks)
{
    return nytp_ticks_within(w->ends, 0, fmax(clock_ticks, 0));
}

/* An interval may begin within time that was not counted: the rest of that passes at its begin. */
void nytp_within_begin_interval(nytp_within *within, guint end)
{
    const double clock_ticks = nytp_end_at(within->ends, end), begin_ticks = true_end(within, end);
    const double known_ticks =
        isfinite(clock_ticks) ? nytp_true_time_after(&within->clock.time, clock_ticks) : 0;
    const double before_ticks = end > 0 ? true_end(within, end - 1) : begin_ticks;
    const double true_ticks = fmax(begin_ticks, known_ticks);
    if (end == 0)
        within->first_ticks = begin_ticks;
    within->gap = (nytp_gap){.is_due = true_ticks - before_ticks >= 1,
                             .true_ticks = true_ticks,
                             .idle_ticks = true_ticks - before_ticks,
                             .counted_ticks = counted_before(within, clock_ticks),
                             .depth = g_array_index(within->instants, nytp_instant, end).depth};
}

/* Returns when the interval ends that is the current one, or was the last. */
static double end_of_interval(const nytp_within *w)
{
    const guint end = w->passed % 2 == 1 || w->passed == 0 ? w->passed : w->passed - 1;
    return end > 0 && end < w->ends->len ? true_end(w, end) : INFINITY;
}

/* Adds the part of the last mark that is within the interval. */
static void add_mark(const nytp_within *w, nytp_gap *gap)
{
    const nytp_process_clock *clock = &w->clock;
    const double true_ticks = nytp_clock_true_now(clock) - clock->since_ticks, end_ticks = end_of_interval(w),
                 late_ticks = fmax(true_ticks - end_ticks, 0);
    if (gap->true_ticks >= end_ticks)
        return;
    gap->is_due = true;
    gap->true_ticks = true_ticks - late_ticks;
    gap->idle_ticks += fmax(nytp_true_time_idle(&clock->time) - late_ticks, 0);
    gap->depth = clock->mark_depth;
    gap->counted_ticks = counted_before(w, clock->statement_ticks);
}

void nytp_within_take_mark(nytp_within *within, double grown_ticks)
{
    const double now_ticks = nytp_clock_now(&within->clock);
    /* Also ends that the clock has not reached, but a call that seemed to be a built-in has passed. */
    if (within->type->is_by_time)
        nytp_ends_move(within->ends, now_ticks, grown_ticks);
    add_mark(within, &within->gap);
}

void nytp_within_pass_due_mark(nytp_within *within)
{
    nytp_gap *gap = &within->gap;
    const double true_ticks = fmax(gap->true_ticks - within->first_ticks, 0);
    const nytp_mark mark = {.kind = NYTP_MARK_CLOCK,
                            .count = within->clock.lacks_statements ? 5 : 4,
                            .clock = {.passed_ticks = rint(true_ticks),
                                      .idle_ticks = rint(fmin(gap->idle_ticks, true_ticks)),
                                      .off_ticks = rint(gap->off_ticks),
                                      .depth = gap->depth,
                                      .counted_ticks = rint(gap->counted_ticks)}};
    nytp_filter_pass_mark(&within->filter, &mark);
    gap->is_due = false;
    gap->idle_ticks = gap->off_ticks = 0;
}

/* Returns whether that much time after the process began is within an interval. */
static bool is_in_interval(const nytp_within *w, double ticks)
{
    return nytp_instants_to(w->instants, ticks) % 2 == 1;
}

void nytp_within_take_memory(nytp_within *within, const nytp_mark *mark)
{
    nytp_memory_at memory;
    if (!nytp_clock_memory(&within->clock, mark, &memory) || !is_in_interval(within, memory.ticks))
        return;
    within->memory = (nytp_mark){.kind = NYTP_MARK_MEMORY_AT,
                                 .count = 3,
                                 .memory_at = {.ticks = rint(memory.ticks - true_end(within, 0)),
                                               .rss_bytes = rint(memory.rss_bytes),
                                               .values = rint(memory.values)}};
    if (!within->is_held)
        nytp_within_pass_memory(within);
}

void nytp_within_pass_memory(nytp_within *within)
{
    if (within->memory.count > 0)
        nytp_filter_pass_mark(&within->filter, &within->memory);
    within->memory.count = 0;
}

void nytp_within_note_request(nytp_within *within, uint64_t id)
{
    if (!g_hash_table_contains(within->requests, &id))
        g_hash_table_add(within->requests, g_memdup2(&id, sizeof id));
}

/* Intervals that have whole calls are those of spans, so they have whole requests. Of others, a request has
 * what is within them: nothing of its time if it ended before, and parts of it went on. */
void nytp_within_take_request(nytp_within *within, const nytp_mark *mark)
{
    const uint64_t id = (uint64_t)mark->request.id;
    const double begin = mark->request.begin_ticks, end = fmax(mark->request.end_ticks, begin);
    const bool is_whole = within->type->has_call != NULL;
    const double now_ticks =
        nytp_clock_has_calls_alone(&within->clock) ? nytp_clock_now(&within->clock) : end;
    if (!g_hash_table_remove(within->requests, &id) ||
        (!is_whole && nytp_instants_to(within->instants, now_ticks) == within->instants->len))
        return;
    const double first_ticks = true_end(within, 0);
    const double begin_ticks = fmax(begin - first_ticks, 0);
    const double end_ticks = is_whole ? begin_ticks + (end - begin) : fmax(end - first_ticks, begin_ticks);
    const nytp_mark left = {.kind = NYTP_MARK_REQUEST,
                            .count = 3,
                            .request = {mark->request.id, rint(begin_ticks), rint(end_ticks)}};
    nytp_filter_pass_mark(&within->filter, &left);
}
