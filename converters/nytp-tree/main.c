/* nytp-tree: the calls of profiles as text: trees, every call in order, and dprofpp's table. */
#include "command.h"
#include "read.h"
#include "version.h"
#include "write.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"

#include <glib.h>

static int write_result(tree_calls *c, const char *path)
{
    enum { MANY_MB = 20 }; /* more than anyone reads */
    char *why = NULL;
    nytp_output *output = nytp_read_open_large_output(
        path, MANY_MB,
        c->order != NULL ? "--depth=N makes it smaller" : "--depth=N and --min=PERCENT make it smaller");
    if (output == NULL)
        return -1;
    if (tree_write(c, nytp_output_stream(output), &why))
        return nytp_output_commit(output);
    nytp_say("%s", why);
    g_free(why);
    nytp_output_discard(output);
    return -1;
}

static int run(const tree_command *command)
{
    const nytp_common_options *common = &command->common;
    char *why = NULL;
    tree_calls *c = tree_calls_new(&command->options, &why);
    if (c == NULL) {
        int status = nytp_wrong_usage("%s", why);
        g_free(why);
        return status;
    }
    bool done =
        tree_read(c, &command->files, common, command->force) == 0 && write_result(c, common->output) == 0;
    tree_calls_free(c);
    return done ? NYTP_EXIT_DONE : NYTP_EXIT_FAILED;
}

int main(int argc, char **argv)
{
    tree_command command = {0};
    nytp_start("nytp-tree", argv);
    int status = tree_command_parse(&command, argc, argv);
    if (status >= 0)
        return status;
    return command.show_version ? tree_version_print(command.files.names[0]) : run(&command);
}
