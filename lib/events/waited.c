#include "events/waited.h"

/* A call that goes on. */
typedef struct level {
    uint32_t depth;
    nytp_waited own, callees; /* itself, and the calls that it made, as far as they have returned */
} level;

nytp_waits nytp_waits_new(void)
{
    return (nytp_waits){.levels = nytp_levels_new(sizeof(level), NULL)};
}

void nytp_waits_clear(nytp_waits *waits)
{
    nytp_levels_free(&waits->levels);
}

void nytp_waits_reset(nytp_waits *waits)
{
    nytp_levels_empty(&waits->levels);
    waits->are_measured = waits->knows_samples;
    waits->sample = (nytp_waited){0};
}

void nytp_waits_end_profile(nytp_waits *waits)
{
    waits->knows_samples = false;
    nytp_waits_reset(waits);
}

void nytp_waits_add(nytp_waits *waits, uint32_t depth, nytp_waited waited)
{
    nytp_waited_add(&((level *)nytp_levels_among(&waits->levels, depth))->own, waited);
}

void nytp_waits_note_state(nytp_waits *waits, const nytp_mark *mark)
{
    waits->are_measured = waits->knows_samples = true;
    waits->sample = nytp_waited_share(mark);
}

nytp_waited nytp_waits_take_sample(nytp_waits *waits, double ticks)
{
    const nytp_waited waited = nytp_waited_scaled(waits->sample, ticks);
    waits->sample = (nytp_waited){0};
    return waited;
}

nytp_call_waited nytp_waits_leave(nytp_waits *waits, uint32_t depth, double incl_ticks, double excl_ticks)
{
    nytp_levels_cut(&waits->levels, depth);
    level left = {0};
    const level *last = nytp_levels_last(&waits->levels);
    if (last != NULL && last->depth == depth) {
        left = *last;
        nytp_levels_remove_last(&waits->levels);
    }
    nytp_call_waited call = {.own = nytp_waited_within(left.own, excl_ticks)};
    call.incl = call.own;
    nytp_waited_add(&call.incl, left.callees);
    call.incl = nytp_waited_within(call.incl, incl_ticks);
    if (nytp_waited_ticks(call.incl) > 0 && depth > 0)
        nytp_waited_add(&((level *)nytp_levels_among(&waits->levels, depth - 1))->callees, call.incl);
    return call;
}
