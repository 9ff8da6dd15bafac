#include "../core.h"

#include "base/ticks.h"
#include "../overview.h"

static const html_change *change_at(const GArray *changes, guint i)
{
    return &g_array_index(changes, html_change, i);
}

static void write_values(html_json *j, const GArray *changes, enum html_changed what)
{
    static const char *const old[] = {"old", "old_incl", "old_calls"},
                             *const new[] = {"new", "new_incl", "new_calls"},
                             *const verdict[] = {"verdict", "verdict_incl", "verdict_calls"};
    HTML_COLUMN(j, old[what], changes->len, i,
                nytp_whole_ticks(change_at(changes, i)->value[what][NYTP_OLD]));
    HTML_COLUMN(j, new[what], changes->len, i,
                nytp_whole_ticks(change_at(changes, i)->value[what][NYTP_NEW]));
    HTML_COLUMN(j, verdict[what], changes->len, i, change_at(changes, i)->verdict[what]);
}

static void write_changes(html_json *j, const char *key, const GArray *changes, bool has_incl)
{
    html_json_open(j, key, '{');
    HTML_COLUMN(j, "number", changes->len, i, change_at(changes, i)->number);
    HTML_COLUMN_OF(html_json_text, j, "name", changes->len, i,
                   change_at(changes, i)->name != NULL ? change_at(changes, i)->name : "");
    for (enum html_changed what = HTML_SELF; what < HTML_CHANGED; what++)
        if (what != HTML_INCL || has_incl)
            write_values(j, changes, what);
    html_json_close(j, '}');
}

static const html_line_change *line_at(const html_difference *d, guint i)
{
    return &g_array_index(d->lines, html_line_change, i);
}

static void write_lines(html_json *j, const html_difference *d)
{
    const guint count = d->lines->len;
    html_json_open(j, "lines", '{');
    HTML_COLUMN(j, "file", count, i, line_at(d, i)->file - (i > 0 ? line_at(d, i - 1)->file : 0));
    HTML_COLUMN(j, "line", count, i, line_at(d, i)->line);
    HTML_COLUMN(j, "old_line", count, i, (int64_t)line_at(d, i)->old_line - line_at(d, i)->line);
    HTML_COLUMN(j, "old", count, i, nytp_whole_ticks(line_at(d, i)->value[NYTP_OLD]));
    HTML_COLUMN(j, "new", count, i, nytp_whole_ticks(line_at(d, i)->value[NYTP_NEW]));
    HTML_COLUMN(j, "verdict", count, i, line_at(d, i)->verdict);
    html_json_close(j, '}');
}

static const html_call_change *call_at(const GArray *changes, guint i)
{
    return &g_array_index(changes, html_call_change, i);
}

static void write_calls(html_json *j, const char *key, const GArray *changes, bool has_lines)
{
    const guint count = changes->len;
    html_json_open(j, key, '{');
    HTML_COLUMN(j, "caller", count, i, call_at(changes, i)->caller);
    HTML_COLUMN(j, "callee", count, i, call_at(changes, i)->callee);
    HTML_COLUMN(j, "old", count, i, nytp_whole_ticks(call_at(changes, i)->incl[NYTP_OLD]));
    HTML_COLUMN(j, "new", count, i, nytp_whole_ticks(call_at(changes, i)->incl[NYTP_NEW]));
    HTML_COLUMN(j, "verdict", count, i, call_at(changes, i)->verdict);
    HTML_COLUMN(j, "old_calls", count, i, nytp_whole_ticks(call_at(changes, i)->calls[NYTP_OLD]));
    HTML_COLUMN(j, "new_calls", count, i, nytp_whole_ticks(call_at(changes, i)->calls[NYTP_NEW]));
    if (has_lines) {
        HTML_COLUMN(j, "file", count, i, call_at(changes, i)->file);
        HTML_COLUMN(j, "line", count, i, call_at(changes, i)->line);
        HTML_COLUMN(j, "old_line", count, i, call_at(changes, i)->old_line);
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

void html_changes_write(const html_difference *difference, html_json *json)
{
    const html_difference *d = difference;
    html_json_open(json, "difference", '{');
    write_inputs(json, d, NYTP_OLD);
    write_inputs(json, d, NYTP_NEW);
    HTML_COLUMN_OF(html_json_clean, json, "shown", NYTP_SIDES, side, d->shown[side]);
    html_json_bool(json, "by_share", d->by_share);
    html_json_open(json, "whole", '{');
    html_json_real(json, "old", d->whole[NYTP_OLD]);
    html_json_real(json, "new", d->whole[NYTP_NEW]);
    html_json_int(json, "verdict", d->verdict);
    html_json_close(json, '}');
    write_changes(json, "subs", d->subs, true);
    write_changes(json, "files", d->files, false);
    write_changes(json, "packages", d->packages, false);
    write_changes(json, "labels", d->labels, true);
    write_lines(json, d);
    write_calls(json, "pairs", d->pairs, false);
    write_calls(json, "places", d->places, true);
    write_texts(json, d->texts);
    write_gone(json, d);
    write_old(json, d);
    html_json_close(json, '}');
}
