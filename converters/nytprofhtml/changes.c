#include "changes.h"

#include "base/ticks.h"
#include "calls.h"
#include "text.h"

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
    html_json_open(j, "name", '[');
    for (guint i = 0; i < changes->len; i++)
        html_json_text(j, NULL, change_at(changes, i)->name != NULL ? change_at(changes, i)->name : "");
    html_json_close(j, ']');
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
    html_json_open(j, "text", '[');
    for (guint i = 0; i < count; i++)
        if (line_at(d, i)->line == 0)
            html_json_text(j, NULL, html_difference_old_text(d, line_at(d, i)));
    html_json_close(j, ']');
    html_json_close(j, '}');
}

static void write_inputs(html_json *j, const html_difference *d, enum nytp_side side)
{
    html_json_open(j, side == NYTP_OLD ? "old" : "new", '[');
    for (int i = 0; i < d->sides[side].count; i++) {
        char *name = html_text_clean(d->sides[side].names[i]);
        html_json_text(j, NULL, name);
        g_free(name);
    }
    html_json_close(j, ']');
}

void html_changes_write(const html_difference *difference, html_json *json)
{
    const html_difference *d = difference;
    html_json_open(json, "difference", '{');
    write_inputs(json, d, NYTP_OLD);
    write_inputs(json, d, NYTP_NEW);
    html_json_bool(json, "by_share", d->by_share);
    html_json_open(json, "whole", '{');
    html_json_real(json, "old", d->whole[NYTP_OLD]);
    html_json_real(json, "new", d->whole[NYTP_NEW]);
    html_json_int(json, "verdict", d->verdict);
    html_json_close(json, '}');
    write_changes(json, "subs", d->subs, true);
    write_changes(json, "files", d->files, false);
    write_lines(json, d);
    html_stacks_write(d->old_stacks, json);
    html_json_close(json, '}');
}
