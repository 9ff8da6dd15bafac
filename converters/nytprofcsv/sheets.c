#include "stock/stock.h"

#include "base/ticks.h"
#include "model/grow.h"
#include "model/hashes.h"
#include "model/profile.h"

const char *const csv_level_names[CSV_LEVELS] = {"line", "block", "sub"};

enum { MOST_LINES = 1 << 16 /* with more lines than that, stock ignores what says so */ };

struct csv_sheets {
    const nytp_profile *profile;
    csv_stock_evals *evals;
    GHashTable *calls;  /* fid: GArray of uint32_t, the lines that call something */
    GHashTable *subs;   /* the same: the lines where a sub begins */
    GHashTable *levels; /* fid: GArray of indexes (size_t) of levels */
    GHashTable *named;  /* name: the last file that has it, since stock finds subs of a file by its name */
    int64_t *nested;    /* ticks of an eval and of those within it, by number of the file */
};

static GHashTable *new_table(void)
{
    return g_hash_table_new_full(nytp_hash_of_number, NULL, NULL, (GDestroyNotify)g_array_unref);
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

/* Returns the file that has what that one had before evals were merged; NULL: no such fid. */
static const nytp_file *merged_file(const csv_sheets *s, uint32_t fid)
{
    const nytp_file *f = nytp_profile_file_by_fid(s->profile, fid);
    return f != NULL ? csv_stock_evals_merged_file(s->evals, f) : NULL;
}

static bool is_merged(const csv_sheets *s, const nytp_file *f)
{
    return csv_stock_evals_merged_file(s->evals, f) != f;
}

static void note_line(GHashTable *table, uint32_t fid, uint32_t line)
{
    g_array_append_val(array_of(table, fid, sizeof line), line);
}

static void find_calls(csv_sheets *s)
{
    const nytp_arc *arc;
    const nytp_file *f;
    for (size_t i = 0; (arc = nytp_profile_arc(s->profile, i)) != NULL; i++)
        if (arc->fid != 0 && (f = merged_file(s, arc->fid)) != NULL)
            note_line(s->calls, f->fid, arc->line);
}

/* Anonymous subs whose names differ in numbers of evals alone become one, which begins where the first of
 * them does. */
typedef struct same_subs {
    uint32_t fid, first_line;
} same_subs;

typedef struct renaming {
    GRegex *is_anonymous, *number;
    GHashTable *subs; /* name without numbers, and fid: same_subs */
} renaming;

static void note_anonymous(const renaming *names, const char *name, uint32_t fid, uint32_t line)
{
    g_autofree char *without = g_regex_replace(names->number, name, -1, 0, "(\\1eval 0)", 0, NULL);
    char *key = g_strdup_printf("%u %s", fid, without != NULL ? without : name);
    same_subs *found = g_hash_table_lookup(names->subs, key);
    if (found == NULL) {
        found = g_new(same_subs, 1);
        *found = (same_subs){fid, line};
        g_hash_table_insert(names->subs, key, found);
    } else {
        found->first_line = MIN(found->first_line, line);
        g_free(key);
    }
}

/* A sub is where its first range is. Files with other ranges show it, too, until they are merged into
 * another.
 */
static void find_places(csv_sheets *s, const renaming *names, const nytp_sub *sub)
{
    g_autofree char *name = g_strndup(sub->name.bytes, sub->name.length);
    bool is_anonymous = g_regex_match(names->is_anonymous, name, 0, NULL);
    for (size_t r = 0; r < sub->range_count; r++) {
        const nytp_file *f = nytp_profile_file_by_fid(s->profile, sub->ranges[r].fid);
        if (f == NULL || (r > 0 && sub->ranges[r - 1].fid == f->fid) || (r > 0 && is_merged(s, f)))
            continue;
        const nytp_file *shown_in = csv_stock_evals_merged_file(s->evals, f);
        if (is_anonymous && csv_stock_evals_merged(s->evals, shown_in) != NULL)
            note_anonymous(names, name, shown_in->fid, sub->ranges[0].first_line);
        else if (sub->ranges[0].first_line > 0)
            note_line(s->subs, shown_in->fid, sub->ranges[0].first_line);
    }
}

static void find_subs(csv_sheets *s)
{
    nytp_sub sub;
    GHashTableIter iter;
    gpointer found;
    renaming names = {g_regex_new("::__ANON__\\b", G_REGEX_RAW, 0, NULL),
                      g_regex_new("\\(((?:re_)?)eval\\s\\d+\\)", G_REGEX_RAW, 0, NULL),
                      g_hash_table_new_full(nytp_hash_of_text, g_str_equal, g_free, g_free)};
    for (uint32_t i = 0; nytp_profile_sub(s->profile, i, &sub); i++)
        find_places(s, &names, &sub);
    g_hash_table_iter_init(&iter, names.subs);
    while (g_hash_table_iter_next(&iter, NULL, &found))
        if (((const same_subs *)found)->first_line > 0)
            note_line(s->subs, ((const same_subs *)found)->fid, ((const same_subs *)found)->first_line);
    g_hash_table_destroy(names.subs);
    g_regex_unref(names.is_anonymous);
    g_regex_unref(names.number);
}

static void find_names(csv_sheets *s)
{
    const nytp_file *f;
    for (size_t i = 0; (f = nytp_profile_file(s->profile, i)) != NULL; i++) {
        char *name = g_strndup(f->name.bytes, f->name.length);
        const nytp_file *found = g_hash_table_lookup(s->named, name);
        if (!is_merged(s, f) && (found == NULL || found->fid < f->fid))
            g_hash_table_insert(s->named, name, (gpointer)f);
        else
            g_free(name);
    }
}

static void find_levels(csv_sheets *s)
{
    const nytp_level *level;
    for (size_t i = 0; (level = nytp_profile_level(s->profile, i)) != NULL; i++)
        g_array_append_val(array_of(s->levels, level->fid, sizeof i), i);
}

typedef void statement_fn(void *context, uint32_t line, uint64_t count, int64_t ticks);

/* Calls each for the lines of a file, also for those whose statements took no time and were counted
 * elsewhere. Returns whether there are any. */
static bool each_line(const csv_sheets *s, const nytp_file *f, statement_fn *each, void *context)
{
    nytp_line line;
    uint64_t from = 0;
    while (nytp_lines_next_seen(s->profile->lines, f->fid, &from, &line))
        each(context, line.line, line.count, line.ticks);
    return from > 0;
}

/* Calls each for the lines of a file, and for those of the files that were merged into it. Stock loses the
 * latter if the file itself ran nothing. */
static void each_merged_line(const csv_sheets *s, const nytp_file *f, statement_fn *each, void *context)
{
    if (each_line(s, f, each, context))
        NYTP_EACH(const csv_file, merged, csv_stock_evals_merged(s->evals, f))
            each_line(s, *merged, each, context);
}

static void each_statement(const csv_sheets *s, const nytp_file *f, enum csv_level level, statement_fn *each,
                           void *context)
{
    if (level == CSV_LINE) {
        each_merged_line(s, f, each, context);
        return;
    }
    NYTP_EACH(const size_t, number, array_of(s->levels, f->fid, sizeof *number)) {
        const nytp_level *at = nytp_profile_level(s->profile, *number);
        each(context, level == CSV_BLOCK ? at->block_line : at->sub_line, at->count, at->ticks);
    }
}

static void add_ticks(void *sum, uint32_t line, uint64_t count, int64_t ticks)
{
    (void)line, (void)count;
    int64_t *total = sum;
    *total = nytp_add_ticks(*total, ticks);
}

/* An eval comes after the file that executed it, so the last file comes first here. */
static void find_nested(csv_sheets *s)
{
    size_t count = nytp_profile_file_count(s->profile);
    s->nested = g_new0(int64_t, count);
    for (size_t i = count; i-- > 0;) {
        const nytp_file *f = nytp_profile_file(s->profile, i);
        each_merged_line(s, f, add_ticks, &s->nested[i]);
        NYTP_EACH(const csv_file, inner, csv_stock_evals_within(s->evals, f))
            if (!is_merged(s, *inner))
                s->nested[i] += s->nested[(*inner)->number];
    }
}

csv_sheets *csv_sheets_new(const nytp_profile *profile, csv_source *source, bool merge)
{
    csv_sheets *s = g_new0(csv_sheets, 1);
    *s = (csv_sheets){profile,     csv_stock_evals_new(profile, source, merge),
                      new_table(), new_table(),
                      new_table(), g_hash_table_new_full(nytp_hash_of_text, g_str_equal, g_free, NULL),
                      NULL};
    find_calls(s);
    find_subs(s);
    find_levels(s);
    find_names(s);
    find_nested(s);
    return s;
}

void csv_sheets_free(csv_sheets *sheets)
{
    csv_stock_evals_free(sheets->evals);
    g_hash_table_destroy(sheets->calls);
    g_hash_table_destroy(sheets->subs);
    g_hash_table_destroy(sheets->levels);
    g_hash_table_destroy(sheets->named);
    g_free(sheets->nested);
    g_free(sheets);
}

bool csv_sheets_is_eval(const csv_sheets *sheets, const nytp_file *f)
{
    return csv_stock_evals_is_eval(sheets->evals, f);
}

bool csv_sheets_has(const csv_sheets *sheets, const nytp_file *f, enum csv_level level)
{
    if (is_merged(sheets, f) || f->fid == 0 || f->name.length == 0)
        return false;
    return level == CSV_LINE ||
           (!csv_sheets_is_eval(sheets, f) && nytp_profile_level_count(sheets->profile) > 0);
}

bool csv_sheets_stands_for(const csv_sheets *sheets, const nytp_file *f, uint32_t fid)
{
    return merged_file(sheets, fid) == f;
}

static csv_row *row_at(GArray *rows, uint32_t line)
{
    csv_row *row = line < rows->len ? &g_array_index(rows, csv_row, line) : NULL;
    if (row != NULL)
        row->known = true;
    return row;
}

static void add_statements(void *rows, uint32_t line, uint64_t count, int64_t ticks)
{
    csv_row *row = row_at(rows, line);
    if (row == NULL)
        return;
    row->ran = true;
    row->count += count;
    row->ticks = nytp_add_ticks(row->ticks, ticks);
}

static void find_last(void *last, uint32_t line, uint64_t count, int64_t ticks)
{
    uint64_t *end = last;
    (void)count, (void)ticks;
    *end = MAX(*end, (uint64_t)line + 1);
}

/* The last line that any kind of data names. A number of MOST_LINES or more comes from damage, and is left
 * out. */
static uint32_t last_of(const uint64_t *lasts, size_t count)
{
    uint64_t last = 0;
    for (size_t i = 0; i < count; i++)
        last = lasts[i] < MOST_LINES ? MAX(last, lasts[i]) : last;
    return (uint32_t)last;
}

GArray *csv_sheets_rows(const csv_sheets *sheets, const nytp_file *f, enum csv_level level)
{
    g_autofree char *name = g_strndup(f->name.bytes, f->name.length);
    const nytp_file *named = g_hash_table_lookup(sheets->named, name);
    const GArray *lines[] = {array_of(sheets->calls, f->fid, sizeof(uint32_t)),
                             array_of(sheets->subs, named->fid, sizeof(uint32_t))};
    const GArray *within = csv_stock_evals_within(sheets->evals, f);
    uint64_t lasts[] = {0, 0, 0, 0};
    GArray *rows = NYTP_ZEROED_ARRAY(csv_row);
    each_statement(sheets, f, level, find_last, &lasts[0]);
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++)
        NYTP_EACH(const uint32_t, line, lines[i])
            lasts[1 + i] = MAX(lasts[1 + i], *line);
    NYTP_EACH(const csv_file, inner, within)
        if (!is_merged(sheets, *inner))
            lasts[3] = MAX(lasts[3], (*inner)->eval_line);
    g_array_set_size(rows, last_of(lasts, G_N_ELEMENTS(lasts)) + 1);
    each_statement(sheets, f, level, add_statements, rows);
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++)
        NYTP_EACH(const uint32_t, line, lines[i])
            row_at(rows, *line);
    NYTP_EACH(const csv_file, inner, within) {
        csv_row *row = is_merged(sheets, *inner) ? NULL : row_at(rows, (*inner)->eval_line);
        if (row != NULL)
            row->eval_ticks = nytp_add_ticks(row->eval_ticks, sheets->nested[(*inner)->number]);
    }
    return rows;
}
