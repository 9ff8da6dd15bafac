#include "core.h"

#include "base/order.h"
#include "base/ticks.h"
#include "model/grow.h"
#include "overview.h"

#include <math.h>

static const nytp_kept_span *span_at(const GArray *spans, guint i)
{
    return &g_array_index(spans, nytp_kept_span, i);
}

static gint compare_times(gconstpointer x, gconstpointer y)
{
    return NYTP_ORDER(*(const double *)x, *(const double *)y);
}

/* Returns how many ticks are one unit of the block: a power of ten, with which half of the durations have
 * four digits or more. Each digit more takes half a byte in each of three columns. */
static double unit_of(const html_report *r, const GArray *spans)
{
    enum { FOUR_DIGITS = 1000 };
    g_autofree double *times_s = g_new(double, spans->len);
    for (guint i = 0; i < spans->len; i++)
        times_s[i] = span_at(spans, i)->latency_s;
    qsort(times_s, spans->len, sizeof *times_s, compare_times);
    const double median_ticks = times_s[spans->len / 2] * r->measure.ticks_per_base;
    double unit = 1;
    while (median_ticks / (unit * 10) >= FOUR_DIGITS)
        unit *= 10;
    return unit;
}

static int64_t units(double seconds, double per_s)
{
    const double most = 9e15; /* JavaScript has larger integers only rounded */
    return nytp_whole_ticks(fmin(fmax(round(seconds * per_s), 0), most));
}

/* Returns the numbers in the report of the names in the sample. The caller must g_free() them. */
static int64_t *label_numbers(const html_report *r, const GArray *spans)
{
    uint32_t count = 0;
    NYTP_EACH(const nytp_kept_span, span, spans)
        count = MAX(count, span->name + 1);
    int64_t *numbers = g_new(int64_t, count);
    for (uint32_t i = 0; i < count; i++) {
        const nytp_label label = {
            .base = {"", 0, true}, .kind = NYTP_LABEL_SPAN, .text = nytp_span_sample_name(r->requests, i)};
        numbers[i] = nytp_by_label_of(r->labels->sums, &label);
    }
    return numbers;
}

/* Returns how much of a request is neither work nor asleep nor queued. */
static double rest_s(const nytp_kept_span *span)
{
    return span->between.others_s +
           nytp_span_rest_s(span->latency_s, span->work_s + span->asleep_s + span->queued_s, span->between);
}

static bool some_have_rest(const GArray *spans)
{
    NYTP_EACH(nytp_kept_span, span, spans)
        if (rest_s(span) > 0)
            return true;
    return false;
}

static void write_spans(html_json *j, const html_report *r, const GArray *spans)
{
    const guint count = spans->len;
    const double per_s = r->measure.ticks_per_base / unit_of(r, spans),
                 first_s = nytp_processes_begin_s(r->profile);
    g_autofree int64_t *labels = label_numbers(r, spans);
    int64_t before = 0;
    html_json_real(j, "per_s", per_s);
    HTML_COLUMN(j, "label", count, i, labels[span_at(spans, i)->name]);
    HTML_COLUMN(j, "process", count, i, span_at(spans, i)->process);
    html_json_open(j, "begin", '[');
    for (guint i = 0; i < count; i++) {
        const int64_t begin = units(span_at(spans, i)->begin_s - first_s, per_s);
        html_json_int(j, NULL, begin - before);
        before = begin;
    }
    html_json_close(j, ']');
    HTML_COLUMN(j, "ticks", count, i, units(span_at(spans, i)->latency_s, per_s));
    HTML_COLUMN(j, "asleep", count, i,
                units(span_at(spans, i)->asleep_s + span_at(spans, i)->between.asleep_s, per_s));
    HTML_COLUMN(j, "queued", count, i,
                units(span_at(spans, i)->queued_s + span_at(spans, i)->between.queued_s, per_s));
    if (!some_have_rest(spans))
        return;
    HTML_COLUMN(j, "rest", count, i, units(rest_s(span_at(spans, i)), per_s));
    HTML_COLUMN(j, "others", count, i, units(span_at(spans, i)->between.others_s, per_s));
}

bool html_requests_add(const html_report *report, html_pack *pack)
{
    const GArray *spans = nytp_span_sample_get(report->requests);
    if (spans->len == 0 || report->labels == NULL || nytp_measure_is_sampled(&report->measure))
        return false;
    g_autofree html_json *j = html_json_new(pack);
    html_json_int(j, "all", (int64_t)nytp_span_sample_total(report->requests));
    html_json_int(j, "slowest", (int64_t)nytp_span_sample_slowest(report->requests));
    write_spans(j, report, spans);
    html_json_end_block(j);
    return true;
}
