/* nytprofcg: a profile as a callgrind file. */
#include "callgrind.h"
#include "calls/calltree.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"

static const nytp_program program = {
    .about = "Writes a Perl profile as a callgrind file, with the time of every sub and line.\n",
    .examples = "  nytprofcg && kcachegrind nytprof.callgrind\n"
                "  nytprofcg -o - | callgrind_annotate --auto=yes /dev/stdin\n",
    .operands = NYTP_ONE_PROFILE,
};

static void report(const nytp_profile *profile, const nytp_common_options *common)
{
    nytp_totals t = nytp_profile_totals(profile);
    if (t.calls == 0 && t.statements == 0)
        nytp_warn_lack("neither calls nor statements");
    else if (common->verbose)
        nytp_say("%s, %s of %s, %s", nytp_counted(t.statements, "statement").text,
                 nytp_counted(t.calls, "call").text,
                 nytp_counted(nytp_profile_sub_count(profile), "sub").text,
                 nytp_counted(nytp_profile_file_count(profile), "file").text);
}

static int convert(nytp_profile *profile, nytp_calltree *calls, const char *path, const cg_options *options,
                   const nytp_common_options *common)
{
    if (nytp_read_profile_and_calls(path, common, profile, calls, cg_needs_calls, options) < 0)
        return -1;
    report(profile, common);
    nytp_output *output = nytp_read_open_output(common->output);
    if (output == NULL)
        return -1;
    cg_write(profile, calls, options, nytp_output_stream(output));
    return nytp_output_commit(output);
}

int main(int argc, char **argv)
{
    cg_options options = {0};
    nytp_common_options common = {.takes = NYTP_TAKES_MEASURE, .output = "nytprof.callgrind"};
    const nytp_option table[] = {
        NYTP_FILE_ROW,
        NYTP_EVALS_ROW(options.keep_evals),
        NYTP_ROW(0, "no-split", NULL, "do not split subs that recur by what they lead to",
                 .flag = &options.no_split),
        {0, "out", .same_as = "output"}, /* stock's name for it */
        NYTP_COMMON_ROWS(common, "write to FILE (default nytprof.callgrind, - for stdout)"),
        NYTP_TABLE_END,
    };
    nytp_operands files;
    nytp_start("nytprofcg", argv);
    int status = nytp_options_parse(&program, table, argc, argv, &files);
    if (status >= 0)
        return status;
    nytp_profile *profile = nytp_profile_new();
    nytp_calltree *calls = nytp_calltree_new(NULL, NULL);
    nytp_calltree_read_waited(calls);
    int rc = convert(profile, calls, files.names[0], &options, &common);
    nytp_calltree_free(calls);
    nytp_profile_free(profile);
    return nytp_exit(rc == 0);
}
