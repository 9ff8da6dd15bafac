#include "core.h"

#include "base/ticks.h"
#include "model/grow.h"

/* Subs with fewer calls have no row. */
enum { LEAST_CALLS = 5 };

/* A sub with a row. */
typedef struct row {
    guint sub;
    const nytp_distribution *of;
    guint first_part, parts; /* in the array of all parts */
} row;

/* The calls of a part. Parts are numbered from 0, which has the shortest calls. */
typedef struct part {
    uint64_t number, calls;
} part;

static void add_sub(GArray *rows, GArray *parts, guint sub, const nytp_distribution *of)
{
    const row added = {sub, of, parts->len, 0};
    const uint64_t first = nytp_duration_part(0, of->parts);
    nytp_duration_range range;
    for (uint64_t at = 0; nytp_distribution_next(of, &at, &range);) {
        const part one = {nytp_duration_part(range.from_ticks, of->parts) - first, range.calls};
        g_array_append_val(parts, one);
    }
    g_array_append_val(rows, added);
    g_array_index(rows, row, rows->len - 1).parts = parts->len - added.first_part;
}

/* Each number is that of the part before it less, but for the first one of a sub. */
static void write_parts(html_json *j, const GArray *rows, const GArray *parts)
{
    html_json_open(j, "part", '[');
    NYTP_EACH(const row, r, rows) {
        uint64_t before = 0;
        for (guint k = r->first_part; k < r->first_part + r->parts; k++) {
            const uint64_t number = g_array_index(parts, part, k).number;
            html_json_int(j, NULL, (int64_t)(number - before));
            before = number;
        }
    }
    html_json_close(j, ']');
    HTML_COLUMN(j, "calls", parts->len, k, (int64_t)g_array_index(parts, part, k).calls);
}

static void write_block(html_json *j, double ticks_per_s, const GArray *rows, const GArray *parts)
{
#define ROW(i) g_array_index(rows, row, i)
    html_json_real(j, "ticks_per_s", ticks_per_s);
    HTML_COLUMN(j, "sub", rows->len, i, ROW(i).sub - (i > 0 ? ROW(i - 1).sub : 0));
    HTML_COLUMN(j, "bits", rows->len, i, ROW(i).of->parts);
    HTML_COLUMN(j, "first", rows->len, i, nytp_whole_ticks(ROW(i).of->first_ticks));
    HTML_COLUMN(j, "longest", rows->len, i, nytp_whole_ticks(ROW(i).of->longest_ticks));
    HTML_COLUMN(j, "parts", rows->len, i, ROW(i).parts);
    write_parts(j, rows, parts);
#undef ROW
}

bool html_durations_add(const html_report *report, html_pack *pack)
{
    const nytp_sub_durations *durations = &report->durations;
    g_autoptr(GArray) rows = NYTP_ARRAY(row);
    g_autoptr(GArray) parts = NYTP_ARRAY(part);
    for (guint i = 0; i < durations->of->len; i++) {
        const nytp_distribution *of = nytp_sub_durations_of(durations, i);
        if (nytp_distribution_count(of) >= LEAST_CALLS)
            add_sub(rows, parts, i, of);
    }
    if (rows->len == 0)
        return false;
    g_autofree html_json *j = html_json_new(pack);
    write_block(j, durations->ticks_per_sec, rows, parts);
    html_json_end_block(j);
    return true;
}
