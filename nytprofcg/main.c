/* nytprofcg: a profile as a callgrind file. */
#include "callgrind.h"
#include "calls/call_statements.h"
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

/* The sources are complete before the file that names them appears. */
static int end(nytp_output *output, cg_sources *sources)
{
    if (sources == NULL)
        return nytp_output_commit(output);
    FILE *out = nytp_output_stream(output);
    if (fflush(out) == 0 && !ferror(out) && cg_sources_commit(sources) != 0) {
        nytp_output_discard(output);
        return -1;
    }
    return nytp_output_commit(output);
}

static int write_file(nytp_profile *profile, const cg_calls *calls, const cg_options *options,
                      const nytp_common_options *common)
{
    report(profile, common);
    nytp_output *output = nytp_read_open_output(common->output);
    if (output == NULL)
        return -1;
    if (options->sources != NULL && cg_sources_open(options->sources, common->verbose) != 0) {
        nytp_output_discard(output);
        return -1;
    }
    cg_write(profile, calls, options, nytp_output_stream(output));
    return end(output, options->sources);
}

static int convert(const char *path, const cg_options *options, const nytp_common_options *common)
{
    nytp_profile *profile = nytp_profile_new();
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    nytp_calltree_read_waited(tree);
    nytp_call_statements *statements = nytp_call_statements_new(tree);
    if (options->sources != NULL)
        cg_sources_collect(options->sources, profile);
    int rc = nytp_read_profile_and_calls(path, common, profile, tree);
    if (rc >= 0)
        rc = write_file(
            profile,
            &(cg_calls){tree, nytp_call_statements_tree(statements), nytp_call_statements_turns(statements)},
            options, common);
    nytp_call_statements_free(statements);
    nytp_calltree_free(tree);
    nytp_profile_free(profile);
    return rc;
}

int main(int argc, char **argv)
{
    cg_options options = {0};
    const char *sources = NULL;
    nytp_common_options common = {.takes = NYTP_TAKES_MEASURE, .output = "nytprof.callgrind"};
    static const char *const jumps[] = {"own", "all", "none", NULL}; /* cg_jumps */
    const nytp_option table[] = {
        NYTP_FILE_ROW,
        NYTP_EVALS_ROW(options.keep_evals),
        NYTP_ROW(0, "no-split", NULL, "do not split subs that recur by what they lead to",
                 .flag = &options.no_split),
        NYTP_ROW(0, "sources", "DIR", "write source text that is not on disk into DIR", .path = &sources),
        {0, "jumps", "WHICH", "code whose loops are shown", .word = &options.jumps, .words = jumps},
        {0, "out", .same_as = "output"}, /* stock's name for it */
        NYTP_COMMON_ROWS(common, "write to FILE (default nytprof.callgrind, - for stdout)"),
        NYTP_TABLE_END,
    };
    nytp_operands files;
    nytp_start("nytprofcg", argv);
    int status = nytp_options_parse(&program, table, argc, argv, &files);
    if (status >= 0)
        return status;
    if (sources != NULL && (options.sources = cg_sources_new(sources, common.output)) == NULL)
        return nytp_exit(false);
    const int rc = convert(files.names[0], &options, &common);
    cg_sources_free(options.sources);
    return nytp_exit(rc == 0);
}
