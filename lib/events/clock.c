#include "events/clock.h"

#include "base/str.h"
#include "base/ticks.h"

#include <math.h>

/* Time that passed at once and was not counted. */
typedef struct gap {
    uint32_t depth; /* how many calls went on there that still do */
    double end_ticks;
} gap;

void nytp_clock_init(nytp_process_clock *clock, size_t level_size, void (*clear_level)(void *level))
{
    *clock = (nytp_process_clock){.levels = nytp_levels_new(level_size, clear_level),
                                  .gaps = nytp_levels_new(sizeof(gap), NULL)};
}

void nytp_clock_clear(nytp_process_clock *clock)
{
    nytp_levels_free(&clock->levels);
    nytp_levels_free(&clock->gaps);
    nytp_true_time_clear(&clock->time);
}

void nytp_clock_note_option(nytp_process_clock *clock, nytp_str key, nytp_str value)
{
    if (nytp_str_is(key, "stmts"))
        clock->lacks_statements = nytp_str_is(value, "0");
}

void nytp_clock_end_profile(nytp_process_clock *clock)
{
    nytp_clock_reset(clock);
    clock->lacks_statements = false;
}

void nytp_clock_reset(nytp_process_clock *clock)
{
    nytp_levels_empty(&clock->levels);
    nytp_levels_empty(&clock->gaps);
    clock->statement_ticks = clock->since_ticks = clock->returned_ticks = 0;
    clock->mark_depth = 0;
    clock->has_ended = false;
    nytp_true_time_reset(&clock->time);
}

double nytp_clock_true_now(const nytp_process_clock *clock)
{
    return nytp_true_time_after(&clock->time, nytp_clock_now(clock));
}

static void note_gap(nytp_process_clock *c)
{
    while (nytp_levels_below(&c->gaps, c->mark_depth) != NULL)
        nytp_levels_remove_last(&c->gaps);
    ((gap *)nytp_levels_at(&c->gaps, c->mark_depth))->end_ticks = nytp_clock_true_now(c);
}

/* The collector says when the last statement ended that it has written. Built-ins have returned since.
 * Without statements it says how much of the time was counted, as if statements had it. */
void nytp_clock_mark(nytp_process_clock *clock, const nytp_mark *mark)
{
    const double counted_ticks = mark->clock.counted_ticks;
    clock->mark_depth = (uint32_t)mark->clock.depth;
    if (counted_ticks > 0)
        nytp_clock_add_statements(clock, fmax(nytp_clock_now(clock), counted_ticks) - clock->statement_ticks);
    else
        nytp_clock_add_statements(clock, mark->clock.off_ticks);
    nytp_true_time_add(&clock->time, nytp_clock_now(clock), mark->clock.passed_ticks + clock->since_ticks,
                       mark->clock.idle_ticks);
    if (mark->clock.idle_ticks > 0 || mark->clock.off_ticks > 0)
        note_gap(clock);
}

/* If no time passes outside of calls, memory is where it stands in the stream. */
bool nytp_clock_memory(const nytp_process_clock *clock, const nytp_mark *mark, nytp_memory_at *memory)
{
    *memory = (nytp_memory_at){.ticks = nytp_clock_has_calls_alone(clock) ? nytp_clock_now(clock)
                                                                          : mark->memory_at.ticks,
                               .rss_bytes = mark->memory_at.rss_bytes,
                               .values = mark->memory_at.values};
    return memory->rss_bytes >= 1;
}

/* Stock's profiles say at their end what a sub is. Until then a call that is longer than the statements since
 * the last return has none of its own. */
static bool is_perl(const nytp_process_clock *c, double incl_ticks, enum nytp_own_statements sub)
{
    return sub == NYTP_HAS_STATEMENTS ||
           (sub == NYTP_STATEMENTS_UNKNOWN && incl_ticks <= c->statement_ticks - c->returned_ticks);
}

/* Returns when the last of the gaps ended at which the call that returns now did not go on. */
static double end_of_gap_before(nytp_process_clock *c, uint32_t depth)
{
    const uint32_t callers = depth > 0 ? depth - 1 : 0;
    double last_ticks = -1;
    for (const gap *g; (g = nytp_levels_below(&c->gaps, callers)) != NULL; nytp_levels_remove_last(&c->gaps))
        last_ticks = fmax(last_ticks, g->end_ticks);
    const gap *before = nytp_levels_last(&c->gaps);
    const double end_ticks = before != NULL ? before->end_ticks : 0;
    if (last_ticks >= 0)
        ((gap *)nytp_levels_at(&c->gaps, callers))->end_ticks = last_ticks;
    return end_ticks;
}

/* The clock is exact to a statement alone, so it cannot say whether a call began before a gap or after it. */
static double begin_of(nytp_process_clock *c, uint32_t depth, double clock_ticks)
{
    return fmax(nytp_true_time_before(&c->time, clock_ticks), end_of_gap_before(c, depth));
}

/* Sets the members that marks say. uncounted_ticks: those of the calls that it made. */
static void set_true_times(nytp_process_clock *c, nytp_call_time *call, uint32_t depth, double incl_ticks,
                           double uncounted_ticks)
{
    call->begin_ticks = begin_of(c, depth, call->clock_ticks);
    call->uncounted_ticks = fmax(nytp_clock_true_now(c) - call->begin_ticks - incl_ticks, uncounted_ticks);
    call->own_uncounted_ticks = call->uncounted_ticks - uncounted_ticks;
}

/* Whether a call that returns had not begun at the last mark. */
static bool began_after_mark(nytp_process_clock *c, uint32_t depth)
{
    const bool is_new = depth > c->mark_depth;
    c->mark_depth = is_new ? c->mark_depth : MAX(depth, 1) - 1;
    return is_new;
}

double nytp_clock_return(nytp_process_clock *clock, uint32_t depth, double incl_ticks,
                         enum nytp_own_statements sub)
{
    static const nytp_clock_level none = {0};
    const nytp_clock_level *callees = nytp_levels_callees(&clock->levels, depth);
    if (callees == NULL)
        callees = &none;
    const double now = clock->statement_ticks;
    const double since_ticks = callees->last_ticks == now ? callees->since_ticks : 0;
    const bool has_statements = callees->has_calls && callees->first_ticks != now;
    if (sub == NYTP_IS_EVAL || (sub == NYTP_HAS_THOSE_OF_CALLER && !clock->lacks_statements))
        return since_ticks;
    const bool is_added = clock->lacks_statements
                              ? began_after_mark(clock, depth)
                              : now == 0 || (!has_statements && !is_perl(clock, incl_ticks, sub));
    clock->returned_ticks = now;
    if (!is_added)
        return since_ticks;
    /* If it is not known what the sub is, it may be one of perl that exit leaves: its callees have had time
     * by statements. */
    const bool may_be_perl = callees->has_calls && sub == NYTP_STATEMENTS_UNKNOWN;
    const double more_ticks = MAX(incl_ticks - (may_be_perl ? callees->incl_ticks : since_ticks), 0);
    clock->since_ticks += more_ticks;
    return since_ticks + more_ticks;
}

void nytp_clock_let_wait(const nytp_process_clock *clock, nytp_clock_level *here,
                         const nytp_clock_level *callees, double incl_ticks, double since_ticks,
                         enum nytp_own_statements sub)
{
    const double now = clock->statement_ticks;
    if (!here->has_calls)
        here->first_ticks = now;
    const bool is_of_caller = sub == NYTP_HAS_THOSE_OF_CALLER || sub == NYTP_IS_EVAL;
    here->incl_ticks += is_of_caller ? callees->incl_ticks : incl_ticks;
    here->since_ticks = since_ticks + (here->last_ticks == now ? here->since_ticks : 0);
    here->last_ticks = now;
    here->has_calls = true;
}

nytp_call_time nytp_clock_leave(nytp_process_clock *clock, uint32_t depth, double incl_ticks,
                                enum nytp_own_statements sub)
{
    nytp_clock_level callees = {0};
    const double since_ticks = nytp_clock_return(clock, depth, incl_ticks, sub);
    nytp_levels_leave(&clock->levels, depth, &callees, sizeof callees);
    nytp_clock_level *own = nytp_levels_at(&clock->levels, depth);
    nytp_clock_let_wait(clock, own, &callees, incl_ticks, since_ticks, sub);
    nytp_call_time call = {.clock_ticks = nytp_at_least_0(nytp_clock_now(clock) - incl_ticks)};
    call.begin_ticks = call.clock_ticks;
    if (nytp_true_time_has_marks(&clock->time))
        set_true_times(clock, &call, depth, incl_ticks, callees.uncounted_ticks);
    own->uncounted_ticks += call.uncounted_ticks;
    return call;
}
