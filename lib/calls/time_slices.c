#include "calls/time_slices.h"

#include "calls/slice_ends.h"
#include "events/divide_calls.h"
#include "model/profile.h"

#include <math.h>

enum { MOST_SLICES = 512, FEWEST_SLICES = 16, MOST_CELLS = 1 << 21, MOST_STACKS = 1 << 13 /* held back */ };
enum { MOST_POINTS = 1 << 14 }; /* of memory */

/* That of slices at first, and the longest run, in seconds. */
static const double first_width_s = 0x1p-16, most_s = 0x1p40;

/* Calls of one depth that have returned, and wait for the return of their caller. */
typedef struct level {
    nytp_divided_level all;
    uint32_t caller;   /* its node; 0: it has none yet */
    double last_ticks; /* what the clock said when the last one returned: the next one did not begin before */
    /* Of string evals, whose calls are among those above: their own time, and what of it was before ends. */
    double eval_ticks;
    GArray *eval_before; /* as before */
} level;

struct nytp_time_slices {
    nytp_events *events;
    nytp_slice_stacks stacks;
    nytp_slice_places places;
    nytp_slice_cells calls, statements;
    nytp_memory_curve memory;
    nytp_profile *profile;
    /* slices, counted from when the first process began */
    bool has_begun, is_given_up;
    double origin_s, width_s;
    double end_s;        /* the last moment of any process, since the origin */
    int64_t first, last; /* of those that have something */
    int64_t most;
    /* of the current process */
    uint32_t processes; /* how many have begun */
    double start_s;     /* since the origin */
    double ticks_per_sec;
    double mark_ticks;      /* what the clock said at the last mark */
    double uncounted_ticks; /* how much had not been counted there */
    int64_t now;            /* the current slice */
    double next_ticks;      /* what the clock will say when it ends */
    nytp_slice_ends ends;
    nytp_levels levels;
};

static void clear_level(void *level_)
{
    const level *l = level_;
    nytp_divided_level_clear(level_);
    if (l->eval_before != NULL)
        g_array_free(l->eval_before, TRUE);
}

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
    s->levels = nytp_levels_new(sizeof(level), clear_level);
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

/* Whether it is known when something happens. */
static bool is_taking(const nytp_time_slices *s)
{
    return s->has_begun && !s->is_given_up;
}

static uint32_t process_of(const nytp_time_slices *s)
{
    return MAX(s->processes, 1) - 1;
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
    while (s->calls.all->len + s->statements.all->len > MOST_CELLS && !s->is_given_up) {
        s->most /= 2;
        extend(s);
        if (s->most < FEWEST_SLICES)
            give_up(s);
    }
}

/* Sets when the current slice ends, given that all time has been counted since the last mark. */
static void find_end(nytp_time_slices *s)
{
    const double end_s = (double)(s->now + 1) * s->width_s - s->start_s;
    const guint passed = nytp_slice_ends_count(&s->ends);
    s->next_ticks = fmax(rint(end_s * s->ticks_per_sec) - s->uncounted_ticks, s->mark_ticks);
    nytp_events_watch(s->events, passed > 0 ? nytp_end_at(s->ends.ticks, passed - 1) : -INFINITY,
                      s->next_ticks);
}

/* Returns the slice before an end that the clock has passed. */
static int64_t slice_before(const nytp_time_slices *s, guint end)
{
    return nytp_slice_before(&s->ends, end, s->width_s);
}

/* ---- calls ---- */

/* Returns the node of a call that goes on, by the level of the calls that it has made. */
static uint32_t caller_of(nytp_time_slices *s, level *l)
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
    while (n > 0 && ((level *)nytp_levels_nth(&s->levels, n))->all.clock.depth > depth)
        n--;
    return caller_of(s, nytp_levels_nth(&s->levels, n));
}

static void add_call_time(nytp_time_slices *s, uint32_t node, int64_t slice, uint64_t count, double ticks,
                          nytp_waited waited)
{
    const double per_s = s->ticks_per_sec;
    nytp_slice_cells_add(&s->calls,
                         (nytp_slice_cell){node, process_of(s), slice, (int64_t)count, ticks / per_s,
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

/* ---- statements ---- */

static void add_line_time(nytp_time_slices *s, nytp_slice_place place, int64_t slice, int64_t count,
                          double ticks)
{
    const uint32_t number = nytp_slice_places_number(&s->places, place);
    nytp_slice_cells_add(&s->statements, (nytp_slice_cell){.of = number,
                                                           .process = process_of(s),
                                                           .slice = slice,
                                                           .count = count,
                                                           .s = ticks / s->ticks_per_sec});
}

static void on_sum(void *slices, const nytp_line_sum *sum)
{
    nytp_time_slices *s = slices;
    if ((sum->count > 0 || sum->ticks != 0) && is_taking(s))
        add_line_time(s, (nytp_slice_place){sum->fid, sum->line}, s->now, (int64_t)sum->count,
                      (double)sum->ticks);
}

/* ---- the clock ---- */

/* Moves the calls that the current slice has. */
static void take_calls(nytp_time_slices *s)
{
    nytp_slice_stacks_end(&s->stacks, &(const nytp_slice_end){on_node, caller_of_depth, s});
}

/* Moves what the current slice has. */
static void take_slice(nytp_time_slices *s)
{
    if (!is_taking(s))
        return;
    take_calls(s);
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
        level *l = nytp_levels_nth(&s->levels, n);
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

/* Moves what of a statement is before ends that have been passed to earlier slices: all of it will be added
 * to the current one. Built-ins that it called may have passed ends that it does not reach itself. */
static void on_statement(void *sink, const nytp_statement *statement)
{
    nytp_time_slices *s = sink;
    const nytp_slice_place place = {statement->fid, statement->line};
    const double begin_ticks = nytp_events_clock(s->events)->statement_ticks,
                 end_ticks = begin_ticks + fmax(statement->ticks, 0);
    if (!is_taking(s) || nytp_events_clock(s->events)->has_ended)
        return;
    pass_ends(s, end_ticks);
    double from_ticks = begin_ticks;
    guint i = nytp_slice_ends_before(&s->ends, begin_ticks);
    for (; i < nytp_slice_ends_count(&s->ends) && nytp_end_at(s->ends.ticks, i) < end_ticks; i++) {
        add_line_time(s, place, slice_before(s, i), 0, nytp_end_at(s->ends.ticks, i) - from_ticks);
        from_ticks = nytp_end_at(s->ends.ticks, i);
    }
    int64_t moved = 0;
    if (i < nytp_slice_ends_count(&s->ends)) {
        moved = statement->executions;
        add_line_time(s, place, slice_before(s, i), moved, end_ticks - from_ticks);
        from_ticks = end_ticks;
    }
    if (from_ticks > begin_ticks || moved > 0)
        add_line_time(s, place, s->now, -moved, begin_ticks - from_ticks);
}

static void on_mark(void *sink)
{
    nytp_time_slices *s = sink;
    if (!is_taking(s))
        return;
    const double now_ticks = nytp_clock_now(nytp_events_clock(s->events));
    const double uncounted_ticks = nytp_clock_uncounted(nytp_events_clock(s->events));
    pass_ends(s, now_ticks);
    nytp_ends_move(s->ends.ticks, now_ticks, uncounted_ticks - s->uncounted_ticks);
    s->mark_ticks = now_ticks;
    s->uncounted_ticks = uncounted_ticks;
    find_end(s);
}

static level *level_at(nytp_time_slices *s, uint32_t depth)
{
    const level *last = nytp_levels_last(&s->levels);
    const double last_ticks = last != NULL ? last->last_ticks : 0;
    level *here = (level *)nytp_divided_level_at(&s->levels, depth);
    here->last_ticks = last_ticks;
    return here;
}

/* The calls of a string eval are those of the sub that runs it, so that slices of a sub and its evals
 * together are those of the sub without evals. */
static void add_to_level(level *here, const nytp_call_event *call, const level *callees, bool is_eval)
{
    const double ticks = fmax(call->incl_ticks, 0);
    here->all.ticks += is_eval ? callees->all.ticks : ticks;
    here->eval_ticks += is_eval ? ticks - callees->all.ticks : 0;
}

/* Takes from a call what it had itself before the slice in which it returned. The first part of a request
 * counts where it begins. Times of built-ins and of statements are not measured together, so a part may be
 * negative, as that of a filter. */
static void divide(nytp_time_slices *s, nytp_call_event *call, double begin_ticks, level *callees,
                   level *here, guint end)
{
    const bool is_eval = nytp_slice_stacks_is_eval(&s->stacks, call->sub);
    const double most_ticks = fmax(call->excl_ticks + callees->eval_ticks, 0);
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
            add_call_time(s, caller_of(s, callees), slice_before(s, i), count, own_ticks - given_ticks,
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

static void on_call(void *sink, const nytp_call_event *call)
{
    nytp_time_slices *s = sink;
    if (!is_taking(s))
        return;
    const double ticks = fmax(call->incl_ticks, 0);
    const double now_ticks = nytp_clock_now(nytp_events_clock(s->events));
    pass_ends(s, now_ticks);
    level callees = {.all.clock.depth = call->depth + 1};
    nytp_levels_leave(&s->levels, call->depth, &callees, sizeof callees);
    level *here = level_at(s, call->depth);
    const guint end = nytp_slice_ends_before(&s->ends, now_ticks);
    nytp_call_event rest = *call;
    divide(s, &rest, now_ticks - ticks, &callees, here, end);
    here->last_ticks = now_ticks;
    if (end < nytp_slice_ends_count(&s->ends)) { /* a built-in before it has passed that end */
        add_call_time(s, caller_of(s, &callees), slice_before(s, end), rest.count, rest.excl_ticks,
                      rest.waited.own);
        rest.waited.own = (nytp_waited){0};
        rest.excl_ticks = 0;
        rest.count = 0;
    }
    if (callees.caller != 0)
        nytp_slice_stacks_name_caller(&s->stacks, callees.caller, caller_of(s, here), call->sub);
    if (nytp_slice_stacks_add(&s->stacks, &rest) > MOST_STACKS)
        take_calls(s);
    clear_level(&callees);
}

static void on_memory(void *sink, const nytp_memory_at *memory)
{
    nytp_time_slices *s = sink;
    if (is_taking(s))
        nytp_memory_curve_add(&s->memory, process_of(s), s->start_s + memory->ticks / s->ticks_per_sec,
                              memory);
}

/* ---- processes and profiles ---- */

static void end_process(nytp_time_slices *s)
{
    if (is_taking(s))
        s->end_s =
            fmax(s->end_s, s->start_s + nytp_clock_true_now(nytp_events_clock(s->events)) / s->ticks_per_sec);
    take_slice(s);
    nytp_levels_empty(&s->levels);
    nytp_slice_ends_reset(&s->ends);
    s->mark_ticks = s->uncounted_ticks = 0;
    s->next_ticks = INFINITY;
}

/* Statements after the end of a process count where its last statement ended (events/clock.h). Built-ins may
 * have passed ends after that. */
static void end_clock(nytp_time_slices *s)
{
    const guint end = nytp_slice_ends_before(&s->ends, nytp_events_clock(s->events)->statement_ticks);
    take_slice(s);
    if (end < nytp_slice_ends_count(&s->ends))
        s->now = slice_before(s, end);
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
    if (is_taking(s))
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
    const uint32_t count = is_taking(slices) ? (uint32_t)(slices->last - slices->first + 1) : 0;
    return (nytp_slices){{slices->origin_s, slices->width_s, slices->first, count},
                         slices->origin_s + slices->end_s,
                         slices->calls.all,
                         slices->stacks.nodes,
                         slices->statements.all,
                         slices->places.all,
                         slices->memory.points};
}
