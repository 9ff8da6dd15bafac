/* nytp-diff: what changed between profiles, and whether by more than chance. */
#include "diff.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"
#include "compare/comparison.h"

static int write_result(nytp_comparison *comparison, const diff_command *command)
{
    const char *path = command->common.output;
    const nytp_look look = nytp_look_of(path, NYTP_COLOR_NEVER);
    nytp_output *output = nytp_read_open_output(path);
    if (output == NULL)
        return -1;
    diff_rows *rows = diff_rows_new(comparison, &command->options);
    const enum nytp_table_form form = command->options.form;
    FILE *out = form == NYTP_TEXT ? nytp_output_text(output, &look) : nytp_output_stream(output);
    if (form == NYTP_JSON)
        diff_json_write(rows, out);
    else
        diff_table_write(rows, &look, out);
    diff_rows_free(rows);
    return nytp_output_commit(output);
}

int main(int argc, char **argv)
{
    diff_command command = {.common = {.takes = NYTP_TAKES_MEASURE, .takes_mixed = true}};
    nytp_start("nytp-diff", argv);
    int status = diff_command_parse(&command, argc, argv);
    if (status >= 0)
        return status;
    nytp_comparison *comparison = nytp_comparison_new();
    nytp_comparison_show_paths(comparison);
    if (diff_read(comparison, &command) == 0 && write_result(comparison, &command) == 0)
        status = diff_limits_check(comparison, &command.options);
    else
        status = NYTP_EXIT_FAILED;
    nytp_comparison_free(comparison);
    return status;
}
