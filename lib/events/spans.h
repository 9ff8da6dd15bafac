/* The spans of a profile that --span and --slowest choose, found before the profile is read through the
 * filter. */
#pragma once

#include "events/filters.h"

#include <glib.h>

typedef struct nytp_spans nytp_spans;

/* Reads all profiles of the source for the spans that options choose, within what their other filters leave.
 * What is wrong with a profile ends it here; reading it again reports it. */
nytp_spans *nytp_spans_find(nytp_source *source, const nytp_filter_options *options);
void nytp_spans_free(nytp_spans *spans); /* NULL is fine */

/* Adds the ends of the spans of a process to ends, as within.h has them. Processes are numbered from 0 in the
 * order of their PID_STARTs, through all profiles. */
void nytp_spans_ends(const nytp_spans *spans, guint process, GArray *ends);

/* Returns whether a call is one of the spans, or within one. Calls are numbered from 0 as they return, through
 * all profiles, and must be asked for in that order. */
bool nytp_spans_have_call(nytp_spans *spans, uint64_t call);

/* Returns "no span 'x', but 'a', 'b'", for which the caller must call g_free(). */
char *nytp_spans_missing(const nytp_spans *spans);
