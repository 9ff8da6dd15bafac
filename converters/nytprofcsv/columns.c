#include "tables.h"

#include "model/measure.h"

#include <glib.h>
#include <string.h>

const char *const csv_table_names[CSV_TABLES + 1] = {
    [CSV_SUBS] = "subs",           [CSV_CALLS] = "calls",
    [CSV_FILES] = "files",         [CSV_LINES] = "lines",
    [CSV_LABELS] = "labels",       [CSV_DURATIONS] = "durations",
    [CSV_PROCESSES] = "processes", [CSV_SPANS] = "spans",
    [CSV_KINDS] = "kinds",         NULL};

#define ARC_COLUMNS "calls,inclusive_s,exclusive_s,recursive_inclusive_s,max_recursion_depth"
#define KEPT_COLUMNS "inclusive_kept_values,exclusive_kept_values"

static const char *const columns[CSV_TABLES] = {
    [CSV_SUBS] =
        "sub,package,kind,fid,file,first_line,last_line," ARC_COLUMNS ",p50_s,p95_s,p99_s,max_s,first_s,"
        "work_s,asleep_s,queued_s," KEPT_COLUMNS,
    [CSV_CALLS] = "callee,caller,fid,file,line," ARC_COLUMNS ",work_s,asleep_s,queued_s," KEPT_COLUMNS,
    [CSV_FILES] = "fid,file,eval_of_fid,eval_of_file,eval_of_line,statements,time_s",
    [CSV_LINES] = "fid,file,line,statements,time_s,work_s,asleep_s,queued_s",
    [CSV_LABELS] = "kind,label,base_sub,sub,text,label_calls,label_inclusive_s,label_exclusive_s,"
                   "label_runs",
    [CSV_DURATIONS] = "sub,from_s,to_s,calls",
    [CSV_PROCESSES] = "program,pid,parent,begin_s,end_s,time_s,work_s,waiting_s,processor_s,"
                      "processor_wait_s,ending,queued_s,lost_s",
    [CSV_SPANS] = "span,pid,begin_s,latency_s,work_s,waiting_s,parts,queued_s,"
                  "loop_asleep_s,loop_queued_s,others_s,rest_s"};

#define ARC_COLUMNS_OF_MEMORY                                                                                \
    "blocks,inclusive_bytes,exclusive_bytes,recursive_inclusive_bytes,max_recursion_depth"

static const char *const columns_of_memory[CSV_TABLES] = {
    [CSV_SUBS] = "sub,package,kind,fid,file,first_line,last_line," ARC_COLUMNS_OF_MEMORY,
    [CSV_CALLS] = "callee,caller,fid,file,line," ARC_COLUMNS_OF_MEMORY,
    [CSV_FILES] = "fid,file,eval_of_fid,eval_of_file,eval_of_line,blocks,bytes",
    [CSV_LINES] = "fid,file,line,blocks,bytes",
    [CSV_KINDS] = "sub,kind,blocks,bytes"};

char **csv_table_columns(const nytp_profile *profile, enum csv_table table)
{
    const nytp_measure measure = nytp_profile_measure(profile);
    if (nytp_measure_is_bytes(&measure))
        return columns_of_memory[table] != NULL ? g_strsplit(columns_of_memory[table], ",", -1) : NULL;
    if (columns[table] == NULL)
        return NULL;
    char **names = g_strsplit(columns[table], ",", -1);
    for (char **name = names; *name != NULL; name++) {
        g_autofree char *written = *name;
        const bool is_count = strcmp(written, "calls") == 0 || strcmp(written, "statements") == 0;
        if (is_count && nytp_measure_is_sampled(&measure))
            *name = g_strdup("samples");
        else if (g_str_has_suffix(written, "_s"))
            *name = g_strdup_printf("%.*s%s", (int)strlen(written) - 1, written,
                                    nytp_measure_base(&measure)->name);
        else
            *name = g_steal_pointer(&written);
    }
    return names;
}
