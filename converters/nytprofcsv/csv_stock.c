#include "csv_stock.h"

#include <string.h>

const char *const csv_level_names[CSV_LEVELS] = {"line", "block", "sub"};

enum { MOST_LINES = 1 << 16 /* a line beyond is taken for damage, as stock does */ };

/* The numbers of a line. */
typedef struct row {
    int64_t ticks, eval_ticks; /* of its statements; of the evals done there, and of those within them */
    uint64_t count;
    bool ran, known; /* it has statements; it has anything */
} row;

/* The lines of a file at each level. */
typedef struct sheet {
    GArray *rows;  /* row, indexed by line */
    uint32_t size; /* lines that there must be: the last one with statements + 1, or the last one with
                      anything else */
    uint32_t ran_size;
} sheet;

struct csv_stock {
    const nytp_profile *profile;
    csv_source *source;
    const char *delimiter;
    bool annotated;
    double ticks_per_sec;
    GHashTable *evals;   /* fid: GArray of nytp_file *, the evals done there */
    GHashTable *notable; /* fid: GArray of lines (uint32_t) that call something, or where a sub begins */
};

/* ---- indexes ---- */

static void free_array(gpointer array)
{
    g_array_free(array, TRUE);
}

static GArray *array_of(GHashTable *table, uint32_t fid, guint size)
{
    GArray *found = g_hash_table_lookup(table, GUINT_TO_POINTER(fid));
    if (found == NULL) {
        found = g_array_new(FALSE, FALSE, size);
        g_hash_table_insert(table, GUINT_TO_POINTER(fid), found);
    }
    return found;
}

static uint32_t survivor(const nytp_profile *profile, uint32_t fid)
{
    const nytp_file *f = nytp_profile_survivor(profile, fid);
    return f != NULL ? f->fid : fid;
}

static void note_line(csv_stock *s, uint32_t fid, uint32_t line)
{
    g_array_append_val(array_of(s->notable, survivor(s->profile, fid), sizeof line), line);
}

csv_stock *csv_stock_new(const nytp_profile *profile, csv_source *source, const char *delimiter,
                         bool annotated)
{
    csv_stock *s = g_new0(csv_stock, 1);
    const nytp_file *f;
    const nytp_arc *arc;
    nytp_sub sub;
    *s = (csv_stock){profile,
                     source,
                     delimiter,
                     annotated,
                     nytp_profile_ticks_per_sec(profile),
                     g_hash_table_new_full(NULL, NULL, NULL, free_array),
                     g_hash_table_new_full(NULL, NULL, NULL, free_array)};
    for (size_t i = 0; (f = nytp_profile_file(profile, i)) != NULL; i++)
        if (f->eval_fid != 0 && f->merged_into == 0)
            g_array_append_val(array_of(s->evals, survivor(profile, f->eval_fid), sizeof f), f);
    for (size_t i = 0; (arc = nytp_profile_arc(profile, i)) != NULL; i++)
        note_line(s, arc->fid, arc->line);
    for (uint32_t i = 0; nytp_profile_sub(profile, i, &sub); i++)
        for (size_t r = 0; r < sub.range_count; r++)
            if (sub.ranges[r].first_line > 0)
                note_line(s, sub.ranges[r].fid, sub.ranges[r].first_line);
    return s;
}

void csv_stock_free(csv_stock *stock)
{
    g_hash_table_destroy(stock->evals);
    g_hash_table_destroy(stock->notable);
    g_free(stock);
}

bool csv_stock_has(const csv_stock *stock, const nytp_file *f, enum csv_level level)
{
    if (f->merged_into != 0 || f->name.length == 0)
        return false;
    return level == CSV_LINE || (f->eval_fid == 0 && nytp_profile_level_count(stock->profile) > 0);
}

/* ---- a sheet ---- */

static row *row_at(sheet *s, uint32_t line)
{
    if (s->rows->len <= line)
        g_array_set_size(s->rows, line + 1);
    row *r = &g_array_index(s->rows, row, line);
    r->known = true;
    return r;
}

static void add_statements(sheet *s, uint32_t line, uint64_t count, int64_t ticks)
{
    if (line >= MOST_LINES)
        return;
    row *r = row_at(s, line);
    r->ran = true;
    r->count += count;
    r->ticks += ticks;
    s->ran_size = MAX(s->ran_size, line + 1);
}

static void add_level(const csv_stock *stock, sheet *s, uint32_t fid, enum csv_level level)
{
    nytp_line line;
    const nytp_level *at;
    if (level == CSV_LINE)
        for (uint64_t from = 0; nytp_profile_next_line(stock->profile, fid, &from, &line);)
            add_statements(s, line.line, line.count, line.ticks);
    else
        for (size_t i = 0; (at = nytp_profile_level(stock->profile, i)) != NULL; i++)
            if (at->fid == fid)
                add_statements(s, level == CSV_BLOCK ? at->block_line : at->sub_line, at->count, at->ticks);
}

/* The time of an eval and of those within it; deep is how deep it is itself, since damaged profiles have
 * circles. */
static int64_t eval_ticks(const csv_stock *stock, const nytp_file *f, unsigned deep)
{
    enum { DEEPEST = 100 };
    nytp_line line;
    int64_t ticks = 0;
    for (uint64_t from = 0; nytp_profile_next_line(stock->profile, f->fid, &from, &line);)
        ticks += line.ticks;
    const GArray *inner = g_hash_table_lookup(stock->evals, GUINT_TO_POINTER(f->fid));
    for (guint i = 0; inner != NULL && i < inner->len && deep < DEEPEST; i++)
        ticks += eval_ticks(stock, g_array_index(inner, const nytp_file *, i), deep + 1);
    return ticks;
}

static void add_notable(const csv_stock *stock, sheet *s, uint32_t fid)
{
    const GArray *lines = g_hash_table_lookup(stock->notable, GUINT_TO_POINTER(fid));
    const GArray *evals = g_hash_table_lookup(stock->evals, GUINT_TO_POINTER(fid));
    for (guint i = 0; lines != NULL && i < lines->len; i++) {
        uint32_t line = g_array_index(lines, uint32_t, i);
        if (line >= MOST_LINES)
            continue;
        row_at(s, line);
        s->size = MAX(s->size, line);
    }
    for (guint i = 0; evals != NULL && i < evals->len; i++) {
        const nytp_file *f = g_array_index(evals, const nytp_file *, i);
        if (f->eval_line >= MOST_LINES)
            continue;
        row_at(s, f->eval_line)->eval_ticks += eval_ticks(stock, f, 0);
        s->size = MAX(s->size, f->eval_line);
    }
}

static sheet make_sheet(const csv_stock *stock, uint32_t fid, enum csv_level level)
{
    sheet s = {.rows = g_array_new(FALSE, TRUE, sizeof(row))};
    add_level(stock, &s, fid, level);
    add_notable(stock, &s, fid);
    s.size = MAX(s.size, s.ran_size);
    return s;
}

/* ---- writing ---- */

static bool is_blank(nytp_str text)
{
    for (size_t i = 0; i < text.length; i++)
        if (!g_ascii_isspace(text.bytes[i]))
            return false;
    return true;
}

static void put_line(const csv_stock *stock, const row *r, nytp_str text, FILE *out)
{
    uint64_t calls = r->ran && r->count == 0 ? 1 : r->count;
    double seconds = (double)(r->ticks + r->eval_ticks) / stock->ticks_per_sec;
    while (text.length > 0 && g_ascii_isspace(text.bytes[0])) {
        text.bytes++;
        text.length--;
    }
    if (stock->annotated)
        fprintf(out, "srcline%s", stock->delimiter);
    fprintf(out, "%f%s%g%s%f%s%.*s\n", seconds, stock->delimiter, (double)calls, stock->delimiter,
            calls > 0 ? seconds / (double)calls : 0, stock->delimiter, (int)text.length,
            text.bytes != NULL ? text.bytes : "");
}

/* The text of a line of source; empty past its end. */
static nytp_str text_of(const GArray *lines, uint32_t line)
{
    return lines != NULL && line >= 1 && line <= lines->len ? g_array_index(lines, nytp_str, line - 1)
                                                            : (nytp_str){"", 0, false};
}

static const row *known_row(const sheet *s, uint32_t line)
{
    static const row none;
    return line < s->rows->len ? &g_array_index(s->rows, row, line) : &none;
}

/* Of a run of blank lines the first two are written, and the last: the rest is POD that was not saved. */
static void put_lines(const csv_stock *stock, const sheet *s, const GArray *lines, uint32_t last, FILE *out)
{
    bool after_empty = false;
    for (uint32_t line = 1; line <= last; line++) {
        nytp_str text = text_of(lines, line);
        bool skips = after_empty && text.length == 0 && line < last && is_blank(text_of(lines, line + 1)) &&
                     !known_row(s, line)->known;
        put_line(stock, known_row(s, line), text, out);
        while (skips && line < last && is_blank(text_of(lines, line + 1)) && !known_row(s, line + 1)->known)
            line++;
        after_empty = text.length == 0;
    }
}

/* Returns the text that stock writes in the place of line 0 if there is no source. The caller must g_free()
 * it. */
static char *missing_text(const nytp_file *f)
{
    char *name = g_strndup(f->name.bytes, f->name.length), *text;
    if (f->flags & NYTP_FID_IS_FAKE)
        text = g_strdup_printf("No source code available for synthetic (fake) file %s.", name);
    else if (f->eval_fid != 0)
        text = g_strdup_printf(
            "No source code available for string eval %s.\nYou probably need to use a more recent "
            "version of perl. See savesrc option in documentation.",
            name);
    else
        text = g_strdup_printf("Unable to open '%s' for reading: No such file or directory", name);
    g_free(name);
    return text;
}

/* Stock begins to count at 0 here, and so loses the last line. */
static void put_without_source(const csv_stock *stock, const sheet *s, const nytp_file *f, FILE *out)
{
    char *text = missing_text(f);
    put_line(stock, known_row(s, 0), (nytp_str){text, strlen(text), false}, out);
    put_lines(stock, s, NULL, s->size > 2 ? s->size - 2 : 0, out);
    g_free(text);
}

void csv_stock_write(const csv_stock *stock, const nytp_file *f, enum csv_level level, FILE *out)
{
    static const char no_line[] = "Profile data that couldn't be associated with a specific line:";
    const GArray *lines = csv_source_lines(stock->source, f);
    sheet s = make_sheet(stock, f->fid, level);
    fputs("# Profile data generated by Devel::NYTProf::Reader\n# Version: v6.12\n"
          "# More information at http://metacpan.org/release/Devel-NYTProf/\n# Format: "
          "time,calls,time/call,code\n",
          out);
    if (lines == NULL) {
        put_without_source(stock, &s, f, out);
        g_array_free(s.rows, TRUE);
        return;
    }
    if (known_row(&s, 0)->known)
        put_line(stock, known_row(&s, 0), (nytp_str){no_line, strlen(no_line), false}, out);
    put_lines(stock, &s, lines, MAX(lines->len, s.size > 0 ? s.size - 1 : 0), out);
    g_array_free(s.rows, TRUE);
}
