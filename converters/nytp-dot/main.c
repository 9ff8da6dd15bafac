/* nytp-dot: a profile as a call graph, for Graphviz. */
#include "build.h"
#include "draw.h"
#include "packages.h"
#include "cli/tool_options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"
#include "url.h"

#include <stdlib.h>

static const char help[] =
    "usage: nytp-dot [OPTION ...] [FILE]\n"
    "Writes the call graph of a Perl profile in the language of Graphviz.\n"
    "\n"
    "  nytp-dot nytprof.out | dot -Tsvg > graph.svg\n"
    "\n"
    "FILE is what the profiler wrote (default nytprof.out, - for standard input).\n"
    "\n"
    "  -o, --output=FILE      write there, not to standard output\n"
    "      --node-threshold=0.5, --edge-threshold=0.1, --max-nodes=200\n"
    "                         least share of the time in percent, most subs shown\n"
    "      --root=SUB, --leaf=SUB, --depth=N\n"
    "                         only what SUB calls, or what leads to it; so many calls\n"
    "      --focus=REGEX      only ways through such subs\n"
    "      --ignore=REGEX     no such subs\n"
    "      --collapse=package one node a package\n"
    "      --cluster=package  frames around packages, or around each file (=file)\n"
    "      --no-builtins      count built-ins to their callers\n"
    "      --no-merge-evals   keep the runs of a string eval apart\n"
    "      --color=self       hot is what took long by itself, not in total\n"
    "      --theme=THEME      heat (default), gray, print or colorblind\n"
    "      --url=TEMPLATE     links, with {sub}, {package}, {file} and {line}\n"
    "      --strict           a profile that was cut short is an error\n"
    "      --salvage          use what comes before damage\n"
    "  -v, --verbose, -h, --help, --version\n";

enum {
    OPT_NODE_THRESHOLD = 256,
    OPT_EDGE_THRESHOLD,
    OPT_MAX_NODES,
    OPT_ROOT,
    OPT_LEAF,
    OPT_DEPTH,
    OPT_FOCUS,
    OPT_IGNORE,
    OPT_COLLAPSE,
    OPT_CLUSTER,
    OPT_NO_BUILTINS,
    OPT_NO_MERGE_EVALS,
    OPT_COLOR,
    OPT_THEME,
    OPT_URL
};

static const struct option long_options[] = {
    NYTP_TOOL_OPTIONS,
    {"node-threshold", required_argument, NULL, OPT_NODE_THRESHOLD},
    {"edge-threshold", required_argument, NULL, OPT_EDGE_THRESHOLD},
    {"max-nodes", required_argument, NULL, OPT_MAX_NODES},
    {"root", required_argument, NULL, OPT_ROOT},
    {"leaf", required_argument, NULL, OPT_LEAF},
    {"depth", required_argument, NULL, OPT_DEPTH},
    {"focus", required_argument, NULL, OPT_FOCUS},
    {"ignore", required_argument, NULL, OPT_IGNORE},
    {"collapse", required_argument, NULL, OPT_COLLAPSE},
    {"cluster", required_argument, NULL, OPT_CLUSTER},
    {"no-builtins", no_argument, NULL, OPT_NO_BUILTINS},
    {"no-merge-evals", no_argument, NULL, OPT_NO_MERGE_EVALS},
    {"color", required_argument, NULL, OPT_COLOR},
    {"theme", required_argument, NULL, OPT_THEME},
    {"url", required_argument, NULL, OPT_URL},
    {NULL, 0, NULL, 0},
};

typedef struct settings {
    nytp_common_options common;
    dot_graph_options graph;
    dot_choose_options choose;
    dot_draw_options draw;
    bool keep_evals;
} settings;

/* ---- values of options: each returns -1 to go on, or the exit status ---- */

static int set_regex(GRegex **regex, const char *option)
{
    GError *error = NULL;
    if (*regex != NULL)
        g_regex_unref(*regex);
    *regex = g_regex_new(optarg, G_REGEX_OPTIMIZE, 0, &error);
    if (*regex != NULL)
        return -1;
    nytp_say("%s: %s", option, error->message);
    g_error_free(error);
    return nytp_tool_usage();
}

static int set_cluster(enum dot_cluster *cluster)
{
    static const char *const names[] = {"package", "file", NULL};
    static const enum dot_cluster meant[] = {DOT_CLUSTER_PACKAGE, DOT_CLUSTER_FILE};
    int which = 0;
    int rc = nytp_tool_word("--cluster", names, &which);
    *cluster = meant[which];
    return rc;
}

/* Of two words the second sets the flag; a word alone does. */
static int set_word(bool *flag, const char *option, const char *const *words)
{
    int which = 0;
    int rc = nytp_tool_word(option, words, &which);
    *flag = words[which + 1] == NULL;
    return rc;
}

static int set_collapse(bool *packages)
{
    static const char *const names[] = {"package", NULL};
    return set_word(packages, "--collapse", names);
}

static int set_color(bool *by_self)
{
    static const char *const names[] = {"total", "self", NULL};
    return set_word(by_self, "--color", names);
}

static int set_theme(enum dot_theme *theme)
{
    static const char *const names[] = {[DOT_THEME_HEAT] = "heat",
                                        [DOT_THEME_GRAY] = "gray",
                                        [DOT_THEME_PRINT] = "print",
                                        [DOT_THEME_COLORBLIND] = "colorblind",
                                        NULL};
    int which = 0;
    int rc = nytp_tool_word("--theme", names, &which);
    *theme = (enum dot_theme)which;
    return rc;
}

static int set_url(const char **url)
{
    char *complaint = dot_url_complaint(optarg);
    *url = optarg;
    if (complaint == NULL)
        return -1;
    nytp_say("--url=%s: %s", optarg, complaint);
    g_free(complaint);
    return nytp_tool_usage();
}

static int set_option(settings *s, int c)
{
    switch (c) {
    case OPT_NODE_THRESHOLD: return nytp_tool_percent("--node-threshold", &s->choose.node_threshold);
    case OPT_EDGE_THRESHOLD: return nytp_tool_percent("--edge-threshold", &s->choose.edge_threshold);
    case OPT_MAX_NODES: return nytp_tool_count("--max-nodes", &s->choose.max_nodes);
    case OPT_ROOT: s->choose.root = optarg; return -1;
    case OPT_LEAF: s->choose.leaf = optarg; return -1;
    case OPT_DEPTH: return nytp_tool_count("--depth", &s->choose.depth);
    case OPT_FOCUS: return set_regex(&s->choose.focus, "--focus");
    case OPT_IGNORE: return set_regex(&s->choose.ignore, "--ignore");
    case OPT_COLLAPSE: return set_collapse(&s->graph.packages);
    case OPT_CLUSTER: return set_cluster(&s->draw.cluster);
    case OPT_NO_BUILTINS: s->graph.without_builtins = true; return -1;
    case OPT_NO_MERGE_EVALS: s->keep_evals = true; return -1;
    case OPT_COLOR: return set_color(&s->draw.color_by_self);
    case OPT_THEME: return set_theme(&s->draw.theme);
    case OPT_URL: return set_url(&s->draw.url);
    default: return nytp_tool_option(&s->common, c, help);
    }
}

/* ---- the profile ---- */

typedef struct input {
    nytp_profile *profile;
    nytp_calltree *stacks; /* of packages; NULL: there is no need of them */
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
        nytp_say("warning: no calls in there (recorded with subs=0, or cut short?)");
    else if (s->common.verbose)
        nytp_say("%s of %s, %s", nytp_counted(g->total_calls, "call").text,
                 nytp_counted(g->nodes->len - 1, g->packages ? "package" : "sub").text,
                 nytp_counted(g->edges->len, "arc").text);
    int rc = write_graph(g, s);
    dot_graph_free(g);
    return rc;
}

int main(int argc, char **argv)
{
    settings s = {.choose = {.node_threshold = 0.5, .edge_threshold = 0.1, .max_nodes = 200}};
    int c, status;
    nytp_start("nytp-dot", argv);
    while ((c = getopt_long_only(argc, argv, "ho:v", long_options, NULL)) != -1)
        if ((status = set_option(&s, c)) >= 0)
            return status;
    if (argc - optind > 1) {
        nytp_say("one profile at a time; nytprofmerge makes one of many");
        return nytp_tool_usage();
    }
    if (s.graph.packages && s.draw.cluster != DOT_CLUSTER_NONE) {
        nytp_say("--collapse and --cluster do not go together: no subs are shown");
        return nytp_tool_usage();
    }
    input in = {.profile = nytp_profile_new()};
    if (s.graph.packages)
        in.stacks = nytp_calltree_new(dot_package_rename, NULL);
    bool done =
        read_into(&in, optind < argc ? argv[optind] : "nytprof.out", &s.common) >= 0 && convert(&in, &s) == 0;
    nytp_calltree_free(in.stacks);
    nytp_profile_free(in.profile);
    g_clear_pointer(&s.choose.focus, g_regex_unref);
    g_clear_pointer(&s.choose.ignore, g_regex_unref);
    return done ? NYTP_EXIT_DONE : NYTP_EXIT_FAILED;
}
