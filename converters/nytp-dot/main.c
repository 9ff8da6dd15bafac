/* nytp-dot: a profile as a call graph, for Graphviz. */
#include "graph.h"
#include "command.h"
#include "draw.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"
#include "model/measure.h"

typedef struct input {
    nytp_profile *profile;
    nytp_calltree *stacks; /* of packages; NULL: not needed */
} input;

static int write_graph(dot_graph *g, const dot_command *c)
{
    char *complaint = dot_choose(g, &c->choose);
    if (complaint != NULL) {
        nytp_say("%s", complaint);
        g_free(complaint);
        return -1;
    }
    /* A box is the link of one sub, and in one frame; and each sub may have changed. */
    if (c->draw.url == NULL && c->draw.cluster == DOT_CLUSTER_NONE && !g->compares)
        dot_chains_join(g);
    nytp_output *output = nytp_read_open_output(c->common.output);
    if (output == NULL)
        return -1;
    dot_draw(g, &c->draw, &c->choose, nytp_output_stream(output));
    return nytp_output_commit(output);
}

static dot_graph *graph_of(const input *in, const dot_command *c)
{
    if (!c->keep_evals)
        nytp_profile_merge_evals(in->profile);
    return dot_build(in->profile, in->stacks, &c->graph);
}

static input input_new(const dot_command *c)
{
    input in = {nytp_profile_new(), NULL};
    if (c->graph.packages)
        in.stacks = nytp_calltree_new(dot_package_rename, NULL);
    return in;
}

static void input_free(input *in)
{
    nytp_calltree_free(in->stacks);
    nytp_profile_free(in->profile);
}

/* Compares the graph with that of the profile OLD. Returns 0, or -1 after saying why not. */
static int compare(dot_graph *g, const dot_command *c)
{
    input old = input_new(c);
    int rc = nytp_read_profile(c->old, &c->common, old.profile, old.stacks);
    if (rc >= 0) {
        dot_graph *old_graph = graph_of(&old, c);
        dot_compare(g, old_graph);
        dot_graph_free(old_graph);
    }
    input_free(&old);
    return rc < 0 ? -1 : 0;
}

static int convert(const input *in, const dot_command *c)
{
    dot_graph *g = graph_of(in, c);
    if (g->total_calls == 0 && g->edges->len == 0)
        nytp_warn_no_calls();
    else if (c->common.verbose)
        nytp_say("%s of %s, %s", nytp_counted(g->total_calls, "call").text,
                 nytp_counted(g->total_members - 1, g->packages ? "package" : "sub").text,
                 nytp_counted(g->edges->len, "arc").text);
    int rc = c->old != NULL ? compare(g, c) : 0;
    if (rc == 0)
        rc = write_graph(g, c);
    dot_graph_free(g);
    return rc;
}

static int run(const dot_command *c)
{
    input in = input_new(c);
    bool done = nytp_read_profile(c->file, &c->common, in.profile, in.stacks) >= 0 && convert(&in, c) == 0;
    input_free(&in);
    return nytp_exit_written(done, c->common.output, "dot -Tsvg draws it");
}

int main(int argc, char **argv)
{
    dot_command command = {.common = {.takes = NYTP_TAKES_MEASURE}};
    nytp_start("nytp-dot", argv);
    int status = dot_command_parse(&command, argc, argv);
    if (status < 0)
        status = run(&command);
    dot_command_clear(&command);
    return status;
}
