/* nytp-tree: the calls of profiles as text: trees, every call in order, and dprofpp's table. */
#include "read.h"
#include "version.h"
#include "write.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"

#include <glib.h>
#include <stdlib.h>
#include <unistd.h>

enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
static const char *const whens[] = {
    [COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never", NULL};

static tree_options options;
static nytp_common_options common;
static enum color_when color;
static bool form_set, table_implied, force, show_version;

/* Calls in order win over trees and tables, as in dprofpp, whichever is named first. */
static char *set_form(const nytp_option *option, const char *argument)
{
    const enum tree_form form = option->value;
    (void)argument;
    if (!form_set || form == TREE_CALLS || (form == TREE_FOLDED && options.form != TREE_CALLS))
        options.form = form;
    form_set = true;
    return NULL;
}

static const nytp_option table[] = {
    {'S', "merged", NULL, "tree of all stacks", .call = set_form, .value = TREE_MERGED},
    {'T', "sequence", NULL, "every call, in order", .call = set_form, .value = TREE_CALLS},
    {'t', "folded", NULL, "the same, repeats folded", .call = set_form, .value = TREE_FOLDED},
    {0, "table", NULL, "a line for each sub", .call = set_form, .value = TREE_TABLE},
    {0, "json", NULL, "the tree, for programs", .call = set_form, .value = TREE_JSON},
    {0, "callers", "SUB", "tree of SUB's callers", .text = &options.callers},
    {'z', "by-time", .word = &options.sort, .value = TREE_SORT_TIME, .also = &table_implied},
    {'v', "by-average", .word = &options.sort, .value = TREE_SORT_AVERAGE, .also = &table_implied},
    {'l', "by-calls", .word = &options.sort, .value = TREE_SORT_CALLS, .also = &table_implied},
    {'a', "by-name", .word = &options.sort, .value = TREE_SORT_NAME, .also = &table_implied},
    {'U', "unsorted", NULL, "sort; show a table", .word = &options.sort, .value = TREE_SORT_FOUND,
     .also = &table_implied},
    {'d', "reverse-order", NULL, "the other way round", .flag = &options.reverse},
    {'q', "no-header", NULL, "table: no headings", .flag = &options.no_headers, .also = &table_implied},
    {'I', "inclusive", NULL, "table: inclusive times", .flag = &options.inclusive, .also = &table_implied},
    {'E', "exclusive", NULL, "table: exclusive times", .clear = &options.inclusive, .also = &table_implied},
    {'O', "rows", "N", "table: N subs (-1: all)", .whole = &options.rows, .also = &table_implied},
    {'g', "from", "SUB", "SUB and what it calls", .text = &options.root},
    {'f', "filter", "REGEX", "leave out such subs", .text = &options.filter},
    {'G', "group", "REGEX", "one sub of all such subs", .text = &options.group},
    {'P', "pull", NULL, "and one of all others", .flag = &options.pull},
    {'R', "anons", NULL, "keep anonymous subs apart", .flag = &options.keep_anons},
    {'A', "autoload", NULL, "accepted, without effect", .flag = NULL},
    {'F', "force", NULL, "accept missing exit marks", .flag = &force},
    {'r', "real", .word = &options.clock, .value = NYTP_CLOCK_REAL},
    {'s', "system", .word = &options.clock, .value = NYTP_CLOCK_SYSTEM},
    {'u', "user", NULL, "tmon.out: this time, instead of user+system time", .word = &options.clock,
     .value = NYTP_CLOCK_USER},
    {0, "min", "PERCENT", "leave out what took less", .percent = &options.min_percent},
    {0, "depth", "N", "N levels of calls", .count = &options.max_depth, .least = 1},
    {0, "unit", "UNIT", "unit of times", .word = &options.unit, .words = nytp_units},
    {0, "color", "WHEN", "colour names", .word = &color, .words = whens, .optional = true,
     .value = COLOR_ALWAYS},
    {0, "unicode", NULL, "lines between calls", .flag = &options.unicode},
    NYTP_OUTPUT_ROW(common, "write there"),
    NYTP_STRICT_ROW(common),
    NYTP_SALVAGE_ROW(common),
    {0, "verbose", NULL, "say what was read", .flag = &common.verbose}, /* -v is dprofpp's */
    {'V', NULL, NULL, "and the profiler's version", .flag = &show_version},
    {0, "calls", .same_as = "sequence"},
    {0, "reverse", .same_as = "reverse-order"},
    {0, "root", .same_as = "from"},
    NYTP_TABLE_END,
};

/* Returns -1 if the options go together, or the exit status. */
static int check_options(void)
{
    const tree_options *o = &options;
    if (o->callers != NULL && o->form != TREE_MERGED && o->form != TREE_JSON)
        return nytp_wrong_usage("--callers is a tree: it goes with -S and --json only");
    if (o->min_percent > 0 && (o->form == TREE_CALLS || o->form == TREE_FOLDED))
        return nytp_wrong_usage("--min does not go with -T and -t, which show no times");
    if (o->form == TREE_JSON && o->unit != NYTP_UNIT_S && o->unit != NYTP_UNIT_TICKS)
        return nytp_wrong_usage("--unit does not go with --json, whose times are ticks");
    return -1;
}

static void complete_options(void)
{
    const bool to_terminal =
        common.output == NULL && nytp_is_terminal(STDOUT_FILENO) && getenv("NO_COLOR") == NULL;
    options.color = color == COLOR_ALWAYS || (color == COLOR_AUTO && to_terminal);
    common.dprof.clock = options.clock;
    common.dprof.number_anons = options.keep_anons;
}

static int write_result(tree_calls *c)
{
    char *why = NULL;
    nytp_output *output = nytp_read_open_output(common.output);
    if (output == NULL)
        return -1;
    if (tree_write(c, nytp_output_stream(output), &why))
        return nytp_output_commit(output);
    nytp_say("%s", why);
    g_free(why);
    nytp_output_discard(output);
    return -1;
}

static int run(const nytp_operands *files)
{
    char *why = NULL;
    tree_calls *c = tree_calls_new(&options, &why);
    if (c == NULL) {
        int status = nytp_wrong_usage("%s", why);
        g_free(why);
        return status;
    }
    bool done = tree_read(c, files, &common, force) == 0 && write_result(c) == 0;
    tree_calls_free(c);
    return done ? NYTP_EXIT_DONE : NYTP_EXIT_FAILED;
}

int main(int argc, char **argv)
{
    const bool only_tmon = access("nytprof.out", F_OK) != 0 && access("tmon.out", F_OK) == 0;
    const nytp_program program = {
        .about =
            "Shows the calls of Perl profiles (nytprof.out or tmon.out) as dprofpp does, by default -S.\n",
        .examples = "  nytp-tree --min=1 --unit=ms nytprof.out | less -S\n",
        .operands = NYTP_PROFILES,
        .default_file = only_tmon ? "tmon.out" : NULL,
        .wide_help = true,
        .letters_only = true,
    };
    nytp_operands files;
    nytp_start("nytp-tree", argv);
    int status = nytp_options_parse(&program, table, argc, argv, &files);
    if (status >= 0)
        return status;
    if (show_version)
        return tree_version_print(files.names[0]);
    if (!form_set && options.callers == NULL && table_implied)
        options.form = TREE_TABLE;
    status = check_options();
    complete_options();
    return status >= 0 ? status : run(&files);
}
