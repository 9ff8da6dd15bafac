/* The labels of a report, and what the calls with each took. */
#pragma once

#include "calls/by_label.h"
#include "calls/durations.h"

#include <glib.h>

/* How long the calls of a span took, in ticks of the tree. */
typedef struct html_span_times {
    double median, p95, longest;
} html_span_times;

typedef struct html_labels {
    nytp_by_label *sums;
    GArray *spans;  /* html_span_times, by number of the label; those of other labels are 0 */
    bool has_calls; /* the outermost calls are known, and so are times of spans */
} html_labels;

/* tree has all calls of the profile, with unchanged names, and durations those of its spans. Returns NULL if
 * there are no labels. */
html_labels *html_labels_new(const nytp_profile *profile, nytp_calltree *tree,
                             const nytp_durations *durations);
void html_labels_free(html_labels *labels); /* NULL is fine */
