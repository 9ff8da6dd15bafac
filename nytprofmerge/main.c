/* nytprofmerge: many profiles as one. */
#include "cli/options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"
#include "merge.h"

#include <glib.h>
#include <unistd.h>

static const nytp_program program = {
    .about = "Merges Perl profiles into one: those of several processes, runs or machines.\n",
    .examples = "  NYTPROF=addpid=1 perl -d:NYTProf prog.pl && nytprofmerge nytprof.out.*\n"
                "  find . -name 'nytprof.out*' -print0 | nytprofmerge --from-file=- -o all.out\n",
    .operands = NYTP_OTHER_OPERANDS,
    .operands_usage = "FILE ...",
    .operands_about = "FILE is a profile, which may be a merged one, or - for standard input.\n",
};

enum { MOST_JOBS = 64, MOST_DEFAULT_JOBS = 8 };

static void set_jobs(merge_options *options)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (options->jobs == 0)
        options->jobs = (uint32_t)CLAMP(cores, 1, MOST_DEFAULT_JOBS);
}

static char *keep_list(const nytp_option *option, const char *path)
{
    g_ptr_array_add(option->context, (char *)path);
    return NULL;
}

static int add_inputs(merge_inputs *inputs, const GPtrArray *lists, const nytp_operands *files)
{
    for (guint i = 0; i < lists->len; i++)
        if (merge_inputs_add_list(inputs, lists->pdata[i]) != 0)
            return NYTP_EXIT_FAILED;
    for (int i = 0; i < files->count; i++)
        merge_inputs_add(inputs, files->names[i]);
    return merge_inputs_count(inputs) > 0 ? -1 : nytp_wrong_usage("no profile is given");
}

static int merge_all(merge_inputs *inputs, const merge_options *options, const nytp_common_options *common)
{
    merge_totals totals;
    if (merge_inputs_check(inputs, common->output) != 0)
        return -1;
    nytp_output *output = nytp_read_open_output(common->output);
    if (output == NULL)
        return -1;
    if (merge_write(inputs, options, common, nytp_output_stream(output), &totals) != 0) {
        nytp_output_discard(output);
        return -1;
    }
    if (common->verbose)
        nytp_say("%s: %s, %s, %s", nytp_counted(merge_inputs_count(inputs), "profile").text,
                 nytp_counted(totals.processes, "process").text, nytp_counted(totals.files, "file").text,
                 nytp_counted(totals.arcs, "call arc").text);
    return nytp_output_commit(output);
}

static int run(const merge_options *options, const nytp_common_options *common, const GPtrArray *lists,
               const nytp_operands *files)
{
    merge_inputs *inputs = merge_inputs_new(common);
    nytp_common_options of_inputs = *common; /* which are profiles of memory then */
    int status = add_inputs(inputs, lists, files);
    of_inputs.memory.is_given = false;
    if (common->memory.is_given)
        of_inputs.filters.range = (nytp_stretch){0};
    if (status < 0)
        status =
            nytp_exit_written(merge_all(inputs, options, &of_inputs) == 0, common->output, "nytp shows it");
    merge_inputs_free(inputs);
    return status;
}

int main(int argc, char **argv)
{
    merge_options options = {.level = 2};
    nytp_common_options common = {.takes = NYTP_TAKES_MEASURE, .output = "nytprof-merged.out"};
    nytp_operands files;
    nytp_start("nytprofmerge", argv);
    g_autoptr(GPtrArray) lists = g_ptr_array_new();
    const nytp_option table[] = {
        {0, "from-file", "LIST",
         "also merge the profiles that LIST names, one on each line or each ended by a NUL",
         .call = keep_list, .context = lists},
        {0, "compress", "N", "level from 1 (fastest) to 9 (smallest), 0 for none", .whole = &options.level,
         .most = 9},
        {0, "jobs", "N", "compress on N threads (default: one for each core, up to 8)",
         .count = &options.jobs, .least = 1, .most = MOST_JOBS},
        {0, "no-calls", NULL, "leave out single calls, which flame graphs are made from",
         .flag = &options.no_calls},
        {0, "no-src", NULL, "leave out the source", .flag = &options.no_source},
        {0, "out", .same_as = "output"}, /* stock's name for it */
        NYTP_COMMON_ROWS(common, "write to FILE (default nytprof-merged.out, - for stdout)"),
        NYTP_TABLE_END,
    };
    int status = nytp_options_parse(&program, table, argc, argv, &files);
    if (status < 0)
        status = NYTP_REFUSE({options.level == 0, "jobs", "with --compress=0"});
    set_jobs(&options);
    if (status < 0 && nytp_output_refuses_terminal(common.output))
        status = NYTP_EXIT_FAILED;
    if (status < 0)
        status = run(&options, &common, lists, &files);
    return status;
}
