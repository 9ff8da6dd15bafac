/* nytprofcalls: the calls of profiles as collapsed stacks, for flamegraph.pl. */
#include "collapse.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"

#include <stdlib.h>

static const char help[] =
    "usage: nytprofcalls [OPTION ...] [FILE ...]\n"
    "Writes the call stacks of Perl profiles, one a line, with the time spent in each.\n"
    "\n"
    "  nytprofcalls nytprof.out | flamegraph.pl --nametype=Sub: --countname=ticks > flame.svg\n"
    "\n"
    "FILE is what the profiler wrote (default nytprof.out, - for standard input);\n"
    "several are added up.\n"
    "\n"
    "  -o, --output=FILE    write there, not to standard output\n"
    "      --calls          values are numbers of calls, not times\n"
    "      --unit=UNIT      ticks (default; as recorded, mostly 100 ns), ns or us\n"
    "      --reverse        callee first: who calls the expensive subs\n"
    "      --min=PERCENT    fold stacks with less of the time into their callers\n"
    "      --depth=N        fold what is more than N calls deep into its caller\n"
    "      --no-merge-evals keep the runs of a string eval apart\n"
    "      --stable         accepted, always on: same input, same lines\n"
    "      --strict         a profile that was cut short is an error\n"
    "      --salvage        use what comes before damage\n"
    "  -v, --verbose        say what was read\n"
    "  -h, --help, --version\n";

enum { OPT_CALLS = 256, OPT_STABLE, OPT_UNIT, OPT_MIN, OPT_DEPTH, OPT_REVERSE, OPT_NO_MERGE_EVALS };

static const struct option long_options[] = {
    NYTP_TOOL_OPTIONS,
    {"calls", no_argument, NULL, OPT_CALLS},
    {"stable", no_argument, NULL, OPT_STABLE},
    {"unit", required_argument, NULL, OPT_UNIT},
    {"min", required_argument, NULL, OPT_MIN},
    {"depth", required_argument, NULL, OPT_DEPTH},
    {"reverse", no_argument, NULL, OPT_REVERSE},
    {"no-merge-evals", no_argument, NULL, OPT_NO_MERGE_EVALS},
    {NULL, 0, NULL, 0},
};

static int set_unit(calls_options *o)
{
    static const char *const names[] = {[CALLS_TICKS] = "ticks", [CALLS_NS] = "ns", [CALLS_US] = "us", NULL};
    int unit = 0;
    int rc = nytp_tool_word("--unit", names, &unit);
    o->unit = (enum calls_unit)unit;
    return rc;
}

/* Returns -1 to go on, or the exit status. */
static int set_option(calls_options *o, nytp_common_options *common, int c)
{
    switch (c) {
    case OPT_CALLS: o->count_calls = true; return -1;
    case OPT_STABLE: return -1;
    case OPT_REVERSE: o->reverse = true; return -1;
    case OPT_NO_MERGE_EVALS: o->keep_evals = true; return -1;
    case OPT_UNIT: return set_unit(o);
    case OPT_MIN: return nytp_tool_percent("--min", &o->min_percent);
    case OPT_DEPTH: return nytp_tool_count("--depth", &o->max_depth);
    default: return nytp_tool_option(common, c, help);
    }
}

static int read_profiles(calls_collapse *c, const nytp_common_options *common, char **files, int count)
{
    static char *default_files[] = {"nytprof.out"};
    if (count == 0) {
        files = default_files;
        count = 1;
    }
    bool whole = true;
    for (int i = 0; i < count; i++) {
        int rc = nytp_read_chunks(files[i], common, calls_collapse_wanted(), calls_collapse_on_chunk,
                                  calls_collapse_read_run, c);
        if (rc < 0)
            return -1;
        whole = whole && rc == 0;
        calls_collapse_end_profile(c);
    }
    uint64_t calls;
    size_t stacks, subs;
    calls_collapse_totals(c, &calls, &stacks, &subs);
    if (calls == 0 && whole)
        nytp_say("warning: no calls in there (recorded with calls=0 or subs=0?)");
    else if (common->verbose)
        nytp_say("%s of %s in %s", nytp_counted(calls, "call").text, nytp_counted(subs, "sub").text,
                 nytp_counted(stacks, "different stack").text);
    return 0;
}

static int write_result(calls_collapse *c, const char *path)
{
    nytp_output *output = nytp_read_open_output(path);
    if (output == NULL)
        return -1;
    calls_collapse_write(c, nytp_output_stream(output));
    return nytp_output_commit(output);
}

int main(int argc, char **argv)
{
    calls_options options = {0};
    nytp_common_options common = {0};
    int c, status;
    nytp_start("nytprofcalls", argv);
    while ((c = getopt_long_only(argc, argv, "ho:v", long_options, NULL)) != -1)
        if ((status = set_option(&options, &common, c)) >= 0)
            return status;
    if (options.count_calls && options.unit != CALLS_TICKS) {
        nytp_say("--calls and --unit do not go together: no times are shown");
        return nytp_tool_usage();
    }
    calls_collapse *collapsed = calls_collapse_new(&options);
    bool done = read_profiles(collapsed, &common, argv + optind, argc - optind) == 0 &&
                write_result(collapsed, common.output) == 0;
    calls_collapse_free(collapsed);
    return done ? NYTP_EXIT_DONE : NYTP_EXIT_FAILED;
}
