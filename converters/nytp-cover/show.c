#include "show.h"

#include "model/display.h"

#include <string.h>

cover_percent cover_percent_of(nytp_cover_count count)
{
    cover_percent percent = {"-"};
    if (count.all > 0)
        snprintf(percent.text, sizeof percent.text, "%u", (unsigned)(100 * count.seen / count.all));
    return percent;
}

nytp_cover_counts cover_totals_of(const GPtrArray *files, bool with_evals)
{
    nytp_cover_counts totals = {{{0, 0}}};
    for (guint i = 0; i < files->len; i++) {
        const nytp_cover_file *f = files->pdata[i];
        if (!f->is_eval || with_evals)
            nytp_cover_counts_add(&totals, &f->counts);
    }
    return totals;
}

/* ---- the table ---- */

static void add_row(nytp_table *t, const nytp_cover_counts *counts, const char *name)
{
    g_autofree char *shown = nytp_line_clean(name);
    for (guint criterion = 0; criterion < NYTP_COVER_CRITERIA; criterion++) {
        const nytp_cover_count count = counts->of[criterion];
        char text[64];
        snprintf(text, sizeof text, "%s%s", cover_percent_of(count).text, count.all > 0 ? " %" : "");
        nytp_table_text(t, text);
        snprintf(text, sizeof text, "%llu/%llu", (unsigned long long)count.seen,
                 (unsigned long long)count.all);
        nytp_table_text(t, text);
    }
    nytp_table_name(t, shown);
}

/* Writes a row for each file or for each string eval. */
static void write_rows(FILE *out, const GPtrArray *files, bool with_files, bool with_evals,
                       const nytp_look *look)
{
    static const nytp_column columns[] = {
        {.head = "lines"},
        {.head = "", .rank = 2},
        {.head = "branches", .rank = 1},
        {.head = "", .rank = 3},
        {.head = "conditions", .rank = 4},
        {.head = "", .rank = 5},
        {.head = "subs", .rank = 6},
        {.head = "", .rank = 7},
        {.head = "file", .kind = NYTP_COLUMN_NAME},
    };
    const nytp_cover_counts totals = cover_totals_of(files, with_evals);
    nytp_table *t = nytp_table_new(columns, G_N_ELEMENTS(columns), NYTP_TEXT, out);
    for (guint i = 0; i < files->len; i++) {
        const nytp_cover_file *f = files->pdata[i];
        if (f->is_eval ? with_evals : with_files)
            add_row(t, &f->counts, f->name);
    }
    if (with_files)
        add_row(t, &totals, "total");
    nytp_table_end(t, look);
}

void cover_show_table(FILE *out, const GPtrArray *files, bool with_evals, const nytp_look *look)
{
    write_rows(out, files, true, with_evals, look);
    const nytp_cover_file *last = files->len > 0 ? files->pdata[files->len - 1] : NULL;
    if (last == NULL || !last->is_eval || with_evals)
        return;
    fputs("\nString evals, by the line that runs them, not in the total:\n", out);
    write_rows(out, files, false, true, look);
}

/* ---- what has not run ---- */

/* What is missing of a file: parts with commas between them, or, with source, lines that show it. */
typedef struct list {
    FILE *out;
    bool begun;
    const char *name;    /* of the file */
    char *const *source; /* its lines; NULL: parts */
    guint source_lines;
} list;

static void begin_part(list *l)
{
    if (l->source != NULL)
        fprintf(l->out, "%s:", l->name);
    else
        fputs(l->begun ? ", " : "", l->out);
    l->begun = true;
}

static void end_part(list *l, uint32_t line)
{
    if (l->source == NULL)
        return;
    g_autofree char *text = nytp_line_clean(line <= l->source_lines ? g_strstrip(l->source[line - 1]) : "");
    fprintf(l->out, ": %s\n", text);
}

/* Writes the lines from `first` on that follow one another among those that can run. Returns how many these
 * are. */
static guint show_lines(list *l, const GArray *lines, guint first)
{
    guint count = 1;
    while (l->source == NULL && first + count < lines->len &&
           !g_array_index(lines, nytp_cover_line, first + count).ran)
        count++;
    const uint32_t from = g_array_index(lines, nytp_cover_line, first).line,
                   to = g_array_index(lines, nytp_cover_line, first + count - 1).line;
    begin_part(l);
    fprintf(l->out, from == to ? "%u" : "%u-%u", from, to);
    end_part(l, from);
    return count;
}

static bool has_run(const nytp_cover_file *f, uint32_t number)
{
    const nytp_cover_line *line = nytp_cover_line_at(f, number);
    return line != NULL && line->ran;
}

/* Writes the place of a branch, and what it lacks. nth: which it is of several on the line; 0: the only one.
 */
static void show_lack(list *l, const nytp_cover_branch *b, guint nth, const char *lacks)
{
    begin_part(l);
    fprintf(l->out, "%u", b->line);
    if (nth > 0)
        fprintf(l->out, ":%u", nth);
    fputs(lacks, l->out);
    end_part(l, b->line);
}

/* Writes what a branch of a line that has run has not done, and which values its right operand did not have.
 */
static void show_branch(list *l, const nytp_cover_branch *b, guint nth)
{
    static const char *const ways[] = {NULL, "->T", "->F", "->TF"}, *const values[] = {NULL, " right->T",
                                                                                       " right->F",
                                                                                       " right->TF"};
    const uint32_t lacks = ~(b->seen | b->excused), way = lacks & NYTP_COVER_BOTH_WAYS,
                   value = b->has_values ? lacks & NYTP_COVER_BOTH_VALUES : 0;
    if (way != 0)
        show_lack(l, b, nth, ways[way]);
    if (value != 0 && (b->seen & NYTP_COVER_RAN) != 0)
        show_lack(l, b, nth, values[value / NYTP_COVER_TRUE]);
}

static guint on_line(const GArray *branches, guint first)
{
    guint count = 0;
    while (first + count < branches->len && g_array_index(branches, nytp_cover_branch, first + count).line ==
                                                g_array_index(branches, nytp_cover_branch, first).line)
        count++;
    return count;
}

/* Writes those of the lines up to `line`, which have run. Returns the number of the first one after them. */
static guint show_branches(list *l, const nytp_cover_file *f, guint next, uint32_t line)
{
    while (next < f->branches->len && g_array_index(f->branches, nytp_cover_branch, next).line <= line) {
        const guint count = on_line(f->branches, next);
        for (guint i = 0; i < count; i++) {
            const nytp_cover_branch *b = &g_array_index(f->branches, nytp_cover_branch, next + i);
            if (has_run(f, b->line))
                show_branch(l, b, count > 1 ? i + 1 : 0);
        }
        next += count;
    }
    return next;
}

static bool is_complete(const nytp_cover_file *f)
{
    for (guint criterion = 0; criterion < NYTP_COVER_SUBS; criterion++)
        if (f->counts.of[criterion].seen < f->counts.of[criterion].all)
            return false;
    return true;
}

/* Writes what is missing, by line. */
static void show_parts(list *l, const nytp_cover_file *f)
{
    guint next = 0;
    for (guint i = 0; i < f->lines->len;) {
        const nytp_cover_line *line = &g_array_index(f->lines, nytp_cover_line, i);
        next = show_branches(l, f, next, line->ran ? line->line : line->line - 1);
        i += line->ran ? 1 : show_lines(l, f->lines, i);
    }
    show_branches(l, f, next, UINT32_MAX);
}

static void show_missing_of(FILE *out, const nytp_cover_file *f)
{
    list l = {.out = out};
    g_autofree char *name = nytp_line_clean(f->name);
    fprintf(out, "%s  %s %%  ", name, cover_percent_of(f->counts.of[NYTP_COVER_LINES]).text);
    show_parts(&l, f);
    putc('\n', out);
}

/* A file that is gone has no text. */
static void show_lines_of(FILE *out, const nytp_cover_file *f)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents(f->path, &text, NULL, NULL))
        text = g_strdup("");
    g_auto(GStrv) source = g_strsplit(text, "\n", -1);
    g_autofree char *name = nytp_line_clean(f->name);
    list l = {.out = out, .name = name, .source = source, .source_lines = g_strv_length(source)};
    show_parts(&l, f);
}

/* Calls show() for each file of which a part has not run. */
static void show_incomplete(FILE *out, const GPtrArray *files, bool with_evals,
                            void (*show)(FILE *, const nytp_cover_file *))
{
    for (guint i = 0; i < files->len; i++) {
        const nytp_cover_file *f = files->pdata[i];
        if ((!f->is_eval || with_evals) && !is_complete(f))
            show(out, f);
    }
}

void cover_show_missing(FILE *out, const GPtrArray *files, bool with_evals)
{
    show_incomplete(out, files, with_evals, show_missing_of);
}

void cover_show_lines(FILE *out, const GPtrArray *files, bool with_evals)
{
    show_incomplete(out, files, with_evals, show_lines_of);
}
