#include "tables.h"

#include "base/newfile.h"
#include "cli/say.h"
#include "export/csv.h"
#include "model/names.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct csv_spans {
    nytp_span_times *times;
    const nytp_events *events; /* the current ones */
    nytp_csv cells;            /* out is NULL until the first span */
    bool failed;               /* which was said */
};

static void say_failed(csv_spans *s)
{
    if (!s->failed)
        nytp_say(NYTP_UNNAMED_FILE_FAILED, strerror(errno));
    s->failed = true;
}

/* Returns whether there is a file. */
static bool has_file(csv_spans *s)
{
    if (s->cells.out != NULL || s->failed)
        return !s->failed;
    const int fd = nytp_unnamed_file();
    s->cells.out = fd >= 0 ? fdopen(fd, "w+") : NULL;
    if (s->cells.out == NULL)
        say_failed(s);
    return !s->failed;
}

static void put_span(void *context, const nytp_span_time *span)
{
    csv_spans *s = context;
    if (!has_file(s))
        return;
    const nytp_measure *measure = nytp_events_measure(s->events);
    g_autofree char *name = nytp_name_clean(span->name);
    nytp_csv_text(&s->cells, name);
    nytp_csv_count(&s->cells, span->pid);
    nytp_csv_amount(&s->cells, measure, span->begin_s);
    nytp_csv_amount(&s->cells, measure, span->latency_s);
    nytp_csv_amount(&s->cells, measure, span->work_s);
    nytp_csv_amount(&s->cells, measure, span->asleep_s);
    nytp_csv_count(&s->cells, span->parts);
    nytp_csv_amount(&s->cells, measure, span->queued_s);
    nytp_csv_amount(&s->cells, measure, span->between.asleep_s);
    nytp_csv_amount(&s->cells, measure, span->between.queued_s);
    nytp_csv_amount(&s->cells, measure, span->between.others_s);
    nytp_csv_amount(
        &s->cells, measure,
        nytp_span_rest_s(span->latency_s, span->work_s + span->asleep_s + span->queued_s, span->between));
    nytp_csv_end_row(&s->cells);
}

csv_spans *csv_spans_new(void)
{
    csv_spans *s = g_new0(csv_spans, 1);
    s->times = nytp_span_times_new(put_span, NULL, s);
    return s;
}

void csv_spans_free(csv_spans *spans)
{
    if (spans == NULL)
        return;
    nytp_span_times_free(spans->times);
    if (spans->cells.out != NULL)
        fclose(spans->cells.out);
    g_free(spans);
}

void csv_spans_take(csv_spans *spans, const nytp_names *names, nytp_events *events)
{
    spans->events = events;
    nytp_span_times_take(spans->times, names, events);
}

int csv_spans_write(csv_spans *spans, FILE *out)
{
    if (spans == NULL || (spans->cells.out == NULL && !spans->failed))
        return 0;
    if (spans->failed)
        return -1;
    FILE *rows = spans->cells.out;
    char buffer[1 << 14];
    errno = 0;
    bool is_whole = fflush(rows) == 0 && fseek(rows, 0, SEEK_SET) == 0;
    for (size_t size; is_whole && (size = fread(buffer, 1, sizeof buffer, rows)) > 0;)
        fwrite(buffer, 1, size, out); /* an error of out is found when it is committed */
    is_whole &= ferror(rows) == 0;
    if (!is_whole) {
        errno = errno != 0 ? errno : EIO; /* that of an earlier write is lost */
        say_failed(spans);
    }
    return is_whole ? 0 : -1;
}
