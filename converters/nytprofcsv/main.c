/* nytprofcsv: the tables of profiles as CSV. */
#include "stock/stock.h"
#include "tables.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"
#include "model/measure.h"
#include "model/profile.h"

#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

static const nytp_program program = {
    .about = "Writes what Perl profiles say of subs, calls, files, lines and processes as CSV.\n",
    .examples = "  nytprofcsv && sqlite3 :memory: '.cd nytprof' '.read schema.sql' \\\n"
                "      'select sub, exclusive_s from subs order by exclusive_s desc limit 10'\n",
    .operands = NYTP_PROFILES,
};

typedef struct settings {
    nytp_common_options common;
    const nytp_operands *files;
    unsigned table;
    bool keep_evals, clear;
    bool to_file; /* -o names a file or standard output, which get one table */
    bool stock, annotated;
    const char *delimiter;
    char **inc; /* these three for stock's files; NULL: not wanted */
    csv_source *source;
    nytp_perl_files perl_files;
    csv_spans *spans; /* these two are NULL if they are not read */
    nytp_summary *summary;
} settings;

/* Returns the profile as stock's reader sees it, or NULL after saying why there is none. */
static nytp_profile *read_stock(const settings *s)
{
    nytp_profile *profile = nytp_profile_new();
    nytp_profile_keep_levels(profile);
    nytp_profile_on_source(profile, csv_source_add, s->source);
    if (nytp_read_profile(s->files->names[0], &s->common, profile, NULL) < 0)
        g_clear_pointer(&profile, nytp_profile_free);
    return profile;
}

/* Whether -o names a file or standard output. */
static bool is_file(const char *output)
{
    bool exists = g_file_test(output, G_FILE_TEST_EXISTS);
    return strcmp(output, "-") == 0 || (exists && !g_file_test(output, G_FILE_TEST_IS_DIR)) ||
           (!exists && g_str_has_suffix(output, ".csv"));
}

static void take_spans(void *spans, const nytp_names *names, nytp_events *events)
{
    csv_spans_take(spans, names, events);
}

/* Returns whether a table is written. */
static bool has_table(const settings *s, enum csv_table table)
{
    return s->table == table || !s->to_file;
}

static nytp_profile *read_profiles(settings *s)
{
    if (has_table(s, CSV_SPANS))
        s->spans = csv_spans_new();
    s->summary =
        nytp_summary_read(s->files, &(nytp_summary_options){.common = &s->common,
                                                            .keeps_evals = s->keep_evals,
                                                            .wants_arc_sums = has_table(s, CSV_CALLS),
                                                            .take = s->spans != NULL ? take_spans : NULL,
                                                            .context = s->spans});
    return s->summary != NULL ? s->summary->profile : NULL;
}

static int write_table(const nytp_profile *profile, const settings *s)
{
    const nytp_measure measure = nytp_profile_measure(profile);
    g_auto(GStrv) columns = csv_table_columns(&measure, s->table);
    if (columns == NULL) {
        nytp_say("there is no table '%s' of %s", csv_table_names[s->table],
                 nytp_measure_is_bytes(&measure) ? "memory" : measure.noun);
        return -1;
    }
    nytp_output *output = nytp_read_open_output(s->common.output);
    if (output == NULL)
        return -1;
    if (csv_table_write(s->summary, s->spans, s->table, nytp_output_stream(output)) == 0)
        return nytp_output_commit(output);
    nytp_output_discard(output);
    return -1;
}

static char *file_of_table(enum csv_table table)
{
    return g_strdup_printf("%s.csv", csv_table_names[table]);
}

/* The next three: 0, or -1 after saying why. */

static int write_tables(const nytp_profile *profile, const settings *s, nytp_outdir *directory)
{
    const nytp_measure measure = nytp_profile_measure(profile);
    for (unsigned table = 0; table < CSV_TABLES; table++) {
        g_autofree char *name = file_of_table(table);
        g_auto(GStrv) columns = csv_table_columns(&measure, table);
        if (columns == NULL)
            continue;
        FILE *out = nytp_outdir_file(directory, name);
        if (out == NULL)
            return -1;
        if (csv_table_write(s->summary, s->spans, table, out) != 0)
            return -1;
    }
    FILE *out = nytp_outdir_file(directory, CSV_SCHEMA);
    if (out == NULL)
        return -1;
    csv_schema_write(profile, out);
    return 0;
}

static int write_sheets_of(const csv_stock *stock, const nytp_file *f, char *const *inc,
                           nytp_outdir *directory)
{
    for (unsigned level = 0; level < CSV_LEVELS; level++) {
        if (!csv_sheets_has(stock->sheets, f, level))
            continue;
        g_autofree char *name = csv_stock_name(f, csv_level_names[level], inc);
        FILE *out = nytp_outdir_file(directory, name);
        if (out == NULL)
            return -1;
        csv_stock_write(stock, f, level, out);
    }
    return 0;
}

static int write_sheets(const nytp_profile *profile, const settings *s, nytp_outdir *directory)
{
    static const char *const names[] = {"comma", "tab", "semicolon"};
    static const char *const delimiters[] = {",", "\t", ";"};
    csv_sheets *sheets = csv_sheets_new(profile, s->source, !s->keep_evals);
    csv_stock stock = {profile, s->source, sheets, s->delimiter, s->annotated};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(s->delimiter, names[i]) == 0)
            stock.delimiter = delimiters[i];
    const nytp_file *f;
    int rc = 0;
    for (size_t i = 0; rc == 0 && (f = nytp_profile_file(profile, i)) != NULL; i++)
        rc = write_sheets_of(&stock, f, s->inc, directory);
    csv_sheets_free(sheets);
    return rc;
}

/* Whether nytprofcsv, ours or stock's, wrote the file. Ours writes tables with a schema. */
static bool is_ours(const char *directory, const char *name, bool has_schema)
{
    g_autofree char *path = g_build_filename(directory, name, NULL);
    if (nytp_is_level_name(name, ".csv"))
        return nytp_file_mentions(path, CSV_STOCK_BEGIN);
    for (unsigned table = 0; table < CSV_TABLES; table++) {
        g_autofree char *file = file_of_table(table);
        if (strcmp(name, file) == 0)
            return has_schema;
    }
    return has_schema && strcmp(name, CSV_SCHEMA) == 0;
}

/* Removes what was written to the directory before. */
static int clear_directory(const char *directory)
{
    g_autofree char *schema = g_build_filename(directory, CSV_SCHEMA, NULL);
    const bool has_schema = nytp_file_mentions(schema, CSV_SCHEMA_BEGIN);
    g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
    int rc = 0;
    for (const char *name; dir != NULL && rc == 0 && (name = g_dir_read_name(dir)) != NULL;) {
        g_autofree char *path = g_build_filename(directory, name, NULL);
        if (is_ours(directory, name, has_schema) && (rc = g_unlink(path)) != 0)
            nytp_say("%s: cannot remove it: %s", path, strerror(errno));
    }
    return rc;
}

/* The old files go when the new ones are complete. */
static int write_directory(const nytp_profile *profile, const settings *s)
{
    nytp_outdir *directory = nytp_read_open_outdir(s->common.output);
    if (directory == NULL)
        return -1;
    int rc = s->stock ? write_sheets(profile, s, directory) : write_tables(profile, s, directory);
    if (rc == 0)
        rc = nytp_outdir_complete(directory);
    if (rc == 0 && s->clear)
        rc = clear_directory(s->common.output);
    if (rc == 0)
        return nytp_outdir_commit(directory);
    nytp_outdir_discard(directory);
    return -1;
}

static void say_totals(const nytp_profile *profile, const char *output)
{
    nytp_totals totals = nytp_profile_totals(profile);
    const nytp_measure measure = nytp_profile_measure(profile);
    if (nytp_measure_is_sampled(&measure))
        nytp_say("%s in %s", nytp_counted(totals.statements, nytp_measure_counted(&measure)).text, output);
    else
        nytp_say("%s and %s in %s", nytp_counted(totals.calls, "call").text,
                 nytp_counted(totals.statements, "statement").text, output);
}

static int convert(settings *s)
{
    if (s->stock) {
        s->inc = csv_stock_inc();
        s->source = csv_source_new(s->inc, &s->perl_files);
        s->perl_files.verbose = s->common.verbose;
        s->common.is_stock = true;
    }
    nytp_profile *profile = s->stock ? read_stock(s) : read_profiles(s);
    if (profile != NULL)
        nytp_perl_files_recorded(&s->perl_files, profile);
    int rc = profile == NULL ? -1 : s->to_file ? write_table(profile, s) : write_directory(profile, s);
    if (rc == 0 && s->common.verbose)
        say_totals(profile, s->common.output);
    if (s->stock)
        nytp_profile_free(profile);
    nytp_summary_free(s->summary);
    csv_spans_free(s->spans);
    csv_source_free(s->source);
    g_strfreev(s->inc);
    return rc;
}

int main(int argc, char **argv)
{
    settings s = {.common = {.takes = NYTP_TAKES_MEASURE, .output = "nytprof"}, .delimiter = "comma"};
    const nytp_option options[] = {
        NYTP_FILE_ROW,
        {'o', "out", "PATH", "directory (default nytprof), or X.csv or - for one table",
         .path = &s.common.output},
        {0, "output", .same_as = "out"},
        {'d', "delete", NULL, "remove older tables from the directory", .flag = &s.clear},
        {0, "table", "TABLE", "table", .word = &s.table, .words = csv_table_names},
        NYTP_EVALS_ROW(s.keep_evals),
        {0, "no-mergeevals", .same_as = "no-merge-evals"}, /* stock's name for it */
        {.group = "What the stock nytprofcsv writes:"},
        {0, "stock", NULL, "write a file for each source file, with its text", .flag = &s.stock},
        {0, "delim", "TEXT", "separator: comma (default), tab, semicolon or TEXT", .text = &s.delimiter},
        {'a', "annotated", NULL, "begin each line with srcline", .flag = &s.annotated},
        NYTP_NO_SOURCE_FILES_ROW(s.perl_files),
        {.group = "General:"},
        NYTP_READING_ROWS(s.common),
        NYTP_TABLE_END,
    };
    nytp_operands files;
    nytp_start("nytprofcsv", argv);
    int status = nytp_options_parse(&program, options, argc, argv, &files);
    if (status >= 0)
        return status;
    s.files = &files;
    const bool is_one = nytp_options_given("table");
    s.to_file = is_file(s.common.output);
    status = NYTP_REFUSE(
        {s.stock && is_one != s.to_file, NULL, "--stock writes many files: -o names a directory"},
        {is_one && !s.to_file, NULL, "--table needs -o X.csv or -o -: a directory has all tables"},
        {s.stock && files.count > 1, NULL, "--stock takes one profile, as the stock program does"},
        {!s.stock, "delim annotated no-source-files", "without --stock"},
        {s.to_file, "delete", "without a directory of tables"});
    if (status >= 0)
        return status;
    return nytp_exit_written(convert(&s) == 0, s.common.output,
                             s.stock || s.to_file ? "spreadsheets open it"
                                                  : "sqlite3 reads schema.sql there");
}
