#include "../core.h"

#include "base/ticks.h"
#include "../overview.h"

/* Rows of one type. With less, another list of them, numbers are how much more they are than those. */
typedef struct rows {
    const GArray *of, *less;
} rows;

static const void *member_at(const GArray *of, guint i, size_t offset)
{
    return of->data + i * g_array_get_element_size((GArray *)of) + offset;
}

static int64_t ticks_at(const GArray *of, guint i, size_t offset)
{
    return of != NULL ? nytp_whole_ticks(*(const double *)member_at(of, i, offset)) : 0;
}

static int verdict_at(const GArray *of, guint i, size_t offset)
{
    return of != NULL ? (int)*(const enum nytp_verdict *)member_at(of, i, offset) : 0;
}

/* The columns of a number of both sides, a double[NYTP_SIDES] at that offset. */
static void write_sides(html_json *j, const char *old, const char *new, rows r, size_t offset)
{
    const size_t of_new = offset + sizeof(double);
    HTML_COLUMN(j, old, r.of->len, i, ticks_at(r.of, i, offset) - ticks_at(r.less, i, offset));
    HTML_COLUMN(j, new, r.of->len, i, ticks_at(r.of, i, of_new) - ticks_at(r.less, i, of_new));
}

static void write_verdicts(html_json *j, const char *key, rows r, size_t offset)
{
    HTML_COLUMN(j, key, r.of->len, i, verdict_at(r.of, i, offset) - verdict_at(r.less, i, offset));
}

static const html_change *change_at(const GArray *changes, guint i)
{
    return &g_array_index(changes, html_change, i);
}

static void write_changes(html_json *j, const char *key, rows r, bool has_incl)
{
    static const char *const old[] = {"old", "old_incl", "old_calls"},
                             *const new[] = {"new", "new_incl", "new_calls"},
                             *const verdict[] = {"verdict", "verdict_incl", "verdict_calls"};
    html_json_open(j, key, '{');
    if (r.less == NULL) {
        HTML_COLUMN(j, "number", r.of->len, i, change_at(r.of, i)->number);
        HTML_COLUMN_OF(html_json_text, j, "name", r.of->len, i,
                       change_at(r.of, i)->name != NULL ? change_at(r.of, i)->name : "");
    }
    for (enum html_changed what = HTML_SELF; what < HTML_CHANGED; what++) {
        if (what == HTML_INCL && !has_incl)
            continue;
        write_sides(j, old[what], new[what], r,
                    offsetof(html_change, value) + what * sizeof(double[NYTP_SIDES]));
        write_verdicts(j, verdict[what], r,
                       offsetof(html_change, verdict) + what * sizeof(enum nytp_verdict));
    }
    html_json_close(j, '}');
}

static const html_line_change *line_at(const GArray *lines, guint i)
{
    return &g_array_index(lines, html_line_change, i);
}

static void write_lines(html_json *j, rows r)
{
    const guint count = r.of->len;
    html_json_open(j, "lines", '{');
    if (r.less == NULL) {
        HTML_COLUMN(j, "file", count, i, line_at(r.of, i)->file - (i > 0 ? line_at(r.of, i - 1)->file : 0));
        HTML_COLUMN(j, "line", count, i, line_at(r.of, i)->line);
        HTML_COLUMN(j, "old_line", count, i, (int64_t)line_at(r.of, i)->old_line - line_at(r.of, i)->line);
    }
    write_sides(j, "old", "new", r, offsetof(html_line_change, value));
    write_verdicts(j, "verdict", r, offsetof(html_line_change, verdict));
    html_json_close(j, '}');
}

static const html_call_change *call_at(const GArray *changes, guint i)
{
    return &g_array_index(changes, html_call_change, i);
}

static void write_calls(html_json *j, const char *key, rows r, bool has_lines)
{
    const guint count = r.of->len;
    html_json_open(j, key, '{');
    if (r.less == NULL) {
        HTML_COLUMN(j, "caller", count, i, call_at(r.of, i)->caller);
        HTML_COLUMN(j, "callee", count, i, call_at(r.of, i)->callee);
    }
    write_sides(j, "old", "new", r, offsetof(html_call_change, incl));
    write_verdicts(j, "verdict", r, offsetof(html_call_change, verdict));
    write_sides(j, "old_calls", "new_calls", r, offsetof(html_call_change, calls));
    if (has_lines && r.less == NULL) {
        HTML_COLUMN(j, "file", count, i, call_at(r.of, i)->file);
        HTML_COLUMN(j, "line", count, i, call_at(r.of, i)->line);
        HTML_COLUMN(j, "old_line", count, i, call_at(r.of, i)->old_line);
    }
    html_json_close(j, '}');
}

static const html_text_change *text_at(const html_text_changes *texts, guint i)
{
    return &g_array_index(texts->files, html_text_change, i);
}

static const html_same_lines *run_at(const html_text_changes *texts, guint i)
{
    return &g_array_index(texts->runs, html_same_lines, i);
}

static void write_texts(html_json *j, const html_text_changes *texts)
{
    const guint count = texts->files->len, runs = texts->runs->len;
    html_json_open(j, "texts", '{');
    HTML_COLUMN(j, "file", count, i, text_at(texts, i)->file);
    HTML_COLUMN(j, "from", count, i, text_at(texts, i)->bytes > 0 ? (int64_t)text_at(texts, i)->from : -1);
    HTML_COLUMN(j, "bytes", count, i, (int64_t)text_at(texts, i)->bytes);
    HTML_COLUMN(j, "runs", count, i, text_at(texts, i)->run_count);
    HTML_COLUMN(j, "old_line", runs, i, run_at(texts, i)->old);
    HTML_COLUMN(j, "line", runs, i, (int64_t)run_at(texts, i)->new - run_at(texts, i)->old);
    HTML_COLUMN(j, "lines", runs, i, run_at(texts, i)->count);
    html_json_close(j, '}');
}

static const html_gone_sub *gone_at(const html_difference *d, guint i)
{
    return &g_array_index(d->old_subs->gone, html_gone_sub, i);
}

static void write_gone(html_json *j, const html_difference *d)
{
    const guint count = d->old_subs->gone->len;
    html_json_open(j, "gone", '{');
    HTML_COLUMN(j, "sub", count, i, gone_at(d, i)->sub);
    HTML_COLUMN(j, "first", count, i, gone_at(d, i)->first_line);
    HTML_COLUMN(j, "last", count, i, gone_at(d, i)->last_line);
    html_json_close(j, '}');
}

/* OLD's stacks and calls. */
static void write_old(html_json *j, const html_difference *d)
{
    const html_calls_as as = {d->old_subs->numbers, d->stack_scale, d->call_scale};
    html_stacks_write(d->old, &as, j);
    html_calls_write(d->old, &as, j);
    html_json_open(j, "processes", '{');
    html_processes_columns(d->old, j);
    html_json_close(j, '}');
}

static void write_inputs(html_json *j, const html_difference *d, enum nytp_side side)
{
    HTML_COLUMN_OF(html_json_clean, j, side == NYTP_OLD ? "old" : "new", (guint)d->sides[side].count, i,
                   d->sides[side].names[i]);
}

/* What the script needs to compare times: all or, with less, how much more they are than those. */
static void write_times(html_json *j, const html_changes *of, const html_changes *less)
{
    const html_changes none = {.subs = NULL}, *l = less != NULL ? less : &none;
    html_json_open(j, "whole", '{');
    html_json_real(j, "old", of->whole[NYTP_OLD] - l->whole[NYTP_OLD]);
    html_json_real(j, "new", of->whole[NYTP_NEW] - l->whole[NYTP_NEW]);
    html_json_int(j, "verdict", (int)of->verdict - (int)l->verdict);
    html_json_close(j, '}');
    write_changes(j, "subs", (rows){of->subs, l->subs}, true);
    write_changes(j, "files", (rows){of->files, l->files}, false);
    write_changes(j, "packages", (rows){of->packages, l->packages}, false);
    write_changes(j, "labels", (rows){of->labels, l->labels}, true);
    write_lines(j, (rows){of->lines, l->lines});
    write_calls(j, "pairs", (rows){of->pairs, l->pairs}, false);
    write_calls(j, "places", (rows){of->places, l->places}, true);
}

void html_changes_write(const html_difference *difference, html_json *json)
{
    const html_difference *d = difference;
    html_json_open(json, "difference", '{');
    write_inputs(json, d, NYTP_OLD);
    write_inputs(json, d, NYTP_NEW);
    HTML_COLUMN_OF(html_json_clean, json, "shown", NYTP_SIDES, side, d->shown[side]);
    html_json_bool(json, "by_share", d->by_share);
    write_times(json, &d->all, NULL);
    if (d->has_work) {
        html_json_open(json, "waited", '{');
        write_times(json, &d->all, &d->work);
        html_json_close(json, '}');
    }
    write_texts(json, d->texts);
    write_gone(json, d);
    write_old(json, d);
    html_json_close(json, '}');
}
