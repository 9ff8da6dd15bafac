/* The labels of a report, and what the calls with each took. */
#pragma once

#include "calls/by_label.h"
#include "calls/durations.h"
#include "events/traces.h"

#include <glib.h>

/* How long the calls of a span took, in ticks of the tree. */
typedef struct html_span_times {
    double median, p95, p99, longest;
    nytp_trace ids; /* of the longest; empty: none */
} html_span_times;

/* The ids of the longest call of a sub that has any, and its ticks as those of durations. */
typedef struct html_traced {
    double ticks;
    nytp_trace ids;
} html_traced;

typedef struct html_labels {
    nytp_by_label *sums;
    GArray *spans;   /* html_span_times, by number of the label; those of other labels are 0 */
    bool has_calls;  /* the outermost calls are known, and so are times of spans */
    bool has_traces; /* a span has ids */
} html_labels;

/* tree has all calls of the profile, with unchanged names, and durations those of its spans. traced: an
 * html_traced for each name, by its number; it may be shorter than the names are many. Returns NULL if there
 * are no labels.
 */
html_labels *html_labels_new(const nytp_profile *profile, nytp_calltree *tree,
                             const nytp_durations *durations, const GArray *traced);

/* Adds a label without calls, if there is none of that name; *labels may be NULL. Returns its number. */
uint32_t html_labels_add(html_labels **labels, const nytp_labelled *label);
void html_labels_free(html_labels *labels); /* NULL is fine */
