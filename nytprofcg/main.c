/* nytprofcg: a profile as a callgrind file. */
#include "callgrind.h"
#include "cli/tool_options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"

static const char help[] =
    "usage: nytprofcg [OPTION ...] [FILE]\n"
    "Writes a Perl profile as a callgrind file, with the time of every sub and line.\n"
    "\n"
    "  nytprofcg && kcachegrind nytprof.callgrind\n"
    "  nytprofcg -o - | callgrind_annotate --auto=yes /dev/stdin\n"
    "\n"
    "FILE is what the profiler wrote (default nytprof.out, - for standard input).\n"
    "\n"
    "  -f, --file=FILE      the same\n"
    "  -o, --output=FILE    write there (default nytprof.callgrind, - for standard output)\n"
    "      --no-merge-evals keep the runs of a string eval apart\n"
    "      --strict         a profile that was cut short is an error\n"
    "      --salvage        use what comes before damage\n"
    "  -v, --verbose        say what was read\n"
    "  -h, --help, --version\n";

enum { OPT_NO_MERGE_EVALS = 256 };

static const struct option long_options[] = {
    NYTP_TOOL_OPTIONS,
    {"file", required_argument, NULL, 'f'},
    {"out", required_argument, NULL, 'o'}, /* stock's name of it */
    {"no-merge-evals", no_argument, NULL, OPT_NO_MERGE_EVALS},
    {NULL, 0, NULL, 0},
};

static void tell(const nytp_profile *profile, const nytp_common_options *common)
{
    nytp_totals t = nytp_profile_totals(profile);
    if (t.calls == 0 && t.statements == 0)
        nytp_say("warning: neither calls nor statements in there");
    else if (common->verbose)
        nytp_say("%s, %s of %s, %s", nytp_counted(t.statements, "statement").text,
                 nytp_counted(t.calls, "call").text,
                 nytp_counted(nytp_profile_sub_count(profile), "sub").text,
                 nytp_counted(nytp_profile_file_count(profile), "file").text);
}

static int convert(nytp_profile *profile, const char *path, const cg_options *options,
                   const nytp_common_options *common)
{
    if (nytp_read_profile(path, common, profile) < 0)
        return -1;
    tell(profile, common);
    nytp_output *output = nytp_read_open_output(common->output);
    if (output == NULL)
        return -1;
    cg_write(profile, options, nytp_output_stream(output));
    return nytp_output_commit(output);
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    cg_options options = {0};
    nytp_common_options common = {.output = "nytprof.callgrind"};
    int c, status;
    nytp_start("nytprofcg", argv);
    while ((c = getopt_long_only(argc, argv, "f:ho:v", long_options, NULL)) != -1) {
        if (c == 'f')
            path = optarg;
        else if (c == OPT_NO_MERGE_EVALS)
            options.keep_evals = true;
        else if ((status = nytp_tool_option(&common, c, help)) >= 0)
            return status;
    }
    if (argc - optind > (path == NULL ? 1 : 0)) {
        nytp_say("one profile at a time; nytprofmerge makes one of many");
        return nytp_tool_usage();
    }
    if (path == NULL)
        path = optind < argc ? argv[optind] : "nytprof.out";
    nytp_profile *profile = nytp_profile_new();
    int rc = convert(profile, path, &options, &common);
    nytp_profile_free(profile);
    return rc == 0 ? NYTP_EXIT_DONE : NYTP_EXIT_FAILED;
}
