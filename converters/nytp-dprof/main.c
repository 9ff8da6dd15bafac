/* nytp-dprof: the calls of a profile as a tmon.out, for what reads those of Devel::DProf. */
#include "dprof.h"
#include "model/unnamed_file.h"
#include "cli/tool_options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"

#include <string.h>

static const char help[] =
    "usage: nytp-dprof [OPTION ...] [FILE]\n"
    "Writes the calls of a Perl profile as Devel::DProf would have: a tmon.out, for dprofpp.\n"
    "\n"
    "  nytp-dprof nytprof.out && dprofpp\n"
    "  nytp-dprof -o - nytprof.out | dprofpp -T /dev/stdin\n"
    "\n"
    "FILE is what the profiler wrote (default nytprof.out, - for standard input).\n"
    "\n"
    "  -o, --output=FILE    write there (default tmon.out, - for standard output)\n"
    "      --strict         a profile that was cut short is an error\n"
    "      --salvage        use what comes before damage\n"
    "  -v, --verbose        say what was read\n"
    "  -h, --help, --version\n"
    "\n"
    "Times are those of the profile's clock, which dprofpp shows as user time. What is on\n"
    "the way goes through a file in TMPDIR, of 16 bytes a call.\n";

static const struct option long_options[] = {
    NYTP_TOOL_OPTIONS,
    {NULL, 0, NULL, 0},
};

static void tell(const dprof *d, const nytp_common_options *common)
{
    uint64_t calls;
    uint32_t subs;
    dprof_totals(d, &calls, &subs);
    if (calls == 0)
        nytp_say("warning: no calls in there (recorded with calls=0 or subs=0?)");
    else if (common->verbose)
        nytp_say("%s of %s", nytp_counted(calls, "call").text, nytp_counted(subs, "sub").text);
}

static int convert(dprof *d, const char *path, const nytp_common_options *common)
{
    if (nytp_read(path, common, dprof_wanted(), dprof_read, d) < 0)
        return -1;
    tell(d, common);
    nytp_output *output = nytp_read_open_output(common->output);
    if (output == NULL)
        return -1;
    int error_number = dprof_write(d, nytp_output_stream(output));
    if (error_number == 0)
        return nytp_output_commit(output);
    nytp_say(NYTP_UNNAMED_FILE_FAILED, strerror(error_number));
    nytp_output_discard(output);
    return -1;
}

int main(int argc, char **argv)
{
    nytp_common_options common = {.output = "tmon.out"};
    int c, status;
    nytp_start("nytp-dprof", argv);
    while ((c = getopt_long_only(argc, argv, "ho:v", long_options, NULL)) != -1)
        if ((status = nytp_tool_option(&common, c, help)) >= 0)
            return status;
    if (argc - optind > 1) {
        nytp_say("one profile at a time; nytprofmerge makes one of many");
        return nytp_tool_usage();
    }
    dprof *d = dprof_new();
    int rc = convert(d, optind < argc ? argv[optind] : "nytprof.out", &common);
    dprof_free(d);
    return rc == 0 ? NYTP_EXIT_DONE : NYTP_EXIT_FAILED;
}
