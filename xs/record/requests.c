#include "record/requests.h"

#include "basics/alloc.h"
#include "base/order.h"
#include "hot.h"

#include <unistd.h>

/* The cxix of a frame that is a part is this, less the last bits of the id. */
enum { FIRST_CXIX = PROF_PART_CXIX - 1, ID_BITS = 30 };

static const uint64_t id_mask = ((uint64_t)1 << ID_BITS) - 1;

/* Also those of other threads differ, so that an object that a thread was given copies of is no request of
 * that thread. */
static _Atomic uint64_t latest_id;

void prof_requests_free(prof_requests *requests)
{
    free(requests->at);
    memset(requests, 0, sizeof *requests);
}

void prof_requests_forget(prof_requests *requests)
{
    requests->count = 0;
}

void prof_requests_restart(prof_requests *requests)
{
    for (uint32_t n = 0; n < requests->count; n++)
        requests->at[n].begin_ticks = 0;
}

prof_request *prof_request_add(prof_requests *requests)
{
    if (requests->count == requests->cap) {
        requests->cap = requests->cap * 2 + 16;
        requests->at = prof_realloc(requests->at, requests->cap * sizeof *requests->at);
    }
    prof_request *r = &requests->at[requests->count++];
    *r = (prof_request){.id = atomic_fetch_add(&latest_id, 1) + 1, .end_ticks = -1};
    return r;
}

prof_request *prof_request_find(const prof_requests *requests, uint64_t id)
{
    uint32_t i;
    NYTP_SEARCH(i, requests->count, requests->at[i].id < id);
    return i < requests->count && requests->at[i].id == id ? &requests->at[i] : NULL;
}

static void remove_request(prof_requests *requests, prof_request *r)
{
    const prof_request *end = requests->at + requests->count--;
    memmove(r, r + 1, (size_t)(end - (r + 1)) * sizeof *r);
}

void prof_request_begin_part(prof *p, prof_request *request)
{
    prof_frame *f = prof_top_frame(p);
    f->cxix = FIRST_CXIX - (I32)(request->id & id_mask);
    request->open++;
}

/* Several ids may have these last bits. A frame is of the latest of them: the others are of requests that
 * ended long ago. */
uint64_t prof_request_of_frame(const prof_requests *requests, const prof_frame *f)
{
    if (f->cxix > FIRST_CXIX || requests->count == 0)
        return 0;
    const uint64_t last = requests->at[requests->count - 1].id;
    const uint64_t id = last - ((last - (uint64_t)(FIRST_CXIX - f->cxix)) & id_mask);
    return prof_request_find(requests, id) != NULL ? id : 0;
}

/* ---- marks ---- */

static bool writes_calls(const prof *p)
{
    return p->out != NULL && p->options.calls != 0;
}

void prof_request_write_id(const prof *p, const prof_frame *f)
{
    const uint64_t id = prof_request_of_frame(&p->requests, f);
    if (id != 0 && writes_calls(p))
        prof_output_numbers(p->out, "request", &id, 1);
}

/* Only in the process that it belongs to. */
static void write_end(const prof *p, const prof_request *r, int64_t end_ticks)
{
    if (writes_calls(p) && !p->process.forked_child && p->process.pid == getpid())
        prof_output_numbers(p->out, "request",
                            (const uint64_t[]){r->id, (uint64_t)r->begin_ticks, (uint64_t)end_ticks}, 3);
}

void prof_request_end_part(prof *p, uint64_t id)
{
    prof_request *r = id != 0 ? prof_request_find(&p->requests, id) : NULL;
    if (r == NULL || --r->open > 0 || r->end_ticks < 0)
        return;
    write_end(p, r, r->end_ticks);
    remove_request(&p->requests, r);
}

void prof_requests_write_open(const prof *p, int64_t passed_ticks)
{
    const prof_requests *requests = &p->requests;
    for (uint32_t n = 0; n < requests->count; n++) {
        const prof_request *r = &requests->at[n];
        write_end(p, r, r->end_ticks < 0 ? passed_ticks : r->end_ticks);
    }
}
