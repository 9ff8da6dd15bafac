/* The calls and lines of requests (events/requests.h) that have not ended: those of all parts together. */
#pragma once

#include "calls/calltree.h"
#include "calls/span_lines.h"

typedef struct nytp_span_parts nytp_span_parts;

/* calls and lines are as for nytp_span_trees_new(). */
nytp_span_parts *nytp_span_parts_new(const nytp_calltree *calls, nytp_span_lines *lines);
void nytp_span_parts_free(nytp_span_parts *parts); /* NULL is fine */

/* Adds a part that returns; the calls that it made wait for that. */
void nytp_span_parts_add(nytp_span_parts *parts, const nytp_call_event *part);

/* What a request ran. */
typedef struct nytp_request_calls {
    nytp_stacktree stacks; /* what the parts called; the root is the request, and has their own time */
    GPtrArray *lines;      /* nytp_lines_of_span, to be joined when those of the last part are known */
} nytp_request_calls;

void nytp_request_calls_free(void *request_calls); /* a GDestroyNotify; NULL is fine */

/* Returns what the parts of a request have run, and forgets it; NULL if there are none. The caller must free
 * it. */
nytp_request_calls *nytp_span_parts_take(nytp_span_parts *parts, uint64_t request);

/* A process begins. */
void nytp_span_parts_begin_process(nytp_span_parts *parts);

/* Joins lines that are known into the first ones, if they are known, too. */
void nytp_span_parts_join(GPtrArray *lines);
