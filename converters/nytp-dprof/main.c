/* nytp-dprof: the calls of a profile as a tmon.out, for programs that read those of Devel::DProf. */
#include "cli/options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"
#include "dprof.h"

static const nytp_program program = {
    .about = "Writes the calls of a Perl profile as a tmon.out, for dprofpp.\n",
    .examples = "  nytp-dprof nytprof.out && dprofpp\n"
                "  nytp-dprof -o - nytprof.out | dprofpp -T /dev/stdin\n",
    .operands = NYTP_ONE_PROFILE,
    .notes = "Times are those of the profile's clock, which dprofpp shows as user time.\n"
             "Many calls go through a temporary file in TMPDIR, 32 bytes each.\n",
};

static void report(const dprof *d, const nytp_common_options *common)
{
    uint64_t calls;
    uint32_t subs;
    dprof_totals(d, &calls, &subs);
    if (calls == 0)
        nytp_warn_no_calls();
    else if (common->verbose)
        nytp_say("%s of %s", nytp_counted(calls, "call").text, nytp_counted(subs, "sub").text);
}

static int convert(dprof *d, const char *path, const nytp_common_options *common)
{
    nytp_events *events = dprof_events(d);
    const nytp_read_handler handler = {
        .tags = nytp_events_tags(events), .read_some = nytp_events_read, .context = events};
    if (nytp_read(path, common, &handler) < 0)
        return -1;
    report(d, common);
    nytp_output *output = nytp_read_open_output(common->output);
    if (output == NULL)
        return -1;
    return nytp_output_end(output, dprof_write(d, nytp_output_stream(output)));
}

int main(int argc, char **argv)
{
    nytp_common_options common = {.output = "tmon.out"};
    const nytp_option table[] = {
        NYTP_COMMON_ROWS(common, "write to FILE (default tmon.out, - for standard output)"),
        NYTP_TABLE_END,
    };
    nytp_operands files;
    nytp_start("nytp-dprof", argv);
    int status = nytp_options_parse(&program, table, argc, argv, &files);
    if (status >= 0)
        return status;
    if (nytp_output_refuses_terminal(common.output))
        return NYTP_EXIT_FAILED;
    dprof *d = dprof_new();
    int rc = convert(d, files.names[0], &common);
    dprof_free(d);
    return nytp_exit_written(rc == 0, common.output, "dprofpp shows it");
}
