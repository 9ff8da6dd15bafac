#include "events/events.h"

#include <math.h>

enum { FIRST_SIZE = 1 << 10, MOST_UNWANTED = 1 << 16 };

static void forget(nytp_recent *r)
{
    r->ring[0] = (nytp_recent_entry){0};
    r->last = r->ring;
    r->stop = r->ring + r->size - 1;
    r->is_round = r->is_left = false;
}

nytp_recent *nytp_recent_new(uint32_t most)
{
    nytp_recent *r = g_new0(nytp_recent, 1);
    r->most = most;
    r->size = MIN(most, FIRST_SIZE);
    r->ring = g_new(nytp_recent_entry, r->size);
    forget(r);
    return r;
}

void nytp_recent_free(nytp_recent *recent)
{
    if (recent == NULL)
        return;
    g_free(recent->ring);
    g_free(recent);
}

static void call_awaiting(nytp_recent *r, bool is_there)
{
    void *context = r->context;
    r->context = NULL;
    if (context != NULL)
        r->on_awaited(context, is_there);
}

void nytp_recent_reset(nytp_recent *recent)
{
    call_awaiting(recent, false);
    forget(recent);
    recent->has_lost = false;
}

void nytp_recent_want(nytp_recent *recent)
{
    recent->is_wanted = true;
    if (!recent->is_left)
        return;
    forget(recent);
    recent->has_lost = true;
}

void nytp_recent_await(nytp_recent *recent, nytp_recent_fn *on_awaited, void *context)
{
    recent->on_awaited = on_awaited;
    recent->context = context;
    recent->stop = recent->last;
}

/* Makes room after the last entry of the ring, or at its begin. */
static void make_room(nytp_recent *r)
{
    if (r->size < (r->is_wanted ? r->most : MIN(r->most, MOST_UNWANTED))) {
        r->ring = g_renew(nytp_recent_entry, r->ring, (size_t)r->size * 2);
        r->last = r->ring + r->size - 1;
        r->size *= 2;
    } else if (r->is_wanted) {
        r->is_round = r->has_lost = true;
    } else {
        r->is_left = true;
    }
}

void nytp_recent_begin(nytp_recent *recent, nytp_recent_entry entry)
{
    if (recent->last == recent->ring + recent->size - 1)
        make_room(recent);
    if (recent->is_left)
        return;
    const bool is_end = recent->last == recent->ring + recent->size - 1;
    recent->last = is_end ? recent->ring : recent->last + 1;
    *recent->last = entry;
    recent->stop = recent->context != NULL ? recent->last : recent->ring + recent->size - 1;
    if (entry.place != 0)
        call_awaiting(recent, true);
}

void nytp_recent_add_gap(nytp_recent *recent, double ticks)
{
    enum { MOST = 1000 }; /* a damaged profile may say anything */
    for (int i = 0; i < MOST && ticks >= 1; i++, ticks -= INT32_MAX)
        nytp_recent_begin(recent, (nytp_recent_entry){.ticks = (int32_t)fmin(ticks, INT32_MAX)});
}

const nytp_recent_entry *nytp_recent_back(const nytp_recent *recent, uint32_t n)
{
    const uint32_t last = (uint32_t)(recent->last - recent->ring);
    if (n <= last)
        return recent->last - n;
    return recent->is_round && n < recent->size ? recent->last + (recent->size - n) : NULL;
}
