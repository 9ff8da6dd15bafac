#include "events/clock.h"

#include <math.h>

/* Calls of one depth that have returned, and wait for the return of their caller. */
typedef struct level {
    uint32_t depth;
    double first_ticks; /* statement_ticks at the return of the first, */
    double last_ticks;  /* and of the last */
    double since_ticks; /* of since_ticks, their part at the return of the last */
} level;

void nytp_clock_init(nytp_process_clock *clock)
{
    *clock = (nytp_process_clock){.levels = nytp_levels_new(sizeof(level))};
}

void nytp_clock_clear(nytp_process_clock *clock)
{
    nytp_levels_free(&clock->levels);
}

void nytp_clock_reset(nytp_process_clock *clock)
{
    clock->levels.count = 0;
    clock->statement_ticks = clock->since_ticks = clock->returned_ticks = 0;
}

/* Removes the levels below a call that returns, and returns that of the calls that it made; depth UINT32_MAX
 * if it made none. */
static level leave(nytp_process_clock *c, uint32_t depth)
{
    level callees = {.depth = UINT32_MAX};
    for (const level *l; (l = nytp_levels_below(&c->levels, depth)) != NULL;
         nytp_levels_remove_last(&c->levels))
        if (l->depth == depth + 1)
            callees = *l;
    return callees;
}

/* The call, with the calls that it made, has so much of since_ticks. */
static void let_wait(nytp_process_clock *c, uint32_t depth, double since_ticks)
{
    const double now = c->statement_ticks;
    const guint before = c->levels.count;
    level *l = nytp_levels_at(&c->levels, depth);
    if (c->levels.count > before) {
        *l = (level){depth, now, now, since_ticks};
        return;
    }
    l->since_ticks = since_ticks + (l->last_ticks == now ? l->since_ticks : 0);
    l->last_ticks = now;
}

/* Stock's profiles say at their end what a sub is. Until then a call that is longer than the statements since
 * the last return has none of its own. */
static bool is_perl(const nytp_process_clock *c, double incl_ticks, enum nytp_own_statements sub)
{
    return sub == NYTP_HAS_STATEMENTS ||
           (sub == NYTP_STATEMENTS_UNKNOWN && incl_ticks <= c->statement_ticks - c->returned_ticks);
}

double nytp_clock_return(nytp_process_clock *clock, uint32_t depth, double incl_ticks,
                         enum nytp_own_statements sub)
{
    const level callees = leave(clock, depth);
    const bool has_callees = callees.depth != UINT32_MAX;
    const double now = clock->statement_ticks;
    double since_ticks = has_callees && callees.last_ticks == now ? callees.since_ticks : 0;
    const bool has_statements = has_callees && callees.first_ticks != now;
    if (now == 0 || (!has_statements && !is_perl(clock, incl_ticks, sub))) {
        const double more_ticks = fmax(incl_ticks - since_ticks, 0);
        clock->since_ticks += more_ticks;
        since_ticks += more_ticks;
    }
    let_wait(clock, depth, since_ticks);
    clock->returned_ticks = now;
    return fmax(now + clock->since_ticks - incl_ticks, 0);
}
