/* The spans of a profile that --span and --slowest choose. */
#pragma once

#include "events/filters.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct nytp_span {
    guint process; /* numbered from 0 in the order of their PID_STARTs, through all profiles of a file */
    double begin_ticks, ticks;           /* by the clock of its process (clock.h) */
    double true_begin_ticks, true_ticks; /* since it began */
    uint32_t depth;
    /* Numbers of the calls within it, which return before it, and of itself: from 0 as they return, through
     * all profiles. */
    uint64_t first_call, last_call;
    guint whole; /* number of what it is a part of: a request, or a span that is one call */
} nytp_span;

typedef struct nytp_spans {
    const char *name;    /* as the user wrote it; NULL: any */
    GArray *all;         /* nytp_span, in the order in which they returned; none is within another */
    GArray *latencies_s; /* double, of the spans, the longest first; of a request one */
    GString *others;     /* some names of spans that were not chosen: "'a', 'b'" */
    guint asked;         /* index of the span in which the next call can be */
} nytp_spans;

void nytp_spans_free(nytp_spans *spans); /* NULL is fine */

/* Adds the ends of the spans of a process to ends and instants, as within.h has them. */
void nytp_spans_ends(const nytp_spans *spans, guint process, GArray *ends, GArray *instants);

/* Returns whether a call is one of the spans, or within one. Calls must be asked for in their order. */
bool nytp_spans_have_call(nytp_spans *spans, uint64_t call);

/* Returns whether a string eval may be within one of the spans that ends before that call returns, and began
 * when `depth` calls went on. */
bool nytp_spans_may_have_eval(nytp_spans *spans, uint64_t next_call, uint32_t depth);

/* Returns "no span 'x', but 'a', 'b'", for which the caller must call g_free(). */
char *nytp_spans_missing(const nytp_spans *spans);

/* Reads all profiles of the reader. What is wrong with one ends it here; reading it again reports it. */
nytp_spans *nytp_find_spans(nytp_reader *reader, const nytp_filter_options *options);
