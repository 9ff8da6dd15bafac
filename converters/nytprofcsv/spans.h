/* The rows of the table of spans. There may be millions, in the order in which they end, so they are kept in
 * a file. */
#pragma once

#include "calls/span_times.h"

typedef struct csv_spans csv_spans;

csv_spans *csv_spans_new(void);
void csv_spans_free(csv_spans *spans); /* NULL is fine */

/* Takes the spans of these events from here on. names are those of the events. */
void csv_spans_take(csv_spans *spans, const nytp_names *names, nytp_events *events);

/* Writes the rows; none if spans is NULL. Returns 0, or -1 after saying why the file cannot be made, written
 * or read. */
int csv_spans_write(csv_spans *spans, FILE *out);
