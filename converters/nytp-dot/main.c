/* nytp-dot: a profile as a call graph, for Graphviz. */
#include "build.h"
#include "command.h"
#include "draw.h"
#include "packages.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"

typedef struct input {
    nytp_profile *profile;
    nytp_calltree *stacks; /* of packages; NULL: not needed */
} input;

static int read_into(input *in, const char *path, const nytp_common_options *common)
{
    if (in->stacks == NULL)
        return nytp_read_profile(path, common, in->profile);
    return nytp_read_profile_with_calls(path, common, in->profile, in->stacks);
}

static int write_graph(dot_graph *g, const dot_command *c)
{
    char *complaint = dot_choose(g, &c->choose);
    if (complaint != NULL) {
        nytp_say("%s", complaint);
        g_free(complaint);
        return -1;
    }
    nytp_output *output = nytp_read_open_output(c->common.output);
    if (output == NULL)
        return -1;
    dot_draw(g, &c->draw, &c->choose, nytp_output_stream(output));
    return nytp_output_commit(output);
}

static int convert(const input *in, const dot_command *c)
{
    if (!c->keep_evals)
        nytp_profile_merge_evals(in->profile);
    dot_graph *g = dot_build(in->profile, in->stacks, &c->graph);
    if (g->total_calls == 0)
        nytp_warn_no_calls();
    else if (c->common.verbose)
        nytp_say("%s of %s, %s", nytp_counted(g->total_calls, "call").text,
                 nytp_counted(g->total_members - 1, g->packages ? "package" : "sub").text,
                 nytp_counted(g->edges->len, "arc").text);
    int rc = write_graph(g, c);
    dot_graph_free(g);
    return rc;
}

static int run(const dot_command *c)
{
    input in = {.profile = nytp_profile_new()};
    if (c->graph.packages)
        in.stacks = nytp_calltree_new(dot_package_rename, NULL);
    bool done = read_into(&in, c->file, &c->common) >= 0 && convert(&in, c) == 0;
    nytp_calltree_free(in.stacks);
    nytp_profile_free(in.profile);
    return done ? NYTP_EXIT_DONE : NYTP_EXIT_FAILED;
}

int main(int argc, char **argv)
{
    dot_command command = {0};
    nytp_start("nytp-dot", argv);
    int status = dot_command_parse(&command, argc, argv);
    if (status < 0)
        status = run(&command);
    dot_command_clear(&command);
    return status;
}
