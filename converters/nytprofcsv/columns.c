#include "tables.h"

#include "model/measure.h"

#include <glib.h>
#include <string.h>

const char *const csv_table_names[CSV_TABLES + 1] = {[CSV_SUBS] = "subs",
                                                     [CSV_CALLS] = "calls",
                                                     [CSV_FILES] = "files",
                                                     [CSV_LINES] = "lines",
                                                     [CSV_LABELS] = "labels",
                                                     [CSV_DURATIONS] = "durations",
                                                     [CSV_PROCESSES] = "processes",
                                                     [CSV_SPANS] = "spans",
                                                     [CSV_KINDS] = "kinds",
                                                     [CSV_LINE_KINDS] = "line_kinds",
                                                     NULL};

#define ARC_COLUMNS  "calls,inclusive_s,exclusive_s,recursive_inclusive_s,max_recursion_depth"
#define OWN_COLUMNS  ",work_s,asleep_s,queued_s"
#define KEPT_COLUMNS ",inclusive_kept_values,exclusive_kept_values"

#define ERROR_COLUMNS ",samples,error_s"
#define KIND_COLUMNS  "blocks,time_s" ERROR_COLUMNS

/* Their columns, and those that only time has, or memory. */
static const char *const columns[CSV_TABLES][3] = {
    [CSV_SUBS] = {"sub,package,kind,fid,file,first_line,last_line," ARC_COLUMNS,
                  ",p50_s,p95_s,p99_s,max_s,first_s" OWN_COLUMNS KEPT_COLUMNS, ERROR_COLUMNS},
    [CSV_CALLS] = {"callee,caller,fid,file,line," ARC_COLUMNS, OWN_COLUMNS KEPT_COLUMNS, ERROR_COLUMNS},
    [CSV_FILES] = {"fid,file,eval_of_fid,eval_of_file,eval_of_line,statements,time_s", "", ERROR_COLUMNS},
    [CSV_LINES] = {"fid,file,line,statements,time_s", OWN_COLUMNS, ERROR_COLUMNS},
    [CSV_LABELS] =
        {"kind,label,base_sub,sub,text,label_calls,label_inclusive_s,label_exclusive_s,label_runs"},
    [CSV_DURATIONS] = {"sub,from_s,to_s,calls"},
    [CSV_PROCESSES] =
        {"program,pid,parent,begin_s,end_s,time_s,work_s,waiting_s,processor_s,processor_wait_s,"
         "ending,queued_s,lost_s"},
    [CSV_SPANS] = {"span,pid,begin_s,latency_s,work_s,waiting_s,parts,queued_s,loop_asleep_s,loop_queued_s,"
                   "others_s,rest_s"},
    [CSV_KINDS] = {"sub,kind," KIND_COLUMNS},
    [CSV_LINE_KINDS] = {"fid,file,line,kind," KIND_COLUMNS}};

/* Returns the name of a column of what is measured, and frees the one that it has of time. */
static char *name_of(char *of_time, const nytp_measure *measure)
{
    g_autofree char *name = of_time;
    const bool is_bytes = nytp_measure_is_bytes(measure);
    if (is_bytes && strcmp(name, "time_s") == 0)
        return g_strdup("bytes");
    if (strcmp(name, "calls") == 0 || strcmp(name, "statements") == 0)
        return nytp_measure_is_sampled(measure) ? g_strdup(nytp_measure_count(measure))
                                                : g_steal_pointer(&name);
    if (!g_str_has_suffix(name, "_s"))
        return g_steal_pointer(&name);
    return g_strdup_printf("%.*s%s", (int)strlen(name) - 1, name,
                           is_bytes ? "bytes" : nytp_measure_base(measure)->name);
}

char **csv_table_columns(const nytp_measure *measure, enum csv_table table)
{
    const bool is_bytes = nytp_measure_is_bytes(measure);
    if (table > CSV_LINES && is_bytes != (table >= CSV_KINDS))
        return NULL;
    g_autofree char *all = g_strconcat(columns[table][0], columns[table][is_bytes ? 2 : 1], NULL);
    char **names = g_strsplit(all, ",", -1);
    for (char **name = names; *name != NULL; name++)
        *name = name_of(*name, measure);
    return names;
}

void csv_cells_begin(csv_cells *cells, const nytp_measure *measure, enum csv_table table, FILE *out)
{
    g_auto(GStrv) names = csv_table_columns(measure, table);
    const guint count = g_strv_length(names);
    for (guint c = 0; c < count; c++)
        cells->columns[c] = (nytp_column){.key = g_intern_string(names[c])};
    cells->measure = *measure;
    cells->table = nytp_table_new(cells->columns, count, NYTP_CSV, out);
}

void csv_put_amount(const csv_cells *cells, double amount)
{
    enum { NANOSECONDS = 9 };
    nytp_table_number(cells->table, "", amount, nytp_measure_is_time(&cells->measure) ? NANOSECONDS : 0);
}
