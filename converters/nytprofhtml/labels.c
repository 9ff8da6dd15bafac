#include "report.h"

#include "calls/calltree.h"
#include "model/grow.h"

/* Labels of calls that the tree has not: it has none if calls were not recorded one by one. */
static void add_subs(nytp_by_label *sums, const nytp_profile *profile)
{
    nytp_sub sub;
    for (size_t i = 0; nytp_profile_sub(profile, i, &sub); i++) {
        nytp_label label;
        if (nytp_sub_label(profile, sub.name, &label))
            nytp_by_label_of(sums, &label);
    }
}

static html_span_times times_of_span(const nytp_distribution *d, uint32_t sub, const GArray *traced)
{
    html_span_times times = {.median = nytp_distribution_quantile(d, 0.5),
                             .p95 = nytp_distribution_quantile(d, 0.95),
                             .p99 = nytp_distribution_quantile(d, 0.99),
                             .longest = d->longest_ticks};
    const html_traced *t = sub < traced->len ? &g_array_index(traced, html_traced, sub) : NULL;
    if (t != NULL && t->ticks >= d->longest_ticks)
        times.ids = t->ids;
    return times;
}

static GArray *times_of_spans(nytp_by_label *sums, nytp_calltree *tree, const nytp_durations *durations,
                              const GArray *traced)
{
    const nytp_names *names = nytp_calltree_names(tree);
    GArray *spans = NYTP_ZEROED_ARRAY(html_span_times);
    g_array_set_size(spans, nytp_by_label_count(sums));
    for (uint32_t i = 0; i < nytp_names_count(names); i++) {
        nytp_label label;
        const nytp_distribution *d = nytp_durations_of(durations, i);
        if (d != NULL && nytp_labels_split(NULL, nytp_names_get(names, i), &label))
            g_array_index(spans, html_span_times, nytp_by_label_of(sums, &label)) =
                times_of_span(d, i, traced);
    }
    return spans;
}

html_labels *html_labels_new(const nytp_profile *profile, nytp_calltree *tree,
                             const nytp_durations *durations, const GArray *traced)
{
    nytp_by_label *sums = nytp_by_label_new();
    nytp_by_label_add_profile(sums, profile, tree);
    add_subs(sums, profile);
    if (nytp_by_label_count(sums) == 0) {
        nytp_by_label_free(sums);
        return NULL;
    }
    html_labels *labels = g_new0(html_labels, 1);
    labels->sums = sums;
    labels->has_calls = nytp_by_label_ticks_per_sec(sums) > 0;
    labels->spans = times_of_spans(sums, tree, durations, traced);
    labels->has_traces = traced->len > 0;
    return labels;
}

uint32_t html_labels_add(html_labels **labels, const nytp_labelled *label)
{
    if (*labels == NULL) {
        *labels = g_new0(html_labels, 1);
        (*labels)->sums = nytp_by_label_new();
        (*labels)->spans = NYTP_ZEROED_ARRAY(html_span_times);
        (*labels)->has_calls = true;
    }
    const nytp_label named = {.kind = label->kind, .text = label->text, .base = {"", 0, true}};
    const uint32_t number = nytp_by_label_of((*labels)->sums, &named);
    g_array_set_size((*labels)->spans, nytp_by_label_count((*labels)->sums));
    return number;
}

void html_labels_free(html_labels *labels)
{
    if (labels == NULL)
        return;
    nytp_by_label_free(labels->sums);
    g_array_free(labels->spans, TRUE);
    g_free(labels);
}
