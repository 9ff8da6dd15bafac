#include "command.h"

#include "cli/say.h"
#include "cli/options.h"
#include "draw.h"

static const nytp_program program = {
    .about = "Writes the call graph of a Perl profile in the language of Graphviz.\n",
    .examples = "  nytp-dot nytprof.out | dot -Tsvg > graph.svg\n",
    .operands = NYTP_ONE_PROFILE,
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

int dot_command_parse(dot_command *c, int argc, char **argv)
{
    unsigned collapse = COLLAPSE_NONE, color_by = COLOR_BY_TOTAL;
    c->choose.min.percent = 0.5;
    c->choose.min_edge.percent = 0.1;
    c->choose.max_nodes = 40;
    const nytp_option table[] = {
        {0, "min", "LEAST", "leave out subs with less: 1%, 10us", .min = &c->choose.min},
        {0, "min-edge", "LEAST", "leave out arrows with less of the time", .min = &c->choose.min_edge},
        {0, "max-nodes", "N", "show N subs", .count = &c->choose.max_nodes, .least = 1},
        {0, "depth", "N", "calls up to N deep", .count = &c->choose.depth, .least = 1},
        {0, "from", "SUB", .text = &c->choose.root},
        {0, "to", "SUB", "SUB and all its callees; all its callers", .text = &c->choose.leaf},
        NYTP_FOCUS_ROWS(c->choose.focus, c->choose.ignore),
        {0, "no-builtins", .flag = &c->graph.without_builtins},
        {0, "no-merge-evals", NULL, "built-ins belong to callers; evals apart", .flag = &c->keep_evals},
        {0, "diff", "OLD", "compare with the profile OLD", .path = &c->old},
        {0, "collapse", "TO", "merge subs by", .word = &collapse, .words = collapses},
        {0, "cluster", "BY", "frame subs by", .word = &c->draw.cluster, .words = clusters},
        {0, "color-by", "TIME", "what colours show", .word = &color_by, .words = colors},
        {0, "theme", "THEME", "colours", .word = &c->draw.theme, .words = themes},
        {0, "url", "TEMPLATE", "make links, with {sub}, {package}, {file} and {line}", .call = nytp_set_url,
         .context = &(nytp_url_option){&c->draw.url, dot_url_words}},
        {0, "node-threshold", .same_as = "min"},
        {0, "edge-threshold", .same_as = "min-edge"},
        {0, "root", .same_as = "from"},
        {0, "leaf", .same_as = "to"},
        {0, "color", .same_as = "color-by"},
        NYTP_COMMON_ROWS(c->common, "write to FILE, not to standard output"),
        NYTP_HIDDEN_ROWS,
        {0, "begin", NULL, "a box for each BEGIN block", .flag = &c->graph.begin_blocks},
        NYTP_TABLE_END,
    };
    nytp_operands files;
    int status = nytp_options_parse(&program, table, argc, argv, &files);
    if (status >= 0)
        return status;
    c->file = files.names[0];
    c->graph.packages = collapse == COLLAPSE_PACKAGE;
    c->draw.color_by_self = color_by == COLOR_BY_SELF;
    return NYTP_REFUSE({c->graph.packages, "cluster begin", "with --collapse=package, which shows no subs"});
}

void dot_command_clear(dot_command *c)
{
    g_clear_pointer(&c->choose.focus, g_regex_unref);
    g_clear_pointer(&c->choose.ignore, g_regex_unref);
}
