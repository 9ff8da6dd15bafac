/* nytp-trace: the course of calls for trace viewers. */
#include "trace.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"

#include <string.h>

static const nytp_program program = {
    .about = "Writes the calls of Perl profiles as a timeline, for https://ui.perfetto.dev.\n",
    .examples = "  nytp-trace --min=100us nytprof.out > nytprof.pftrace\n"
                "  nytp-trace -o run.json nytprof.out nytprof.out.*\n",
    .operands = NYTP_PROFILES,
    .notes = "Each call begins when it began, to within the statement that ran, and lasts\n"
             "as long as time passed, also if it was not counted.\n",
};

static int write_result(nytp_process_calls *calls, const trace_options *options, const char *path)
{
    enum { MANY_MB = 200 }; /* viewers take long, or fail */
    uint64_t cut = 0;
    nytp_output *output = nytp_read_open_large_output(path, MANY_MB, "--min=10us leaves out short calls");
    if (output == NULL)
        return -1;
    int error_number = trace_write(calls, options, nytp_output_stream(output), &cut);
    if (error_number == 0 && cut > 0)
        nytp_say("warning: %s deeper than --depth=%u left out; callers have the time",
                 nytp_counted(cut, "call").text, options->max_depth);
    return nytp_output_end(output, error_number);
}

static bool ends_in_json(const char *path)
{
    static const char end[] = ".json";
    size_t length = path != NULL ? strlen(path) : 0;
    return length >= sizeof end - 1 && strcmp(path + length - (sizeof end - 1), end) == 0;
}

int main(int argc, char **argv)
{
    enum { DEPTH = 512 }; /* Perfetto drops deeper calls */
    trace_options options = {.max_depth = DEPTH};
    nytp_common_options common = {.takes_mixed = true};
    bool keep_evals = false;
    const nytp_option table[] = {
        {0, "json", NULL, "write Chrome's JSON, not Perfetto's protobuf; the default for X.json",
         .flag = &options.json},
        {0, "min", "LEAST", "leave out shorter calls: 10us, 1ms, 1%", .min = &options.min, .value = true},
        {0, "depth", "N", "leave out calls more than N deep", .count = &options.max_depth, .least = 1},
        NYTP_EVAL_ROWS(common, keep_evals),
        NYTP_COMMON_ROWS(common, "write to FILE, not to standard output"),
        NYTP_TABLE_END,
    };
    nytp_operands files;
    nytp_start("nytp-trace", argv);
    int status = nytp_options_parse(&program, table, argc, argv, &files);
    if (status >= 0)
        return status;
    options.json = options.json || ends_in_json(common.output);
    if (!options.json && nytp_output_refuses_terminal(common.output))
        return NYTP_EXIT_FAILED;
    nytp_process_calls *calls = nytp_process_course_new(keep_evals, true);
    bool done = nytp_read_process_calls(&files, &common, calls) == 0 &&
                write_result(calls, &options, common.output) == 0;
    nytp_process_calls_free(calls);
    return nytp_exit_written(done, common.output, "https://ui.perfetto.dev opens it");
}
