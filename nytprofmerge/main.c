/* nytprofmerge: many profiles as one. */
#include "cli/limit.h"
#include "cli/tool_options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"
#include "merge.h"

#include <stdlib.h>
#include <unistd.h>

static const char help[] =
    "usage: nytprofmerge [OPTION ...] FILE ...\n"
    "Writes one Perl profile that has all the given ones: processes, runs, machines.\n"
    "\n"
    "  NYTPROF=addpid=1 perl -d:NYTProf prog.pl && nytprofmerge nytprof.out.*\n"
    "  find . -name 'nytprof.out*' -print0 | nytprofmerge --from-file=- -o - | nytprofcalls -\n"
    "\n"
    "FILE is what the profiler or nytprofmerge wrote, - for standard input.\n"
    "\n"
    "  -o, --output=FILE    write there (default nytprof-merged.out, - for standard output)\n"
    "      --from-file=LIST merge what the file lists, one a line or each ended by a NUL\n"
    "      --compress=N     0 for none, 1 (fastest) to 9 (smallest); default 2\n"
    "      --jobs=N         compress on N threads (default: as many as there are cores, up to 8)\n"
    "      --no-calls       leave out the single calls: what nytprofcalls needs\n"
    "      --no-src         leave out the source\n"
    "      --strict         a profile that was cut short is an error\n"
    "      --salvage        use what comes before damage\n"
    "  -v, --verbose        say what was merged\n"
    "  -h, --help, --version\n";

enum { OPT_FROM_FILE = 256, OPT_COMPRESS, OPT_JOBS, OPT_NO_CALLS, OPT_NO_SRC };

static const struct option long_options[] = {
    NYTP_TOOL_OPTIONS,
    {"out", required_argument, NULL, 'o'}, /* stock's name of it */
    {"from-file", required_argument, NULL, OPT_FROM_FILE},
    {"compress", required_argument, NULL, OPT_COMPRESS},
    {"jobs", required_argument, NULL, OPT_JOBS},
    {"no-calls", no_argument, NULL, OPT_NO_CALLS},
    {"no-src", no_argument, NULL, OPT_NO_SRC},
    {NULL, 0, NULL, 0},
};

enum { MOST_JOBS = 64, MOST_JOBS_UNASKED = 8 };

/* Of each job: two pieces of the stream, what they compress to, the state of that, and a thread's stack. */
enum { JOB_BYTES = 4 << 20 };

static unsigned jobs_unasked(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > MOST_JOBS_UNASKED ? MOST_JOBS_UNASKED : (unsigned)cores;
}

/* Returns -1 to go on, or the exit status. */
static int set_option(merge_options *options, nytp_common_options *common, merge_inputs *inputs, int c)
{
    long number;
    int status;
    switch (c) {
    case OPT_FROM_FILE: return merge_inputs_add_list(inputs, optarg) == 0 ? -1 : NYTP_EXIT_FAILED;
    case OPT_COMPRESS:
        status = nytp_tool_whole("--compress", 0, 9, &number);
        options->level = (int)number;
        return status;
    case OPT_JOBS:
        status = nytp_tool_whole("--jobs", 1, MOST_JOBS, &number);
        options->jobs = (unsigned)number;
        return status;
    case OPT_NO_CALLS: options->no_calls = true; return -1;
    case OPT_NO_SRC: options->no_source = true; return -1;
    default: return nytp_tool_option(common, c, help);
    }
}

static int merge_all(merge_inputs *inputs, const merge_options *options, const nytp_common_options *common)
{
    merge_totals totals;
    if (options->jobs > MOST_JOBS_UNASKED) /* what every program may take does for so many */
        nytp_limit_add((uint64_t)JOB_BYTES * (options->jobs - MOST_JOBS_UNASKED));
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

int main(int argc, char **argv)
{
    merge_options options = {.level = 2, .jobs = jobs_unasked()};
    nytp_common_options common = {.output = "nytprof-merged.out"};
    merge_inputs *inputs = merge_inputs_new();
    int c, status = -1;
    nytp_start("nytprofmerge", argv);
    while (status < 0 && (c = getopt_long_only(argc, argv, "ho:v", long_options, NULL)) != -1)
        status = set_option(&options, &common, inputs, c);
    for (int i = optind; status < 0 && i < argc; i++)
        merge_inputs_add(inputs, argv[i]);
    if (status < 0 && merge_inputs_count(inputs) == 0) {
        nytp_say("no profile is given");
        status = nytp_tool_usage();
    }
    if (status < 0)
        status = merge_all(inputs, &options, &common) == 0 ? NYTP_EXIT_DONE : NYTP_EXIT_FAILED;
    merge_inputs_free(inputs);
    return status;
}
