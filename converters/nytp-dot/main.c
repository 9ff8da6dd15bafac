/* nytp-dot: a profile as a call graph, for Graphviz. */
#include "build.h"
#include "draw.h"
#include "packages.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"
#include "url.h"

static const nytp_program program = {
    .about = "Writes the call graph of a Perl profile in the language of Graphviz.\n",
    .examples = "  nytp-dot nytprof.out | dot -Tsvg > graph.svg\n",
    .operands = NYTP_ONE_PROFILE,
    .wide_help = true,
};

enum { COLLAPSE_NONE, COLLAPSE_PACKAGE };
enum { COLOR_BY_TOTAL, COLOR_BY_SELF };

static const char *const collapses[] = {[COLLAPSE_NONE] = "none", [COLLAPSE_PACKAGE] = "package", NULL};
static const char *const clusters[] = {
    [DOT_CLUSTER_NONE] = "none", [DOT_CLUSTER_PACKAGE] = "package", [DOT_CLUSTER_FILE] = "file", NULL};
static const char *const colors[] = {[COLOR_BY_TOTAL] = "total", [COLOR_BY_SELF] = "self", NULL};
static const char *const themes[] = {[DOT_THEME_HEAT] = "heat",
                                     [DOT_THEME_GRAY] = "gray",
                                     [DOT_THEME_PRINT] = "print",
                                     [DOT_THEME_COLORBLIND] = "colorblind",
                                     NULL};

typedef struct settings {
    nytp_common_options common;
    dot_graph_options graph;
    dot_choose_options choose;
    dot_draw_options draw;
    unsigned collapse, color_by;
    bool keep_evals;
} settings;

static char *set_regex(const nytp_option *option, const char *argument)
{
    GRegex **regex = option->context;
    GError *error = NULL;
    g_clear_pointer(regex, g_regex_unref);
    *regex = g_regex_new(argument, G_REGEX_OPTIMIZE, 0, &error);
    char *complaint = error != NULL ? g_strdup(error->message) : NULL;
    g_clear_error(&error);
    return complaint;
}

static char *set_url(const nytp_option *option, const char *argument)
{
    *(const char **)option->context = argument;
    return dot_url_complaint(argument);
}

/* ---- the profile ---- */

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

static int write_graph(dot_graph *g, const settings *s)
{
    char *complaint = dot_choose(g, &s->choose);
    if (complaint != NULL) {
        nytp_say("%s", complaint);
        g_free(complaint);
        return -1;
    }
    nytp_output *output = nytp_read_open_output(s->common.output);
    if (output == NULL)
        return -1;
    dot_draw(g, &s->draw, &s->choose, nytp_output_stream(output));
    return nytp_output_commit(output);
}

static int convert(const input *in, const settings *s)
{
    if (!s->keep_evals)
        nytp_profile_merge_evals(in->profile);
    dot_graph *g = dot_build(in->profile, in->stacks, &s->graph);
    if (g->total_calls == 0)
        nytp_warn_no_calls();
    else if (s->common.verbose)
        nytp_say("%s of %s, %s", nytp_counted(g->total_calls, "call").text,
                 nytp_counted(g->total_members - 1, g->packages ? "package" : "sub").text,
                 nytp_counted(g->edges->len, "arc").text);
    int rc = write_graph(g, s);
    dot_graph_free(g);
    return rc;
}

static int run(const settings *s, const char *path)
{
    input in = {.profile = nytp_profile_new()};
    if (s->graph.packages)
        in.stacks = nytp_calltree_new(dot_package_rename, NULL);
    bool done = read_into(&in, path, &s->common) >= 0 && convert(&in, s) == 0;
    nytp_calltree_free(in.stacks);
    nytp_profile_free(in.profile);
    return done ? NYTP_EXIT_DONE : NYTP_EXIT_FAILED;
}

int main(int argc, char **argv)
{
    settings s = {.choose = {.node_threshold = 0.5, .edge_threshold = 0.1, .max_nodes = 80}};
    const nytp_option table[] = {
        {.group = "Which subs and calls:"},
        {0, "min", "PERCENT", "subs with as much time", .percent = &s.choose.node_threshold},
        {0, "min-edge", "PERCENT", "arrows with as much", .percent = &s.choose.edge_threshold},
        {0, "max-nodes", "N", "so many subs", .count = &s.choose.max_nodes, .least = 1},
        {0, "depth", "N", "so many calls deep", .count = &s.choose.depth, .least = 1},
        {0, "from", "SUB", "SUB and what it calls", .text = &s.choose.root},
        {0, "to", "SUB", "SUB and what leads to it", .text = &s.choose.leaf},
        {0, "focus", "REGEX", "ways through such subs", .call = set_regex, .context = &s.choose.focus},
        {0, "ignore", "REGEX", "no such subs", .call = set_regex, .context = &s.choose.ignore},
        {0, "no-builtins", NULL, "add built-ins to callers", .flag = &s.graph.without_builtins},
        {0, "no-merge-evals", NULL, "keep string evals apart", .flag = &s.keep_evals},
        {.group = "What they look like:"},
        {0, "collapse", "TO", "one node for each", .word = &s.collapse, .words = collapses},
        {0, "begin", NULL, "one node for each BEGIN block", .flag = &s.graph.begin_blocks},
        {0, "cluster", "BY", "a frame around each", .word = &s.draw.cluster, .words = clusters},
        {0, "color-by", "TIME", "time that makes a node hot", .word = &s.color_by, .words = colors},
        {0, "theme", "THEME", "colours", .word = &s.draw.theme, .words = themes},
        {0, "url", "TEMPLATE", "links, with {sub}, {package}, {file} and {line}", .call = set_url,
         .context = &s.draw.url},
        {0, "node-threshold", .same_as = "min"},
        {0, "edge-threshold", .same_as = "min-edge"},
        {0, "root", .same_as = "from"},
        {0, "leaf", .same_as = "to"},
        {0, "color", .same_as = "color-by"},
        NYTP_COMMON_ROWS(s.common, "write there, not to standard output"),
        NYTP_TABLE_END,
    };
    nytp_operands files;
    nytp_start("nytp-dot", argv);
    int status = nytp_options_parse(&program, table, argc, argv, &files);
    s.graph.packages = s.collapse == COLLAPSE_PACKAGE;
    s.draw.color_by_self = s.color_by == COLOR_BY_SELF;
    if (status < 0 && s.graph.packages && s.draw.cluster != DOT_CLUSTER_NONE)
        status = nytp_wrong_usage("--collapse and --cluster do not go together: no subs are shown");
    if (status < 0)
        status = run(&s, files.names[0]);
    g_clear_pointer(&s.choose.focus, g_regex_unref);
    g_clear_pointer(&s.choose.ignore, g_regex_unref);
    return status;
}
