#include "view.h"

#include "base/str.h"
#include "model/display.h"

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const sorts[] = {[TOP_RECENT_SELF] = "self, last seconds",
                                    [TOP_RECENT_INCL] = "inclusive, last seconds",
                                    [TOP_SELF] = "self",
                                    [TOP_INCL] = "inclusive",
                                    [TOP_NAME] = "name"};

static const char help_text[] =
    "1 2 3 4, Tab  subs, lines, packages, calls\n"
    "Enter         callers, callees and lines of the selected sub; Esc, Left: back\n"
    "s i S I n     sort: self and inclusive, last seconds or since the start; name\n"
    "F6, > and <   the next order, and the one before it\n"
    "F4, \\ or /    filter: only names with this text; Enter ends it, Esc drops it\n"
    "w             all time, or only that of work: on a processor\n"
    "k             the current stack, or the table\n"
    "Z, Space      stop, go on\n"
    "r             begin again: the start is now\n"
    "W             save all rows in the file nytp-top.txt\n"
    "arrows, PgUp, PgDn, Home, End    select a row\n"
    "q, F10        quit\n"
    "any key       back from this page\n";

/* Frees the table. */
static void add_table(const top_view *v, nytp_table *t, GPtrArray *to)
{
    g_autofree char **lines = nytp_table_lines(t, &v->look);
    for (char **l = lines; *l != NULL; l++)
        g_ptr_array_add(to, *l);
    nytp_table_end(t, NULL);
}

static char **lines_of(GPtrArray *lines)
{
    g_ptr_array_add(lines, NULL);
    return (char **)g_ptr_array_free(lines, FALSE);
}

static void add_name(nytp_table *t, const char *name)
{
    char *shown = nytp_line_clean(name);
    nytp_table_name(t, shown);
    free(shown);
}

static enum top_by shown_by(const top_view *v)
{
    return v->of[0] != '\0' ? TOP_CALLS : v->by;
}

/* Lines that may contain names and messages. */
static void add_header(const top_view *v, const top_tables *t, double seconds, GPtrArray *to)
{
    char text[512];
    snprintf(text, sizeof text, "nytp-top: %s, %.0f s%s%s%s", v->source, seconds,
             v->paused ? ", stopped" : "", v->note != NULL ? ": " : "", v->note != NULL ? v->note : "");
    g_ptr_array_add(to, nytp_line_clean(text));
    const top_counts *counts = t->of[shown_by(v)];
    const char *filter = v->of[0] == '\0' ? v->filter : "";
    const double all_s = top_counts_total_s(counts, TOP_ALL);
    char work[24] = "";
    if (v->has_both && v->time == TOP_ALL && all_s > 0)
        snprintf(work, sizeof work, " (%.0f %% work)", top_counts_total_s(counts, TOP_WORK) / all_s * 100);
    snprintf(text, sizeof text, "%s%s%s by %s%s%s; %.1f s %s%s, %.1f s in the last %d s",
             top_kinds[shown_by(v)], v->of[0] != '\0' ? " of " : "", v->of, sorts[v->sort],
             *filter != '\0' ? ", filter: " : "", filter, top_counts_total_s(counts, v->time),
             v->counted[v->time], work, top_counts_recent_s(counts, v->time), TOP_RECENT_S);
    g_ptr_array_add(to, nytp_line_clean(text));
}

static size_t clamped(size_t first, size_t count, size_t rows)
{
    return MIN(first, count > rows ? count - rows : 0);
}

static void add_help(size_t rows, GPtrArray *to)
{
    g_auto(GStrv) lines = g_strsplit(help_text, "\n", -1);
    for (size_t n = 0; n < rows && lines[n] != NULL; n++)
        g_ptr_array_add(to, g_strdup(lines[n]));
}

/* Calls and their places. */
static void add_stack(top_view *v, const char *text, size_t rows, GPtrArray *to)
{
    static const nytp_column columns[] = {{.head = "", .kind = NYTP_COLUMN_NAME},
                                          {.head = "", .kind = NYTP_COLUMN_NAME}};
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    const size_t count = g_strv_length(lines) - 1; /* the last line ends, too */
    nytp_table *t = nytp_table_new(columns, G_N_ELEMENTS(columns), NYTP_TEXT, NULL);
    v->first = clamped(v->first, count, rows);
    for (size_t n = v->first; n < count && n - v->first < rows; n++) {
        char *place = g_strrstr(lines[n], "  ");
        const char *const of = place != NULL ? place + 2 : "";
        if (place != NULL)
            *place = '\0';
        add_name(t, lines[n]);
        add_name(t, of);
    }
    add_table(v, t, to);
}

/* What the other name of a row of TOP_CALLS is to a sub. */
enum relation { CALLER, CALLEE, LINE, RELATIONS };

/* Returns RELATIONS if the row is not of the sub. Sets *other to the other name, which is a part of the row,
 * and *place to where it is called; of a line both are the line. */
static enum relation relation_of(const char *row, const char *sub, nytp_str *other, const char **place)
{
    const char *end = g_strrstr(row, TOP_AT);
    const size_t length = strlen(sub), arrow = strlen(TOP_ARROW), all = end != NULL ? (size_t)(end - row) : 0;
    *place = end != NULL ? end + strlen(TOP_AT) : "";
    if (all == length && memcmp(row, sub, length) == 0) {
        *other = nytp_str_of(*place);
        return LINE;
    }
    if (all <= length + arrow)
        return RELATIONS;
    if (memcmp(row, sub, length) == 0 && memcmp(row + length, TOP_ARROW, arrow) == 0) {
        *other = (nytp_str){row + length + arrow, all - length - arrow, false};
        return CALLEE;
    }
    *other = (nytp_str){row, all - length - arrow, false};
    return memcmp(end - length, sub, length) == 0 && memcmp(row + other->length, TOP_ARROW, arrow) == 0
               ? CALLER
               : RELATIONS;
}

/* Leaves the rows of calls of a sub, by it, or of its lines. Returns how many these are. */
static size_t keep_those_of(const char *sub, top_row *rows, size_t count)
{
    size_t kept = 0;
    nytp_str other;
    const char *place;
    for (size_t n = 0; n < count; n++)
        if (relation_of(rows[n].name, sub, &other, &place) != RELATIONS)
            rows[kept++] = rows[n];
    return kept;
}

/* Moves the selection, which stays with its name while the order changes, and scrolls to it. Returns its row,
 * or count if there is none. */
static size_t select_row(top_view *v, const top_row *rows, size_t count, size_t shown)
{
    size_t at = 0;
    while (at < count && strncmp(rows[at].name, v->selected, sizeof v->selected - 1) != 0)
        at++;
    v->first = clamped(v->first, count, shown);
    if (count == 0 || (at == count && v->move == 0))
        return count;
    const long from = at < count ? (long)at : (long)v->first - (v->move > 0);
    at = (size_t)CLAMP(from + v->move, 0, (long)count - 1);
    v->move = 0;
    v->first = MIN(v->first, at);
    v->first = at >= v->first + shown ? at - shown + 1 : v->first;
    g_strlcpy(v->selected, rows[at].name, sizeof v->selected);
    return at;
}

/* Whether the selected sub takes the place of the table now. */
static bool opened(top_view *v)
{
    const bool opens = v->opens && v->by == TOP_SUBS && v->selected[0] != '\0' && v->of[0] == '\0';
    v->opens = false;
    if (!opens)
        return false;
    memcpy(v->of, v->selected, sizeof v->of);
    v->selected[0] = '\0';
    v->first = 0;
    return true;
}

/* Returns the rows of the table, for the caller to g_free(), with the selection where keys have moved it. */
static top_row *rows_of(top_view *v, const top_tables *t, size_t shown, size_t *count, size_t *selected)
{
    const bool is_of = v->of[0] != '\0';
    top_row *rows = top_counts_rows(t->of[shown_by(v)], v->time, v->sort, is_of ? "" : v->filter, count);
    if (is_of)
        *count = keep_those_of(v->of, rows, *count);
    *selected = select_row(v, rows, *count, shown);
    if (!opened(v))
        return rows;
    g_free(rows);
    return rows_of(v, t, shown, count, selected);
}

static bool is_of_last_seconds(const top_view *v)
{
    return v->sort != TOP_SELF && v->sort != TOP_INCL;
}

/* On a narrow terminal, names are more useful than the times that the rows are not sorted by. */
static void add_rows(top_view *v, const top_row *sorted, size_t count, size_t selected, size_t rows,
                     GPtrArray *to)
{
    enum { SHARE = 6, SECONDS = 8 };
    const bool is_recent = is_of_last_seconds(v);
    const unsigned recent = is_recent ? 0 : 2, all = is_recent ? 2 : 0;
    const nytp_column columns[] = {{.head = "self%", .width = SHARE, .rank = recent},
                                   {.head = "incl%", .width = SHARE, .rank = recent + 1},
                                   {.head = "SELF%", .width = SHARE, .rank = all},
                                   {.head = "INCL%", .width = SHARE, .rank = all + 1},
                                   {.head = "SELF s", .width = SECONDS, .rank = 4},
                                   {.head = "NAME", .kind = NYTP_COLUMN_NAME}};
    v->marked = selected < count ? (int)(to->len + 1 + selected - v->first) : 0;
    nytp_table *shown = nytp_table_new(columns, G_N_ELEMENTS(columns), NYTP_TEXT, NULL);
    for (size_t n = v->first; n < count && n - v->first < rows; n++) {
        const double shares[] = {sorted[n].recent_self, sorted[n].recent_incl, sorted[n].self,
                                 sorted[n].incl};
        for (size_t c = 0; c < G_N_ELEMENTS(shares); c++)
            nytp_table_number(shown, NULL, shares[c] * 100, 1);
        nytp_table_number(shown, NULL, sorted[n].self_s, 2);
        add_name(shown, sorted[n].name);
    }
    add_table(v, shown, to);
}

char **top_view_lines(top_view *v, const top_tables *t, double seconds, size_t rows)
{
    GPtrArray *lines = g_ptr_array_new();
    size_t count = 0, selected = 0;
    g_autofree top_row *sorted = !v->help && !v->stack ? rows_of(v, t, rows, &count, &selected) : NULL;
    add_header(v, t, seconds, lines);
    if (v->help)
        add_help(rows, lines);
    else if (v->stack)
        add_stack(v, t->stack != NULL ? t->stack : "a profile does not have the current stack\n", rows,
                  lines);
    else
        add_rows(v, sorted, count, selected, rows, lines);
    return lines_of(lines);
}

size_t top_view_pane_rows(const top_view *v, size_t rows)
{
    enum { LEAST = 16 }; /* of all rows */
    const bool is_table = !v->help && !v->stack && v->of[0] == '\0' && v->by == TOP_SUBS;
    return is_table && rows >= LEAST && (v->selected[0] != '\0' || v->move != 0) ? 1 + 2 * RELATIONS : 0;
}

/* Returns "-- NAME -----", for g_free(). */
static char *heading_of(const top_view *v)
{
    enum { AROUND = 8 };
    const char *dash = v->look.is_ascii ? "-" : "\xe2\x94\x80";
    g_autofree char *clean = nytp_line_clean(v->selected),
                    *name = nytp_fit(clean, v->look.columns - MIN(v->look.columns, AROUND), v->look.is_ascii);
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%s%s %s ", dash, dash, name);
    for (size_t used = nytp_columns_of(text->str); used < v->look.columns; used++)
        g_string_append(text, dash);
    return g_string_free(text, FALSE);
}

char **top_view_pane(const top_view *v, const top_tables *t)
{
    enum { MOST = 2 /* of a relation */, SHARE = 6, WORDS = 9 };
    static const char *const words[RELATIONS] = {[CALLER] = "called by", [CALLEE] = "calls", [LINE] = "line"};
    static const nytp_column columns[] = {{.head = "", .width = SHARE},
                                          {.head = "", .kind = NYTP_COLUMN_WORDS, .width = WORDS},
                                          {.head = "", .kind = NYTP_COLUMN_NAME},
                                          {.head = "", .kind = NYTP_COLUMN_WORDS, .rank = 1}};
    const bool is_recent = is_of_last_seconds(v);
    size_t count, shown[RELATIONS] = {0};
    g_autofree top_row *rows =
        top_counts_rows(t->of[TOP_CALLS], v->time, is_recent ? TOP_RECENT_INCL : TOP_INCL, "", &count);
    nytp_table *pane = nytp_table_new(columns, G_N_ELEMENTS(columns), NYTP_TEXT, NULL);
    count = keep_those_of(v->selected, rows, count);
    for (enum relation relation = CALLER; relation < RELATIONS; relation++)
        for (size_t n = 0; n < count && shown[relation] < MOST; n++) {
            nytp_str other;
            const char *place;
            if (relation_of(rows[n].name, v->selected, &other, &place) != relation)
                continue;
            g_autofree char *name = g_strndup(other.bytes, other.length), *file = g_path_get_basename(place);
            nytp_table_number(pane, NULL, (is_recent ? rows[n].recent_incl : rows[n].incl) * 100, 1);
            nytp_table_text(pane, words[relation]);
            add_name(pane, name);
            nytp_table_text(pane, relation != LINE ? file : "");
            shown[relation]++;
        }
    GPtrArray *lines = g_ptr_array_new();
    if (count > 0)
        g_ptr_array_add(lines, heading_of(v));
    add_table(v, pane, lines);
    return lines_of(lines);
}

void top_view_close(top_view *v)
{
    if (v->of[0] != '\0')
        memcpy(v->selected, v->of, sizeof v->selected);
    v->of[0] = '\0';
}

static void choose(top_view *v, enum top_by by)
{
    v->of[0] = v->selected[0] = '\0';
    v->by = by;
    v->first = 0;
    v->stack = false;
}

static void sort_by(top_view *v, enum top_sort sort)
{
    v->sort = sort;
    v->first = 0;
}

bool top_view_key(top_view *v, int key)
{
    if (v->help) {
        v->help = false;
        return true;
    }
    static const char orders[] = {[TOP_RECENT_SELF] = 's',
                                  [TOP_RECENT_INCL] = 'i',
                                  [TOP_SELF] = 'S',
                                  [TOP_INCL] = 'I',
                                  [TOP_NAME] = 'n'};
    const char *order = key < 0x80 ? memchr(orders, key, sizeof orders) : NULL;
    if (order != NULL)
        sort_by(v, (enum top_sort)(order - orders));
    switch (key) {
    case 'q': return false;
    case '1':
    case '2':
    case '3':
    case '4': choose(v, (enum top_by)(key - '1')); break;
    case '\t': choose(v, (v->by + 1) % TOP_KINDS); break;
    case '>': sort_by(v, (v->sort + 1) % sizeof orders); break;
    case '<': sort_by(v, (v->sort + TOP_NAME) % sizeof orders); break;
    case 'k':
        v->stack = !v->stack;
        v->first = 0;
        break;
    case 'Z':
    case ' ': v->paused = !v->paused; break;
    case 'w': v->time = v->has_both && v->time == TOP_ALL ? TOP_WORK : TOP_ALL; break;
    case 'W': v->saves = true; break;
    case 'r': v->restarts = true; break;
    case 'h':
    case '?': v->help = true; break;
    default: break;
    }
    return true;
}
