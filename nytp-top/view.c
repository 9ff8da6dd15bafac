#include "view.h"

#include "model/display.h"

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const kinds[TOP_KINDS] = {
    [TOP_SUBS] = "subs", [TOP_LINES] = "lines", [TOP_PACKAGES] = "packages"};
static const char *const sorts[] = {[TOP_RECENT_SELF] = "self, last seconds",
                                    [TOP_RECENT_INCL] = "inclusive, last seconds",
                                    [TOP_SELF] = "self",
                                    [TOP_INCL] = "inclusive",
                                    [TOP_NAME] = "name"};

static const char help_text[] =
    "1 2 3, Tab    subs, lines, packages\n"
    "s i S I n     sort: self and inclusive, last seconds or since the start; name\n"
    "F6, >         the next order\n"
    "F4, \\ or /    filter: only names with this text; Enter ends it, Esc drops it\n"
    "k             the current stack, or the table\n"
    "Z, Space      stop, go on\n"
    "arrows, PgUp, PgDn, Home    scroll\n"
    "q, F10        quit\n"
    "any key       back from this page\n";

/* A line may contain names and messages. */
static void show(top_line_fn *line, void *context, int at, const char *text)
{
    char *shown = nytp_line_clean(text);
    line(context, at, shown);
    free(shown);
}

static void show_call(const top_view *v, top_line_fn *line, void *context, int at, const char *text)
{
    char *shown = nytp_line_clean(text);
    g_autofree char *fits = v->columns > 0 ? top_shorten_call(shown, v->columns) : g_strdup(shown);
    line(context, at, fits);
    free(shown);
}

static int header(const top_view *v, const top_tables *t, double seconds, top_line_fn *line, void *context)
{
    char text[512];
    snprintf(text, sizeof text, "nytp-top: %s, %.0f s%s%s%s", v->source, seconds,
             v->paused ? ", stopped" : "", v->note != NULL ? ": " : "", v->note != NULL ? v->note : "");
    show(line, context, 0, text);
    snprintf(text, sizeof text, "%s by %s%s%s; %.1f s %s, %.1f s in the last %d s", kinds[v->by],
             sorts[v->sort], v->filter[0] != '\0' ? ", filter: " : "", v->filter,
             top_counts_total_s(t->of[v->by]), v->counted, top_counts_recent_s(t->of[v->by]), TOP_RECENT_S);
    show(line, context, 1, text);
    return 2;
}

static size_t clamped(size_t first, size_t count, size_t rows)
{
    return MIN(first, count > rows ? count - rows : 0);
}

static void help_page(size_t rows, int at, top_line_fn *line, void *context)
{
    g_auto(GStrv) lines = g_strsplit(help_text, "\n", -1);
    for (size_t n = 0; n < rows && lines[n] != NULL; n++)
        line(context, at++, lines[n]);
}

/* Rows of the lines of the stack. */
static void stack_page(top_view *v, const char *text, size_t rows, int at, top_line_fn *line, void *context)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    size_t count = g_strv_length(lines) - 1; /* the last line ends, too */
    v->first = clamped(v->first, count, rows);
    for (size_t n = v->first; n < count && n - v->first < rows; n++)
        show_call(v, line, context, at++, lines[n]);
}

enum { NUMBERS = 40, FEW_NUMBERS = 15 /* columns before the name */, NAMES = 20 /* at least */ };

/* On a narrow terminal, names are more useful than half of the numbers. */
static bool is_narrow(const top_view *v)
{
    return v->columns > 0 && v->columns < NUMBERS + NAMES;
}

static char *numbers_of(const top_view *v, const top_row *row)
{
    const bool since_start = v->sort == TOP_SELF || v->sort == TOP_INCL;
    if (!is_narrow(v))
        return g_strdup_printf("%6.1f %6.1f  %6.1f  %6.1f %8.2f  ", row->recent_self * 100,
                               row->recent_incl * 100, row->self * 100, row->incl * 100, row->self_s);
    return g_strdup_printf("%6.1f %6.1f  ", (since_start ? row->self : row->recent_self) * 100,
                           (since_start ? row->incl : row->recent_incl) * 100);
}

static const char *head_of(const top_view *v)
{
    if (!is_narrow(v))
        return " self%  incl%   SELF%   INCL%   SELF s  NAME";
    return v->sort == TOP_SELF || v->sort == TOP_INCL ? " SELF%  INCL%  NAME" : " self%  incl%  NAME";
}

static void table(top_view *v, const top_tables *t, size_t rows, int at, top_line_fn *line, void *context)
{
    size_t count;
    g_autofree top_row *all = top_counts_rows(t->of[v->by], v->sort, v->filter, &count);
    const size_t numbers = is_narrow(v) ? FEW_NUMBERS : NUMBERS;
    v->first = clamped(v->first, count, rows);
    line(context, at++, head_of(v));
    for (size_t n = v->first; n < count && n - v->first < rows; n++) {
        g_autofree char *name = v->columns > 0
                                    ? top_shorten(all[n].name, v->columns - MIN(v->columns, numbers))
                                    : g_strdup(all[n].name);
        g_autofree char *before = numbers_of(v, &all[n]);
        g_autofree char *text = g_strconcat(before, name, NULL);
        show(line, context, at++, text);
    }
}

void top_view_lines(top_view *v, const top_tables *t, double seconds, size_t rows, top_line_fn *line,
                    void *context)
{
    int at = header(v, t, seconds, line, context);
    if (v->help)
        help_page(rows, at, line, context);
    else if (v->stack)
        stack_page(v, t->stack != NULL ? t->stack : "a profile does not have the current stack\n", rows, at,
                   line, context);
    else
        table(v, t, rows, at, line, context);
}

static void choose(top_view *v, enum top_by by)
{
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
    switch (key) {
    case 'q': return false;
    case '1':
    case '2':
    case '3': choose(v, (enum top_by)(key - '1')); break;
    case '\t': choose(v, (v->by + 1) % TOP_KINDS); break;
    case 's': sort_by(v, TOP_RECENT_SELF); break;
    case 'i': sort_by(v, TOP_RECENT_INCL); break;
    case 'S': sort_by(v, TOP_SELF); break;
    case 'I': sort_by(v, TOP_INCL); break;
    case 'n': sort_by(v, TOP_NAME); break;
    case '>': sort_by(v, (v->sort + 1) % (TOP_NAME + 1)); break;
    case 'k':
        v->stack = !v->stack;
        v->first = 0;
        break;
    case 'Z':
    case ' ': v->paused = !v->paused; break;
    case 'h':
    case '?': v->help = true; break;
    default: break;
    }
    return true;
}
