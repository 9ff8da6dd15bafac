/* nytprofcsv: the tables of profiles as CSV. */
#include "csv_tables.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"

#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

static const nytp_program program = {
    .about = "Writes the subs, calls, files and lines of a Perl profile as CSV.\n",
    .examples = "  nytprofcsv && sqlite3 :memory: '.import --csv nytprof/subs.csv subs' \\\n"
                "      'select sub, exclusive_s from subs order by +exclusive_s desc limit 10'\n"
                "  nytprofcsv --table=lines -o -\n",
    .operands = NYTP_PROFILES,
};

static nytp_profile *read_profiles(const nytp_operands *files, const nytp_common_options *common)
{
    nytp_profile *sum = nytp_profile_new();
    for (int i = 0; i < files->count; i++) {
        nytp_profile *one = files->count == 1 ? sum : nytp_profile_new();
        int rc = nytp_read_profile(files->names[i], common, one);
        if (one != sum) {
            nytp_profile_add_profile(sum, one);
            nytp_profile_free(one);
        }
        if (rc < 0) {
            nytp_profile_free(sum);
            return NULL;
        }
    }
    return sum;
}

static int write_table(const nytp_profile *profile, enum csv_table table, const char *path)
{
    nytp_output *output = nytp_read_open_output(path);
    if (output == NULL)
        return -1;
    csv_table_write(profile, table, nytp_output_stream(output));
    return nytp_output_commit(output);
}

static int write_all(const nytp_profile *profile, const char *directory)
{
    if (g_mkdir_with_parents(directory, 0777) != 0) {
        nytp_say("%s: cannot create the directory: %s", directory, strerror(errno));
        return -1;
    }
    int rc = 0;
    for (unsigned table = 0; table < CSV_TABLES && rc == 0; table++) {
        char *path = g_strdup_printf("%s/%s.csv", directory, csv_table_names[table]);
        rc = write_table(profile, table, path);
        g_free(path);
    }
    return rc;
}

/* Whether -o names what one table goes to: a file, or standard output. */
static bool is_file(const char *output)
{
    bool exists = g_file_test(output, G_FILE_TEST_EXISTS);
    return strcmp(output, "-") == 0 || (exists && !g_file_test(output, G_FILE_TEST_IS_DIR)) ||
           (!exists && g_str_has_suffix(output, ".csv"));
}

int main(int argc, char **argv)
{
    nytp_common_options common = {.output = "nytprof"};
    unsigned table = CSV_SUBS;
    bool one_table = false, keep_evals = false;
    const nytp_option options[] = {
        {'f', "file", "FILE", "the same as FILE", .is_operand = true},
        {'o', "out", "PATH", "directory (default nytprof); X.csv or -, standard output, for one table",
         .text = &common.output},
        {0, "output", .same_as = "out"},
        {0, "table", "TABLE", "which one", .word = &table,
         .words = csv_table_names, .also = &one_table},
        {0, "no-mergeevals", NULL, "keep the runs of a string eval apart", .flag = &keep_evals},
        {0, "no-merge-evals", .same_as = "no-mergeevals"},
        NYTP_STRICT_ROW(common),
        NYTP_SALVAGE_ROW(common),
        NYTP_VERBOSE_ROW(common),
        NYTP_TABLE_END,
    };
    nytp_operands files;
    nytp_start("nytprofcsv", argv);
    int status = nytp_options_parse(&program, options, argc, argv, &files);
    if (status >= 0)
        return status;
    if (one_table && !is_file(common.output))
        return nytp_wrong_usage("--table needs -o X.csv or -o -: a directory has all tables");
    nytp_profile *profile = read_profiles(&files, &common);
    if (profile == NULL)
        return NYTP_EXIT_FAILED;
    if (!keep_evals)
        nytp_profile_merge_evals(profile);
    int rc = is_file(common.output) ? write_table(profile, table, common.output)
                                    : write_all(profile, common.output);
    if (rc == 0 && common.verbose) {
        nytp_totals totals = nytp_profile_totals(profile);
        nytp_say("%s and %s in %s", nytp_counted(totals.calls, "call").text,
                 nytp_counted(totals.statements, "statement").text, common.output);
    }
    nytp_profile_free(profile);
    return rc == 0 ? NYTP_EXIT_DONE : NYTP_EXIT_FAILED;
}
