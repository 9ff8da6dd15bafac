#include "events/requests.h"

#include "base/order.h"
#include "model/grow.h"

#include <math.h>

nytp_requests nytp_requests_new(void)
{
    return (nytp_requests){.open = NYTP_ARRAY(nytp_request)};
}

void nytp_requests_clear(nytp_requests *requests)
{
    g_array_free(requests->open, TRUE);
}

static nytp_request *open_at(const nytp_requests *r, guint i)
{
    return &g_array_index(r->open, nytp_request, i);
}

/* Returns the index of the first one whose id is not less. */
static guint index_of(const nytp_requests *r, uint64_t id)
{
    guint i;
    NYTP_SEARCH(i, r->open->len, open_at(r, i)->id < id);
    return i;
}

void nytp_requests_add(nytp_requests *requests, uint64_t id, uint32_t sub, double begin_ticks, double ticks,
                       bool is_first)
{
    const guint i = index_of(requests, id);
    if (i == requests->open->len || open_at(requests, i)->id != id) {
        const nytp_request new = {.id = id, .begin_ticks = is_first ? begin_ticks : 0};
        g_array_insert_val(requests->open, i, new);
    }
    nytp_request *r = open_at(requests, i);
    r->sub = sub;
    r->is_run |= is_first;
    r->parts++;
    r->ticks += fmax(ticks, 0);
}

bool nytp_requests_end(nytp_requests *requests, const nytp_mark *mark, nytp_request *ended)
{
    const uint64_t id = (uint64_t)mark->request.id;
    const guint i = index_of(requests, id);
    if (i == requests->open->len || open_at(requests, i)->id != id)
        return false;
    *ended = *open_at(requests, i);
    ended->begin_ticks = mark->request.begin_ticks;
    ended->end_ticks = fmax(mark->request.end_ticks, mark->request.begin_ticks);
    ended->has_ended = true;
    g_array_remove_index(requests->open, i);
    return true;
}
