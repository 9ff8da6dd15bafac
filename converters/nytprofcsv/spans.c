#include "tables.h"

#include "base/newfile.h"
#include "cli/say.h"
#include "model/names.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct csv_spans {
    nytp_span_times *times;
    const nytp_events *events; /* the current ones */
    FILE *file;                /* the table; NULL until the first span */
    csv_cells cells;
    bool failed; /* which was said */
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
    if (s->file != NULL || s->failed)
        return !s->failed;
    const int fd = nytp_unnamed_file();
    s->file = fd >= 0 ? fdopen(fd, "w+") : NULL;
    if (s->file == NULL)
        say_failed(s);
    else
        csv_cells_begin(&s->cells, nytp_events_measure(s->events), CSV_SPANS, s->file);
    return !s->failed;
}

static void put_span(void *context, const nytp_span_time *span)
{
    csv_spans *s = context;
    if (!has_file(s))
        return;
    const csv_cells *cells = &s->cells;
    g_autofree char *name = nytp_name_clean(span->name);
    nytp_table_text(cells->table, name);
    nytp_table_value(cells->table, span->pid);
    csv_put_amount(cells, span->begin_s);
    csv_put_amount(cells, span->latency_s);
    csv_put_amount(cells, span->work_s);
    csv_put_amount(cells, span->asleep_s);
    nytp_table_value(cells->table, (double)span->parts);
    csv_put_amount(cells, span->queued_s);
    csv_put_amount(cells, span->between.asleep_s);
    csv_put_amount(cells, span->between.queued_s);
    csv_put_amount(cells, span->between.others_s);
    csv_put_amount(cells, nytp_span_rest_s(span->latency_s, span->work_s + span->asleep_s + span->queued_s,
                                           span->between));
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
    if (spans->file != NULL) {
        nytp_table_end(spans->cells.table, NULL);
        fclose(spans->file);
    }
    g_free(spans);
}

void csv_spans_take(csv_spans *spans, const nytp_names *names, nytp_events *events)
{
    spans->events = events;
    nytp_span_times_take(spans->times, names, events);
}

int csv_spans_write(csv_spans *spans, bool *any, FILE *out)
{
    *any = spans != NULL && spans->file != NULL;
    if (!*any || spans->failed)
        return spans != NULL && spans->failed ? -1 : 0;
    FILE *rows = spans->file;
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
