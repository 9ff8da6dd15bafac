/* nytp-pprof: profiles for pprof, and for what else reads its format. */
#include "pprof.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"

#include <glib.h>

static const nytp_program program = {
    .about = "Writes Perl profiles for `go tool pprof`, Grafana Pyroscope, Parca and others.\n",
    .examples = "  nytp-pprof nytprof.out > nytprof.pb.gz && go tool pprof -http=: nytprof.pb.gz\n"
                "  nytp-pprof --lines nytprof.out > l.pb.gz && go tool pprof -list=main:: l.pb.gz\n",
    .operands = NYTP_PROFILES,
};

typedef struct inputs {
    bool lines, fits;          /* fits: as many stacks as Pyroscope accepts */
    nytp_profile *profile;     /* with --lines */
    nytp_process_calls *calls; /* without */
} inputs;

static int write_result(const inputs *r, const pprof_options *options, const char *path)
{
    nytp_output *output = nytp_read_open_output(path);
    if (output == NULL)
        return -1;
    if (nytp_output_compress(output) != 0) {
        nytp_output_discard(output);
        return -1;
    }
    if (r->lines)
        pprof_write_lines(r->profile, options->now, nytp_output_stream(output));
    else
        nytp_say_stacks_are_cut(options->max_depth, (r->fits ? pprof_write_fitting : pprof_write_stacks)(
                                                        r->calls, options, nytp_output_stream(output))
                                                        .cut);
    return nytp_output_commit(output);
}

enum { RECORDED, NOW };
static const char *const whens[] = {[RECORDED] = "recorded", [NOW] = "now", NULL};

int main(int argc, char **argv)
{
    enum { DEPTH = 2000 }; /* a sample has all of its stack, so the file grows with the square of the depth */
    pprof_options options = {.max_depth = DEPTH};
    nytp_common_options common = {0};
    inputs r = {0};
    bool keep_evals = false, root = false;
    unsigned when = RECORDED;
    const nytp_option table[] = {
        {0, "lines", NULL, "write the time of each line, for pprof -list; no callers", .flag = &r.lines},
        NYTP_ROOT_ROW(root),
        NYTP_MIN_ROW(options.min),
        NYTP_DEPTH_ROW(options.max_depth),
        {0, "pyroscope", NULL, "fold the smallest stacks until Pyroscope accepts the profile",
         .flag = &r.fits},
        {0, "time", "WHEN", "time of the profile", .word = &when, .words = whens},
        NYTP_EVAL_ROWS(common, keep_evals),
        NYTP_COMMON_ROWS(common, "write to FILE, not to standard output"),
        NYTP_TABLE_END,
    };
    nytp_operands files;
    nytp_start("nytp-pprof", argv);
    int status = nytp_options_parse(&program, table, argc, argv, &files);
    if (status < 0)
        status = NYTP_REFUSE(
            {r.lines, "root min depth evals no-labels pyroscope", "with --lines, which writes no calls"},
            {r.lines && files.count > 1, NULL, "--lines takes one profile; nytprofmerge makes one from many"});
    if (status >= 0)
        return status;
    options.now = when == NOW;
    if (r.fits)
        options.max_depth = MIN(options.max_depth, PPROF_FIT_DEPTH);
    common.takes = r.lines ? NYTP_TAKES_TIME : NYTP_TAKES_ALL;
    common.filters.kinds = !r.lines && nytp_read_is_memory(files.names[0], &common);
    if (nytp_output_refuses_terminal(common.output))
        return NYTP_EXIT_FAILED;
    r.calls = nytp_process_trees_new(keep_evals, NYTP_TREES_OF_LINED_FRAMES, root, false);
    r.profile = nytp_profile_new();
    if (nytp_least_is_given(options.min) || r.fits)
        nytp_process_trees_read_whole(r.calls);
    int rc = r.lines ? nytp_read_profile(files.names[0], &common, r.profile, NULL)
                     : nytp_read_process_calls(&files, &common, r.calls);
    if (r.lines && !keep_evals)
        nytp_profile_merge_evals(r.profile);
    bool done = rc >= 0 && write_result(&r, &options, common.output) == 0;
    nytp_process_calls_free(r.calls);
    nytp_profile_free(r.profile);
    return nytp_exit_written(done, common.output, "go tool pprof -http=: shows it");
}
