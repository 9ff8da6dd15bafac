#include "calls/slices_state.h"

#include "model/profile.h"

#include <math.h>

enum { MOST_SLICES = 512, FEWEST_SLICES = 16, MOST_CELLS = 1 << 20 };
enum { MOST_POINTS = 1 << 14 }; /* of memory */

/* That of slices at first, and the longest run, in seconds. */
static const double first_width_s = 0x1p-16, most_s = 0x1p40;

nytp_time_slices *nytp_time_slices_new(void)
{
    nytp_time_slices *s = g_new0(nytp_time_slices, 1);
    s->stacks = nytp_slice_stacks_new();
    s->places = nytp_slice_places_new();
    s->calls = nytp_slice_cells_new();
    s->statements = nytp_slice_cells_new();
    s->memory = nytp_memory_curve_new(MOST_POINTS);
    s->width_s = first_width_s;
    s->most = MOST_SLICES;
    s->ends = nytp_slice_ends_new();
    s->levels = nytp_levels_new(sizeof(nytp_slice_level), nytp_slice_level_clear);
    return s;
}

void nytp_time_slices_free(nytp_time_slices *slices)
{
    if (slices == NULL)
        return;
    nytp_levels_free(&slices->levels);
    nytp_slice_stacks_free(&slices->stacks);
    nytp_slice_places_free(&slices->places);
    nytp_slice_cells_free(&slices->calls);
    nytp_slice_cells_free(&slices->statements);
    nytp_memory_curve_free(&slices->memory);
    nytp_slice_ends_free(&slices->ends);
    g_free(slices);
}

/* ---- slices ---- */

static void halve(nytp_time_slices *s)
{
    s->width_s *= 2;
    s->first = nytp_slice_of_two(s->first);
    s->last = nytp_slice_of_two(s->last);
    s->now = nytp_slice_of_two(s->now);
    nytp_slice_cells_halve(&s->calls);
    nytp_slice_cells_halve(&s->statements);
}

/* Has the slices take the current one in. */
static void extend(nytp_time_slices *s)
{
    s->first = MIN(s->first, s->now);
    s->last = MAX(s->last, s->now);
    while (s->last - s->first >= s->most)
        halve(s);
}

static void give_up(nytp_time_slices *s)
{
    s->is_given_up = true;
    s->next_ticks = INFINITY;
    nytp_events_watch(s->events, -INFINITY, INFINITY);
}

/* Memory is limited: what has too many cells gets fewer slices, and at last none. */
static void limit_cells(nytp_time_slices *s)
{
    while (s->calls.count + s->statements.count > MOST_CELLS && !s->is_given_up) {
        s->most /= 2;
        extend(s);
        if (s->most < FEWEST_SLICES)
            give_up(s);
    }
}

/* Has on_statement() called for statements that are not wholly in the current slice, or have waited. */
static void watch(nytp_time_slices *s)
{
    const guint passed = nytp_slice_ends_count(&s->ends);
    if (nytp_waited_ticks(s->waited) > 0)
        nytp_events_watch(s->events, INFINITY, -INFINITY);
    else
        nytp_events_watch(s->events, passed > 0 ? nytp_end_at(s->ends.ticks, passed - 1) : -INFINITY,
                          s->next_ticks);
}

/* Sets when the current slice ends, given that all time has been counted since the last mark. */
static void find_end(nytp_time_slices *s)
{
    const double end_s = (double)(s->now + 1) * s->width_s - s->start_s;
    s->next_ticks = fmax(rint(end_s * s->ticks_per_sec) - s->uncounted_ticks, s->mark_ticks);
    watch(s);
}

/* ---- statements ---- */

static void add_line_time(nytp_time_slices *s, nytp_slice_place place, int64_t slice, int64_t count,
                          double ticks, nytp_waited waited)
{
    const uint32_t number = nytp_slice_places_number(&s->places, place);
    const double per_s = s->ticks_per_sec;
    nytp_slice_cells_add(&s->statements,
                         (nytp_slice_cell){number, nytp_slices_process(s), slice, count, ticks / per_s,
                                           waited.asleep_ticks / per_s, waited.queued_ticks / per_s});
}

static void on_sum(void *slices, const nytp_line_sum *sum)
{
    nytp_time_slices *s = slices;
    if ((sum->count > 0 || sum->ticks != 0) && nytp_slices_are_taken(s))
        add_line_time(s, (nytp_slice_place){sum->fid, sum->line}, s->now, (int64_t)sum->count,
                      (double)sum->ticks, (nytp_waited){0});
}

/* ---- the clock ---- */

/* Moves what the current slice has. */
static void take_slice(nytp_time_slices *s)
{
    if (!nytp_slices_are_taken(s))
        return;
    nytp_slices_end_calls(s);
    if (s->profile != NULL)
        nytp_lines_flush(s->profile->lines);
    limit_cells(s);
}

/* The clock passes the end of the current slice. */
static void pass_end(nytp_time_slices *s)
{
    const double end_s = (double)(s->now + 1) * s->width_s;
    nytp_divided_pass_end(&s->levels, nytp_slice_ends_count(&s->ends));
    for (guint n = 0; n < s->levels.count; n++) {
        nytp_slice_level *l = nytp_levels_nth(&s->levels, n);
        if (l->eval_ticks != 0)
            nytp_before_end_add(&l->eval_before, nytp_slice_ends_count(&s->ends), l->eval_ticks);
    }
    nytp_slice_ends_add(&s->ends, s->next_ticks, end_s);
    take_slice(s);
    s->now = (int64_t)floor(end_s / s->width_s);
    extend(s);
    find_end(s);
}

static void pass_ends(nytp_time_slices *s, double ticks)
{
    while (s->next_ticks < ticks && !s->is_given_up)
        pass_end(s);
}

/* Takes how long the next statement waits, which is at most its time. */
static nytp_waited take_waited(nytp_time_slices *s, double ticks)
{
    const nytp_waited waited = nytp_waited_within(s->waited, ticks);
    if (nytp_waited_ticks(s->waited) > 0) {
        s->waited = (nytp_waited){0};
        watch(s);
    }
    return waited;
}

/* Moves what of a statement is before ends that have been passed to earlier slices: all of it will be added
 * to the current one, but for what it waited. Each part waited as much as its share of the statement.
 * Built-ins that it called may have passed ends that it does not reach itself. */
static void on_statement(void *sink, const nytp_statement *statement)
{
    nytp_time_slices *s = sink;
    const nytp_slice_place place = {statement->fid, statement->line};
    const double begin_ticks = nytp_events_clock(s->events)->statement_ticks,
                 all_ticks = fmax(statement->ticks, 0), end_ticks = begin_ticks + all_ticks;
    const nytp_waited waited = take_waited(s, all_ticks);
    if (!nytp_slices_are_taken(s) || nytp_events_clock(s->events)->has_ended)
        return;
    pass_ends(s, end_ticks);
    double from_ticks = begin_ticks;
    guint i = nytp_slice_ends_before(&s->ends, begin_ticks);
    for (; i < nytp_slice_ends_count(&s->ends) && nytp_end_at(s->ends.ticks, i) < end_ticks; i++) {
        const double ticks = nytp_end_at(s->ends.ticks, i) - from_ticks;
        add_line_time(s, place, nytp_slices_before(s, i), 0, ticks,
                      nytp_waited_scaled(waited, ticks / all_ticks));
        from_ticks += ticks;
    }
    const bool is_moved = i < nytp_slice_ends_count(&s->ends);
    const int64_t moved = is_moved ? statement->executions : 0;
    const double left_ticks = end_ticks - from_ticks;
    const nytp_waited left =
        all_ticks > 0 ? nytp_waited_scaled(waited, left_ticks / all_ticks) : (nytp_waited){0};
    if (is_moved)
        add_line_time(s, place, nytp_slices_before(s, i), moved, left_ticks, left);
    const double moved_ticks = (is_moved ? end_ticks : from_ticks) - begin_ticks;
    if (moved_ticks > 0 || moved > 0 || nytp_waited_ticks(left) > 0)
        add_line_time(s, place, s->now, -moved, -moved_ticks, is_moved ? (nytp_waited){0} : left);
}

static void on_waited(void *sink, nytp_waited waited)
{
    nytp_time_slices *s = sink;
    nytp_waited_add(&s->waited, waited);
    if (nytp_slices_are_taken(s))
        watch(s);
}

static void on_mark(void *sink)
{
    nytp_time_slices *s = sink;
    if (!nytp_slices_are_taken(s))
        return;
    const double now_ticks = nytp_clock_now(nytp_events_clock(s->events));
    const double uncounted_ticks = nytp_clock_uncounted(nytp_events_clock(s->events));
    pass_ends(s, now_ticks);
    nytp_ends_move(s->ends.ticks, now_ticks, uncounted_ticks - s->uncounted_ticks);
    s->mark_ticks = now_ticks;
    s->uncounted_ticks = uncounted_ticks;
    find_end(s);
}

static void on_call(void *sink, const nytp_call_event *call)
{
    nytp_time_slices *s = sink;
    if (!nytp_slices_are_taken(s))
        return;
    const double now_ticks = nytp_clock_now(nytp_events_clock(s->events));
    pass_ends(s, now_ticks);
    nytp_slices_add_call(s, call, now_ticks);
}

static void on_memory(void *sink, const nytp_memory_at *memory)
{
    nytp_time_slices *s = sink;
    if (nytp_slices_are_taken(s))
        nytp_memory_curve_add(&s->memory, nytp_slices_process(s),
                              s->start_s + memory->ticks / s->ticks_per_sec, memory);
}

/* ---- processes and profiles ---- */

static void end_process(nytp_time_slices *s)
{
    if (nytp_slices_are_taken(s))
        s->end_s =
            fmax(s->end_s, s->start_s + nytp_clock_true_now(nytp_events_clock(s->events)) / s->ticks_per_sec);
    take_slice(s);
    nytp_levels_empty(&s->levels);
    nytp_slice_ends_reset(&s->ends);
    s->mark_ticks = s->uncounted_ticks = 0;
    s->waited = (nytp_waited){0};
    s->next_ticks = INFINITY;
}

/* Statements after the end of a process count where its last statement ended (events/clock.h). Built-ins may
 * have passed ends after that. */
static void end_clock(nytp_time_slices *s)
{
    const guint end = nytp_slice_ends_before(&s->ends, nytp_events_clock(s->events)->statement_ticks);
    take_slice(s);
    if (end < nytp_slice_ends_count(&s->ends))
        s->now = nytp_slices_before(s, end);
}

static void begin_process(nytp_time_slices *s, double begin_s)
{
    end_process(s);
    s->processes++;
    s->is_given_up |= !nytp_measure_is_time(nytp_events_measure(s->events));
    if (s->is_given_up)
        return;
    if (!s->has_begun)
        s->origin_s = begin_s;
    s->start_s = fabs(begin_s - s->origin_s) < most_s ? begin_s - s->origin_s : 0;
    s->ticks_per_sec = nytp_events_ticks_per_sec(s->events);
    s->now = (int64_t)floor(s->start_s / s->width_s);
    if (!s->has_begun)
        s->first = s->last = s->now;
    s->has_begun = true;
    extend(s);
}

static void on_chunk(void *sink, const nytp_chunk *chunk)
{
    if (chunk->tag == NYTP_PID_START)
        begin_process(sink, chunk->pid_start.time_s);
    else
        end_clock(sink);
}

/* The clock begins again. */
static void on_process(void *sink)
{
    nytp_time_slices *s = sink;
    if (nytp_slices_are_taken(s))
        find_end(s);
}

static void on_end_profile(void *sink)
{
    nytp_time_slices *s = sink;
    end_process(s);
    s->profile->lines->on_sum = NULL;
    s->profile = NULL;
}

void nytp_time_slices_take(nytp_time_slices *slices, nytp_names *names, nytp_events *events)
{
    static const nytp_sink type = {.on_process = on_process,
                                   .on_call = on_call,
                                   .on_chunk = on_chunk,
                                   .on_statement = on_statement,
                                   .on_mark = on_mark,
                                   .on_waited = on_waited,
                                   .on_memory = on_memory,
                                   .on_end_profile = on_end_profile,
                                   .tags = NYTP_BIT(PID_START) | NYTP_BIT(PID_END),
                                   .needs_clock = true,
                                   .needs_waited = true};
    nytp_slice_stacks_name(&slices->stacks, names);
    slices->events = events;
    slices->next_ticks = INFINITY;
    nytp_events_watch(events, -INFINITY, INFINITY);
    nytp_events_add_sink(events, &type, slices);
}

void nytp_time_slices_begin_profile(nytp_time_slices *slices, nytp_profile *profile)
{
    if (slices->events == NULL)
        return;
    slices->profile = profile;
    profile->lines->on_sum = on_sum;
    profile->lines->sum_context = slices;
}

void nytp_time_slices_place_files(nytp_time_slices *slices, nytp_slice_fid_fn *fid_of, const void *context)
{
    nytp_slice_places_end_profile(&slices->places, fid_of, context);
}

void nytp_time_slices_end(nytp_time_slices *slices)
{
    nytp_slice_stacks_end_all(&slices->stacks);
}

nytp_slices nytp_time_slices_get(const nytp_time_slices *slices)
{
    const uint32_t count = nytp_slices_are_taken(slices) ? (uint32_t)(slices->last - slices->first + 1) : 0;
    return (nytp_slices){{slices->origin_s, slices->width_s, slices->first, count},
                         slices->origin_s + slices->end_s,
                         &slices->calls,
                         slices->stacks.nodes,
                         &slices->statements,
                         slices->places.all,
                         slices->memory.points};
}
