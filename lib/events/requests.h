/* Requests: spans that outlive the call that began them, and are made of parts. The attribute `request` joins
 * them: "ID" stands before the return of each part, and "ID BEGIN END" after the last one.
 */
#pragma once

#include "format/marks.h"

#include <glib.h>
#include <stdbool.h>

typedef struct nytp_request {
    uint64_t id;                   /* of its process */
    uint32_t sub;                  /* the name of its last part */
    uint32_t parts;                /* how many have returned */
    double ticks;                  /* their inclusive time */
    double begin_ticks, end_ticks; /* since the process began */
    bool is_run;                   /* its first part was read, which counts as a call: base/labels.h */
    bool has_ended;                /* else the stream ended before it */
} nytp_request;

/* Returns whether a mark of a request is that of its end. Otherwise the call that returns next is a part. */
static inline bool nytp_request_is_end(const nytp_mark *mark)
{
    return mark->count > 1;
}

/* The requests of the current process that have not ended. */
typedef struct nytp_requests {
    GArray *open;      /* nytp_request, by id */
    uint64_t returned; /* id of the request of which the call that returns next is a part; 0: of none */
} nytp_requests;

nytp_requests nytp_requests_new(void);
void nytp_requests_clear(nytp_requests *requests);

/* Adds a part that returns: its name, when it began, its time, and whether it is the first, which counts as a
 * call. */
void nytp_requests_add(nytp_requests *requests, uint64_t id, uint32_t sub, double begin_ticks, double ticks,
                       bool is_first);

/* Takes the mark of an end. Returns false if no part of the request was added, otherwise sets *ended. */
bool nytp_requests_end(nytp_requests *requests, const nytp_mark *mark, nytp_request *ended);
