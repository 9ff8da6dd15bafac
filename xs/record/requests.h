/* Requests: spans that outlive the call that began them, as those of an event loop do. A request is made of
 * parts, each of which is a frame as that of a span. The first one counts as a call.
 *
 * What joins them are marks in the stream (doc/format.md, `request`): one before the return of each part, and
 * one when the request has ended and none of its parts goes on. The other frames of the process are not
 * concerned: a frame of a part is never ended by the fast path, which knows nothing of marks.
 */
#pragma once

#include "prof.h"

typedef struct prof_frame prof_frame;

typedef struct prof_request {
    uint64_t id;         /* no other one of the process has it */
    const SV *object;    /* that is the request for the program; it ends when this is freed */
    uint32_t sub;        /* the name of its parts */
    uint32_t open;       /* how many of its parts go on */
    uintptr_t first;     /* serial number of the frame of the first one */
    int64_t begin_ticks; /* since the process or its file began; 0 if the request is older */
    int64_t end_ticks;   /* -1: it has not ended */
} prof_request;

typedef struct prof_requests {
    prof_request *at; /* those that go on, by id */
    uint32_t count, cap;
} prof_requests;

void prof_requests_free(prof_requests *requests);

/* Forgets all: those of the parent process are no concern of a forked child. */
void prof_requests_forget(prof_requests *requests);

/* A file begins. Requests that go on began before it. */
void prof_requests_restart(prof_requests *requests);

/* Writes at the end of a file that those that go on end there. */
void prof_requests_write_open(const prof *p, int64_t passed_ticks);

/* Adds a request that begins, and returns it. Pointers to others become invalid. */
prof_request *prof_request_add(prof_requests *requests);

/* Returns a request that goes on; NULL if that one does not. Valid until another one begins or ends. */
prof_request *prof_request_find(const prof_requests *requests, uint64_t id);

/* Makes the top frame, which is that of a span, a part of a request. */
void prof_request_begin_part(prof *p, prof_request *request);

/* Returns the id of the request of which a frame is a part; 0 if it is not. */
uint64_t prof_request_of_frame(const prof_requests *requests, const prof_frame *f);

/* Writes of which request the frame is a part, before its return is written. */
void prof_request_write_id(const prof *p, const prof_frame *f);

/* A part of that request has ended, and its return was written. Writes the end of the request if it has
 * ended, and no other part goes on. id 0: does nothing. */
void prof_request_end_part(prof *p, uint64_t id);
