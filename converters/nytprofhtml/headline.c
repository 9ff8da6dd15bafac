/* The first sentence of the overview: how long the program ran, and what it did, or how much memory it had.
 */
#include "overview.h"

#include "base/order.h"
#include "export/time_parts.h"
#include "model/grow.h"
#include "text.h"

#include <math.h>
#include <string.h>

typedef struct interval {
    double start_s, end_s;
} interval;

static gint by_start(gconstpointer x, gconstpointer y)
{
    const interval *a = x, *b = y;
    return NYTP_ORDER(a->start_s, b->start_s);
}

/* How long any process ran, by the clock. Processes run side by side, and profiles of different days may be
 * merged. */
static double ran_s(const html_report *r)
{
    const nytp_process *p;
    g_autoptr(GArray) runs = NYTP_ARRAY(interval);
    for (size_t i = 0; (p = nytp_profile_process(r->profile, i)) != NULL; i++) {
        const interval one = {p->start_s, p->end_s};
        if (p->ended && p->end_s > p->start_s)
            g_array_append_val(runs, one);
    }
    g_array_sort(runs, by_start);
    double sum = 0, until_s = -INFINITY;
    NYTP_EACH(const interval, one, runs) {
        sum += fmax(one->end_s - fmax(one->start_s, until_s), 0);
        until_s = fmax(until_s, one->end_s);
    }
    return sum;
}

/* "2 min 35 s" */
static void put_long_time(double seconds, FILE *out)
{
    enum { MINUTE = 60, HOUR = 60 * MINUTE, DAY = 24 * HOUR };
    const long long whole = llround(fmin(seconds, 1e15));
    if (seconds < MINUTE)
        fputs(html_seconds(seconds).text, out);
    else if (whole < HOUR)
        fprintf(out, "%lld min %lld s", whole / MINUTE, whole % MINUTE);
    else if (whole < DAY)
        fprintf(out, "%lld h %lld min", whole / HOUR, whole % HOUR / MINUTE);
    else
        fprintf(out, "%lld d %lld h", whole / DAY, whole % DAY / HOUR);
}

static nytp_amount amount_of(const void *report, double ticks)
{
    return html_amount(report, ticks);
}

/* A damaged profile may have no process, and where processes do not say how long they waited, sums of calls
 * may say it of all. */
static nytp_time_parts parts_of(const html_report *r)
{
    const nytp_time_parts parts = nytp_time_parts_of_processes(r->process_times, r->measure.ticks_per_base);
    return parts.time_ticks > 0 && parts.asleep_ticks >= 0 ? parts : nytp_profile_time_parts(r->profile);
}

/* "Ran 2 min 35 s, 5 processes: 760 s = 33 s work + 3 s queued + 722 s asleep + 2 s profiler". */
static void put_time(const html_report *r, FILE *out)
{
    const size_t processes = nytp_profile_process_count(r->profile);
    const double seconds = ran_s(r);
    if (seconds > 0) {
        fputs("Ran ", out);
        put_long_time(seconds, out);
    }
    if (processes > 1)
        fprintf(out, "%s%s processes", seconds > 0 ? ", " : "", nytp_amount_whole(processes).text);
    const nytp_time_parts parts = parts_of(r);
    g_autofree char *text = nytp_time_parts_text(&parts, amount_of, r);
    fprintf(out, "%s%s", seconds > 0 || processes > 1 ? ": " : "", text);
}

/* The sentence above has the same for who cannot see it. */
void html_parts_write(const html_report *r, FILE *out)
{
    nytp_time_part list[NYTP_TIME_PARTS];
    const nytp_time_parts parts = parts_of(r);
    const double whole = parts.time_ticks + MAX(parts.profiler_ticks, 0);
    const size_t count = nytp_time_parts_list(&parts, list);
    if (nytp_measure_is_bytes(&r->measure) || count < 2)
        return;
    fputs("<div id=\"parts\" class=\"share-bar\" aria-hidden=\"true\">", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "<span class=\"%.*s\" style=\"flex-grow:%.4f\"><strong>%s</strong> %s</span>",
                (int)strcspn(list[i].name, " "), list[i].name, list[i].ticks / whole,
                html_amount(r, list[i].ticks).text, list[i].name);
    fputs("</div>\n", out);
}

/* "13.1 MiB of live memory in 3 processes, 123,030 blocks; sum of their peaks: 13.7 MiB". The peaks of
 * processes were at different moments. */
static void put_memory(const html_report *r, FILE *out)
{
    const nytp_memory_about *about = &r->memory;
    const size_t processes = nytp_profile_process_count(r->profile);
    fprintf(out, "<strong>%s</strong> of %s", html_amount(r, (double)r->ticks).text,
            nytp_memory_in_words(about->of));
    if (processes > 1)
        fprintf(out, " in %s processes", nytp_amount_whole(processes).text);
    fprintf(out, ", %s", nytp_amount_of((double)r->statements, "block").text);
    if (about->peak_bytes > 0 && about->peak_bytes < 0x1p63)
        fprintf(out, "; %s: %s",
                processes > 1 || about->peaks > 1 ? "sum of their peaks" : "peak of the process",
                html_amount(r, about->peak_bytes).text);
}

void html_headline_write(const html_report *r, FILE *out)
{
    if (nytp_measure_is_bytes(&r->measure))
        put_memory(r, out);
    else
        put_time(r, out);
}
