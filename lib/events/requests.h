/* Requests: spans that outlive the call that began them, and are made of parts. The attribute `request` joins
 * them: "ID" stands before the return of each part, and "ID BEGIN END" after the last one.
 */
#pragma once

#include "nytprof.h"

#include <glib.h>
#include <stdbool.h>

typedef struct nytp_request {
    uint64_t id;                   /* of its process */
    uint32_t sub;                  /* the name of its last part */
    uint32_t parts;                /* how many have returned */
    double ticks;                  /* their inclusive time */
    double begin_ticks, end_ticks; /* since the process began */
    bool has_ended;                /* else the stream ended before it */
} nytp_request;

typedef struct nytp_request_mark {
    uint64_t id;
    bool is_end; /* else the call that returns next is a part */
    double begin_ticks, end_ticks;
} nytp_request_mark;

/* Returns whether the chunk is that attribute, and what it says. id 0: nothing that makes sense. */
bool nytp_request_mark_read(const nytp_chunk *chunk, nytp_request_mark *mark);

/* Those of the current process that have not ended. */
typedef struct nytp_requests {
    GArray *open;      /* nytp_request, by id */
    uint64_t returned; /* id of the one of which the call that returns next is a part; 0: of none */
} nytp_requests;

nytp_requests nytp_requests_new(void);
void nytp_requests_clear(nytp_requests *requests);

/* Adds a part that returns: its name, when it began, its time, and whether it counts as a call. */
void nytp_requests_add(nytp_requests *requests, uint64_t id, uint32_t sub, double begin_ticks, double ticks,
                       bool is_first);

/* Takes the mark of an end. Returns false if no part of the request was added, otherwise sets *ended. */
bool nytp_requests_end(nytp_requests *requests, const nytp_request_mark *mark, nytp_request *ended);
