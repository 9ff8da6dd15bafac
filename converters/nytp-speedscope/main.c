/* nytp-speedscope: the calls of profiles for https://www.speedscope.app. */
#include "speedscope.h"
#include "calls/process_calls.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"

static const nytp_program program = {
    .about = "Writes the calls of Perl profiles as JSON for speedscope, a viewer in browsers,\n"
             "or for VS Code and the DevTools of Chromium.\n",
    .examples = "  nytp-speedscope nytprof.out > run.speedscope.json   # speedscope.app\n"
                "  nytp-speedscope --timeline nytprof.out.* > run.speedscope.json\n"
                "  nytp-speedscope --cpuprofile nytprof.out > run.cpuprofile  # VS Code\n",
    .operands = NYTP_PROFILES,
};

static void warn_of_cut(const speedscope_options *options, uint64_t cut)
{
    if (cut > 0 && options->timeline)
        nytp_say("warning: %s deeper than --depth=%u left out; callers have the time",
                 nytp_counted(cut, "call").text, options->max_depth);
    else
        nytp_say_stacks_are_cut(options->max_depth, cut);
}

/* lines: with --cpuprofile, else NULL. */
static int write_result(nytp_process_calls *calls, const nytp_profile *lines,
                        const speedscope_options *options, const char *path)
{
    uint64_t cut = 0;
    enum { MANY_MB = 200 }; /* the viewer takes long, or fails */
    nytp_output *output = nytp_read_open_large_output(
        path, MANY_MB,
        options->timeline ? "--depth=N leaves out deep calls, and without --timeline it is small"
                          : "--depth=N and --min=1% make it smaller");
    if (output == NULL)
        return -1;
    int error_number = 0;
    if (lines != NULL)
        cut = speedscope_write_cpuprofile(calls, lines, options->min, options->max_depth,
                                          nytp_output_stream(output));
    else
        error_number = speedscope_write(calls, options, nytp_output_stream(output), &cut);
    if (error_number == 0)
        warn_of_cut(options, cut);
    return nytp_output_end(output, error_number);
}

/* Memory is shown by stack alone, in bytes. Returns 0, or -1 after saying why the options do not allow that.
 */
static int check_measure(nytp_process_calls *calls, speedscope_options *options, bool cpuprofile)
{
    size_t count;
    const nytp_process_of_calls *processes = nytp_process_calls_processes(calls, &count);
    if (count == 0 || !nytp_measure_is_bytes(&processes[0].measure))
        return 0;
    if (options->timeline || cpuprofile) {
        nytp_say("a profile of memory has no times of calls: %s cannot show it",
                 options->timeline ? "--timeline" : "--cpuprofile");
        return -1;
    }
    return nytp_read_unit(&options->unit, 0);
}

/* Reads all files, and writes the result. Returns the exit status. */
static int convert(const nytp_operands *files, const nytp_common_options *common,
                   const speedscope_options *options, nytp_process_calls *calls, bool cpuprofile,
                   bool keep_evals)
{
    nytp_profile *lines = cpuprofile ? nytp_profile_new() : NULL;
    if (lines != NULL)
        nytp_events_set_profile(calls->events, lines);
    if (nytp_least_is_given(options->min))
        nytp_process_trees_read_whole(calls);
    int rc = nytp_read_process_calls(files, common, calls);
    if (lines != NULL && !keep_evals)
        nytp_profile_merge_evals(lines);
    speedscope_options shown = *options;
    if (rc == 0)
        rc = check_measure(calls, &shown, cpuprofile);
    if (rc == 0)
        rc = write_result(calls, lines, &shown, common->output);
    nytp_profile_free(lines);
    return nytp_exit_written(rc == 0, common->output,
                             cpuprofile ? "VS Code and DevTools open it"
                                        : "https://www.speedscope.app opens it");
}

int main(int argc, char **argv)
{
    enum { DEPTH = 2000 }; /* deeper stacks exhaust the viewer's own */
    speedscope_options options = {.max_depth = DEPTH, .unit = NYTP_UNIT_NS};
    nytp_common_options common = {.takes = NYTP_TAKES_MEASURE};
    bool keep_evals = false, root = false, cpuprofile = false;
    const nytp_option table[] = {
        {0, "timeline", NULL, "write calls one after another, instead of merged stacks",
         .flag = &options.timeline},
        {0, "cpuprofile", NULL, "write a .cpuprofile, with the times of lines", .flag = &cpuprofile},
        NYTP_ROOT_ROW(root),
        NYTP_MIN_ROW(options.min),
        NYTP_DEPTH_ROW(options.max_depth),
        NYTP_UNIT_ROW(options.unit),
        NYTP_EVAL_ROWS(common, keep_evals),
        NYTP_COMMON_ROWS(common, "write to FILE, not to standard output"),
        NYTP_TABLE_END,
    };
    nytp_operands files;
    nytp_start("nytp-speedscope", argv);
    int status = nytp_options_parse(&program, table, argc, argv, &files);
    if (status < 0)
        status = NYTP_REFUSE(
            {cpuprofile && files.count > 1, NULL,
             "--cpuprofile takes one profile; nytprofmerge makes one from many"},
            {cpuprofile, "timeline unit", "with --cpuprofile, which writes stacks, in microseconds"},
            {options.timeline, "min root", "with --timeline, which writes each call"});
    if (status >= 0)
        return status;
    nytp_process_calls *calls = options.timeline
                                    ? nytp_process_course_new(keep_evals, false)
                                    : nytp_process_trees_new(keep_evals, NYTP_TREES_OF_FRAMES, root, true);
    status = convert(&files, &common, &options, calls, cpuprofile, keep_evals);
    nytp_process_calls_free(calls);
    return status;
}
