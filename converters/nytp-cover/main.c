/* nytp-cover: which code has run. */
#include "inputs.h"
#include "show.h"

#include "cli/options.h"
#include "cli/output.h"
#include "cli/say.h"
#include "cli/start.h"

static const nytp_program program = {
    .about = "Shows which lines, branches and subs of a Perl program have run.\n",
    .examples = "  perl -MDevel::NYTProf::Cover my.pl && nytp-cover\n"
                "  nytp-cover --missing nytcover.out nytcover.out.*\n",
    .operands = NYTP_OTHER_OPERANDS,
    .operands_usage = "[RECORDING | DIRECTORY ...]",
    .operands_about = "What Devel::NYTProf::Cover has recorded: nytcover/ or else nytcover.out by default.\n"
                      "Several are added up.\n",
};

/* Writes the tracefile to its file. Returns 0, or -1 after saying why not. */
static int write_lcov(const char *path, const GPtrArray *files)
{
    nytp_output *output = nytp_output_open(path);
    if (output == NULL)
        return -1;
    cover_write_lcov(nytp_output_stream(output), files);
    return nytp_output_commit(output);
}

static int show(const char *path, const GPtrArray *files, bool missing, bool with_evals)
{
    nytp_output *output = nytp_output_open(path);
    if (output == NULL)
        return -1;
    (missing ? cover_show_missing : cover_show_table)(nytp_output_stream(output), files, with_evals);
    return nytp_output_commit(output);
}

int main(int argc, char **argv)
{
    nytp_common_options common = {.output = NULL};
    bool missing = false, with_evals = false;
    const char *lcov = NULL;
    const nytp_option table[] = {
        {'m', "missing", NULL, "list what has not run: lines, and branches as 77->F", .flag = &missing},
        {0, "evals", NULL, "string evals count, too", .flag = &with_evals},
        {0, "lcov", "FILE", "write a tracefile of lcov instead, - for standard output", .path = &lcov},
        NYTP_OUTPUT_ROW(common, "write to FILE (default: standard output)"),
        NYTP_STRICT_ROW(common),
        NYTP_SALVAGE_ROW(common),
        NYTP_VERBOSE_ROW(common),
        NYTP_TABLE_END,
    };
    nytp_operands operands;
    nytp_start("nytp-cover", argv);
    const int status = nytp_options_parse(&program, table, argc, argv, &operands);
    if (status >= 0)
        return status;
    nytp_cover *cover = cover_read_all(&operands, &common);
    if (cover == NULL)
        return NYTP_EXIT_FAILED;
    const GPtrArray *files = nytp_cover_files(cover);
    const int rc = lcov != NULL ? write_lcov(lcov, files) : show(common.output, files, missing, with_evals);
    nytp_cover_free(cover);
    return nytp_exit(rc == 0);
}
