#include "tables.h"

#include <glib.h>

/* NULL: the table has none. */
static const char *const keys[CSV_TABLES] = {[CSV_FILES] = "fid", [CSV_LINES] = "fid, line"};

/* Names in profiles may differ only in characters that are not shown, so a shown name is not a key. */
static const char indexes[] = "\nCREATE INDEX subs_by_name ON subs (sub);\n"
                              "CREATE INDEX subs_by_line ON subs (fid, first_line);\n"
                              "CREATE INDEX calls_by_callee ON calls (callee);\n"
                              "CREATE INDEX calls_by_caller ON calls (caller);\n"
                              "CREATE INDEX calls_by_line ON calls (fid, line);\n";

static const char line_subs_view[] =
    "\n-- Lines, and the innermost sub that each is in. Of several such subs, the first by name.\n"
    "CREATE VIEW line_subs AS\n"
    "    SELECT lines.*,\n"
    "        (SELECT sub FROM subs\n"
    "         WHERE subs.fid = lines.fid AND lines.line BETWEEN first_line AND last_line AND kind = 'perl'\n"
    "         ORDER BY last_line - first_line, sub LIMIT 1) AS sub\n"
    "    FROM lines;\n";

static bool ends_in(const char *column, const char *one_of)
{
    g_autofree char *pattern = g_strconcat("(?:", one_of, ")\\z", NULL);
    return g_regex_match_simple(pattern, column, 0, 0);
}

static const char *type_of(const char *column)
{
    return ends_in(column, "sub|package|kind|file|callee|caller|label|text|program|ending|span") ? "TEXT"
           : g_str_has_suffix(column, "_s")                                                      ? "REAL"
                                                                                                 : "INTEGER";
}

/* What is not known has an empty cell, of which the import makes an empty text. */
static void import_table(enum csv_table table, char *const *columns, FILE *out)
{
    static const char unknown[] =
        "fid|file|line|p50_s|p95_s|p99_s|max_s|first_s|end_s|processor_s|processor_wait_s|"
        "work_s|waiting_s|asleep_s|queued_s|lost_s|kept_values|samples|error_bytes";
    const char *name = csv_table_names[table];
    fprintf(out, "\nDROP TABLE IF EXISTS %s;\nCREATE TABLE %s (\n", name, name);
    for (size_t i = 0; columns[i] != NULL; i++)
        fprintf(out, "%s    %s %s", i > 0 ? ",\n" : "", columns[i], type_of(columns[i]));
    if (keys[table] != NULL)
        fprintf(out, ",\n    PRIMARY KEY (%s)", keys[table]);
    fprintf(out, "\n);\n.import --csv --skip 1 %s.csv %s\n", name, name);
    for (size_t i = 0; columns[i] != NULL; i++)
        if (ends_in(columns[i], unknown))
            fprintf(out, "UPDATE %s SET %s = NULL WHERE %s = '';\n", name, columns[i], columns[i]);
}

static void write_sub_files_view(const char *amount, const char *file_amount, FILE *out)
{
    fprintf(out,
            "\n-- Subs, and where their files come from.\n"
            "CREATE VIEW sub_files AS\n"
            "    SELECT subs.*, eval_of_fid, eval_of_file, eval_of_line, %s AS %s\n"
            "    FROM subs LEFT JOIN files USING (fid);\n",
            amount, file_amount);
}

void csv_schema_write(const nytp_profile *profile, FILE *out)
{
    const nytp_measure measure = nytp_profile_measure(profile);
    const bool is_memory = nytp_measure_is_bytes(&measure);
    const char *own = csv_table_names[is_memory ? CSV_KINDS : CSV_DURATIONS]; /* only of what it measures */
    fputs(CSV_SCHEMA_BEGIN " Tables and views that have these names are replaced.\n"
                           "--     sqlite3 profile.db '.read " CSV_SCHEMA "'\n\n"
                           "DROP VIEW IF EXISTS sub_files;\nDROP VIEW IF EXISTS line_subs;\n",
          out);
    for (unsigned table = 0; table < CSV_TABLES; table++) {
        g_auto(GStrv) columns = csv_table_columns(&measure, table);
        if (columns != NULL)
            import_table(table, columns, out);
    }
    fputs(indexes, out);
    fprintf(out, "CREATE INDEX %s_by_sub ON %s (sub);\n", own, own);
    write_sub_files_view(is_memory ? "bytes" : "time_s", is_memory ? "file_bytes" : "file_time_s", out);
    fputs(line_subs_view, out);
}
