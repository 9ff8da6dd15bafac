#include "show.h"

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
    nytp_cover_counts totals = {.lines = {0, 0}};
    for (guint i = 0; i < files->len; i++) {
        const nytp_cover_file *f = files->pdata[i];
        if (!f->is_eval || with_evals)
            nytp_cover_counts_add(&totals, &f->counts);
    }
    return totals;
}

/* ---- the table ---- */

typedef struct columns {
    int seen, all; /* digits of the largest counts */
} columns;

static int digits(uint64_t number)
{
    return snprintf(NULL, 0, "%llu", (unsigned long long)number);
}

static void widen(columns *c, nytp_cover_count count)
{
    const int seen = digits(count.seen), all = digits(count.all);
    c->seen = seen > c->seen ? seen : c->seen;
    c->all = all > c->all ? all : c->all;
}

enum { LINES, BRANCHES, CONDITIONS, SUBS, KINDS };
static const char *const heads[KINDS] = {"lines", "branches", "conditions", "subs"};

/* Sets the counts to those of the kinds. */
static void list_counts(nytp_cover_count list[KINDS], const nytp_cover_counts *totals)
{
    list[LINES] = totals->lines;
    list[BRANCHES] = totals->branches;
    list[CONDITIONS] = totals->conditions;
    list[SUBS] = totals->subs;
}

static int width_of(const columns *c, int kind)
{
    const int width = (int)strlen("100 %  /") + c->seen + c->all, head = (int)strlen(heads[kind]);
    return width > head ? width : head;
}

static void show_count(FILE *out, const columns *c, int kind, nytp_cover_count count)
{
    const cover_percent percent = cover_percent_of(count);
    const int written = fprintf(out, "%3s %s  %*llu/%-*llu", percent.text, count.all > 0 ? "%" : " ", c->seen,
                                (unsigned long long)count.seen, c->all, (unsigned long long)count.all);
    fprintf(out, "%*s   ", width_of(c, kind) - written, "");
}

/* Names are those of files, which may have any bytes: control characters would change the terminal. */
static void show_name(FILE *out, const char *name)
{
    for (; *name != '\0'; name++)
        if ((unsigned char)*name < ' ' || *name == 0x7F)
            fprintf(out, "\\x%02x", (unsigned)(unsigned char)*name);
        else
            putc(*name, out);
}

static void show_row(FILE *out, const columns c[KINDS], const nytp_cover_counts *counts, const char *name)
{
    nytp_cover_count list[KINDS];
    list_counts(list, counts);
    for (int kind = 0; kind < KINDS; kind++)
        show_count(out, &c[kind], kind, list[kind]);
    show_name(out, name);
    putc('\n', out);
}

static void show_file(FILE *out, const columns c[KINDS], const nytp_cover_file *f)
{
    show_row(out, c, &f->counts, f->name);
}

void cover_show_table(FILE *out, const GPtrArray *files, bool with_evals)
{
    const nytp_cover_counts totals = cover_totals_of(files, with_evals), all = cover_totals_of(files, true);
    columns c[KINDS] = {{0}};
    bool has_evals = false;
    nytp_cover_count list[KINDS];
    list_counts(list, &all);
    for (int kind = 0; kind < KINDS; kind++) {
        widen(&c[kind], list[kind]);
        fprintf(out, "%-*s   ", width_of(&c[kind], kind), heads[kind]);
    }
    fputs("file\n", out);
    for (guint i = 0; i < files->len; i++) {
        const nytp_cover_file *f = files->pdata[i];
        has_evals |= f->is_eval;
        if (!f->is_eval || with_evals)
            show_file(out, c, f);
    }
    show_row(out, c, &totals, "total");
    if (!has_evals || with_evals)
        return;
    fputs("\nString evals, by the line that runs them, not in the total:\n", out);
    for (guint i = 0; i < files->len; i++)
        if (((const nytp_cover_file *)files->pdata[i])->is_eval)
            show_file(out, c, files->pdata[i]);
}

/* ---- what has not run ---- */

/* What is missing of a file: parts with commas between them, or, with source, lines that show it. */
typedef struct list {
    FILE *out;
    bool begun;
    const nytp_cover_file *file;
    char *const *source; /* its lines; NULL: parts */
    guint source_lines;
} list;

static void begin_part(list *l)
{
    if (l->source != NULL) {
        show_name(l->out, l->file->name);
        putc(':', l->out);
    } else {
        fputs(l->begun ? ", " : "", l->out);
    }
    l->begun = true;
}

static void end_part(list *l, uint32_t line)
{
    if (l->source == NULL)
        return;
    fputs(": ", l->out);
    if (line <= l->source_lines)
        show_name(l->out, g_strstrip(l->source[line - 1]));
    putc('\n', l->out);
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
    const nytp_cover_counts *c = &f->counts;
    return c->lines.seen == c->lines.all && c->branches.seen == c->branches.all &&
           c->conditions.seen == c->conditions.all;
}

/* Writes what is missing, by line. */
static void show_parts(list *l, const nytp_cover_file *f)
{
    guint next = 0;
    l->file = f;
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
    show_name(out, f->name);
    fprintf(out, "  %s %%  ", cover_percent_of(f->counts.lines).text);
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
    list l = {.out = out, .source = source, .source_lines = g_strv_length(source)};
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
