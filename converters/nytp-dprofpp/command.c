#include "command.h"

#include "view.h"
#include "base/labels.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which form the options ask for. */
typedef struct forms {
    enum dprofpp_form form;
    bool given;          /* one was named */
    int32_t letter_rows; /* of -O, as in dprofpp: 0: the default; negative: all */
} forms;

/* Calls in order win over trees and tables, as in dprofpp, whichever is named first. */
static char *set_form(const nytp_option *option, const char *argument)
{
    forms *f = option->context;
    const enum dprofpp_form form = option->value;
    (void)argument;
    if (!f->given || form == DPROFPP_CALLS || (form == DPROFPP_FOLDED && f->form != DPROFPP_CALLS))
        f->form = form;
    f->given = true;
    return NULL;
}

static const char *const forms_in_words[] = {
    [DPROFPP_MERGED] = "tree",   [DPROFPP_TABLE] = "table", [DPROFPP_CALLS] = "sequence",
    [DPROFPP_FOLDED] = "folded", [DPROFPP_JSON] = "json",   NULL};

/* --root=SUB is an old name of --from. */
static char *set_root(const nytp_option *option, const char *argument)
{
    dprofpp_options *o = option->context;
    if (argument != NULL)
        o->root = argument;
    else
        o->show_root = true;
    return NULL;
}

static char *set_labels(const nytp_option *option, const char *argument)
{
    dprofpp_options *o = option->context;
    const char *const *kinds = nytp_label_kinds + NYTP_LABEL_SQL;
    const size_t kind = nytp_option_word(argument, kinds);
    o->labels = NYTP_LABEL_SQL + (unsigned)kind;
    return kinds[kind] != NULL ? NULL : nytp_option_expect(kinds);
}

static char *set_columns(const nytp_option *option, const char *argument)
{
    dprofpp_options *o = option->context;
    return dprofpp_columns_parse(&o->columns, argument);
}

/* Options that only tables have, only trees as text, and what calls in order lack. */
#define OF_TABLES "inclusive exclusive no-header rows O"
#define OF_TEXT   "unicode color"
#define OF_ORDER  "reverse-order by-time by-average by-calls by-name unsorted"

/* Returns -1 if the options go together, or the exit status. */
static int check(const dprofpp_options *o)
{
    static const char one_by_one[] = "with -T and -t, which show calls one by one";
    const bool is_table = o->form == DPROFPP_TABLE, is_json = o->form == DPROFPP_JSON,
               is_order = dprofpp_is_in_order(o), is_tree = !is_table && !is_order,
               has_others = dprofpp_columns_have(&o->columns, NYTP_P50, DPROFPP_WORK - 1) ||
                            dprofpp_columns_have(&o->columns, DPROFPP_KEPT, DPROFPP_KEPT);
    if (o->group == NULL)
        nytp_options_warn("pull", "without --group"); /* dprofpp takes it, too */
    return NYTP_REFUSE(
        {!is_table, OF_TABLES " labels", "without a table"},
        {!is_table && has_others, "columns", "without a table, but for work, asleep and queued"},
        {is_table, OF_TEXT " depth", "on a table"},
        {is_json, OF_TEXT " unit", "with --json, whose times are ticks"},
        {is_order, "columns min unit " OF_ORDER " " OF_TEXT, one_by_one},
        {is_order && o->show_root, "root", one_by_one},
        {o->callers != NULL && !is_tree, NULL, "--callers is a tree: it goes with -S and --json only"},
        {o->labels != NYTP_LABEL_NONE, "no-labels group pull anons columns evals", "with --labels"},
        {o->root != NULL && is_table, "columns", "with --from: they are of all calls of a sub"},
        {o->sort == DPROFPP_SORT_FOUND, "reverse-order", "with --unsorted"});
}

static nytp_program describe_program(void)
{
    return (nytp_program){
        .about = "Shows the calls of Perl profiles as dprofpp does, by default as a table.\n",
        .examples = "  nytp-dprofpp -S --min=1 --unit=ms nytprof.out | less -S\n",
        .operands = NYTP_PROFILES,
        .letters_only = true,
    };
}

static int parse(dprofpp_command *command, forms *asked, unsigned *color, int argc, char **argv)
{
    const nytp_program program = describe_program();
    dprofpp_options *o = &command->options;
    const nytp_option table[] = {
        {'S', "merged", .call = set_form, .value = DPROFPP_MERGED, .context = asked},
        {'T', "sequence", NULL, "tree of all stacks; every call, in order", .call = set_form,
         .value = DPROFPP_CALLS, .context = asked},
        {0, "table", .call = set_form, .value = DPROFPP_TABLE, .context = asked},
        {0, "json", NULL, "a line for each sub; the merged tree as JSON", .call = set_form,
         .value = DPROFPP_JSON, .context = asked},
        {0, "callers", "SUB", "tree of SUB's callers", .text = &o->callers},
        {0, "to", .same_as = "callers"},
        {0, "findings", .flag = &command->is_other},
        {0, "markdown", .flag = &command->is_other},
        {0, "processes", NULL, "tables of nytp-table", .flag = &command->is_other},
        {0, "columns", "LIST", .call = set_columns, .context = o},
        {0, "labels", "KIND", "table: p50, p95, work ...; a line for each label", .call = set_labels,
         .context = o},
        {'O', NULL, "N", .whole = &asked->letter_rows},
        {'n', "rows", "N", "table: N subs (0: all)", .whole = &o->rows},
        {'g', "from", "SUB", .text = &o->root},
        {0, "root", "SUB", "SUB and all its callees; main::RUNTIME", .call = set_root, .context = o,
         .optional = true},
        {'f', "filter", "REGEX", "leave out matching subs", .call = nytp_set_regex, .context = &o->filter,
         .value = G_REGEX_RAW},
        {0, "min", "LEAST", .min = &o->min},
        {0, "depth", "N", "leave out calls with less (1%, 10us), or deeper than N", .count = &o->max_depth,
         .least = 1},
        NYTP_EVAL_FRAMES_ROW(command->common, NULL),
        NYTP_KINDS_ROW(command->common),
        {0, "unit", "UNIT", "evals and memory as calls; units", .word = &o->unit, .words = nytp_units},
        {0, "unicode", .flag = &o->unicode},
        NYTP_COLOR_ROW(*color, "draw lines; colours"),
        NYTP_OUTPUT_ROW(command->common, "write to FILE"),
        NYTP_FILTER_ROWS(command->common),
        {0, "verbose", .flag = &command->common.verbose}, /* -v is dprofpp's */
        NYTP_DAMAGE_ROWS(command->common, "say what was read; cut, damaged"),
        {0, "help-dprofpp", NULL, "dprofpp's other options", .lists_rest = true},
        {.group = "Options of dprofpp that --help does not list:"},
        {'t', "folded", NULL, "every call, repeats folded", .call = set_form, .value = DPROFPP_FOLDED,
         .context = asked},
        {'d', "reverse-order", NULL, "reverse the order", .flag = &o->reverse},
        {'z', "by-time", .word = &o->sort, .value = DPROFPP_SORT_TIME},
        {'v', "by-average", .word = &o->sort, .value = DPROFPP_SORT_AVERAGE},
        {'l', "by-calls", .word = &o->sort, .value = DPROFPP_SORT_CALLS},
        {'a', "by-name", .word = &o->sort, .value = DPROFPP_SORT_NAME},
        {'U', "unsorted", NULL, "sort, as a table", .word = &o->sort, .value = DPROFPP_SORT_FOUND},
        {'I', "inclusive", .flag = &o->inclusive},
        {'E', "exclusive", .clear = &o->inclusive},
        {'q', "no-header", NULL, "table: these times; no headings", .flag = &o->no_headers},
        {'G', "group", "REGEX", "merge matching subs", .call = nytp_set_regex, .context = &o->group,
         .value = G_REGEX_RAW},
        {'P', "pull", NULL, "with -G: merge the others", .flag = &o->pull},
        {'R', "anons", NULL, "keep anonymous subs apart", .flag = &command->common.dprof.number_anons},
        {'F', "force", NULL, "accept missing exit marks", .flag = &command->force},
        {'r', "real", .word = &o->clock, .value = NYTP_CLOCK_REAL},
        {'s', "system", .word = &o->clock, .value = NYTP_CLOCK_SYSTEM},
        {'u', "user", NULL, "tmon.out: show this time, not user+system time", .word = &o->clock,
         .value = NYTP_CLOCK_USER},
        {'V', NULL, NULL, "version, profiler's, too", .flag = &command->show_version},
        NYTP_HIDDEN_ROWS,
        {0, "format", "FORMAT", .word = &asked->form, .words = forms_in_words},
        {'A', "autoload", NULL, "accepted, without effect", .without_effect = true},
        {.name = "dprofpp"},
        {0, "calls", .same_as = "sequence"},
        {0, "reverse", .same_as = "reverse-order"},
        NYTP_TABLE_END,
    };
    return nytp_options_parse(&program, table, argc, argv, &command->files);
}

int dprofpp_command_parse(dprofpp_command *command, int argc, char **argv)
{
    dprofpp_options *o = &command->options;
    nytp_common_options *common = &command->common;
    enum { DEFAULT_ROWS = 15 };
    forms asked = {0};
    unsigned color = NYTP_COLOR_AUTO;
    o->rows = DEFAULT_ROWS;
    int status = parse(command, &asked, &color, argc, argv);
    common->dprof.clock = o->clock;
    if (status >= 0 || command->show_version)
        return status;
    if (asked.letter_rows != 0 && !nytp_options_given("rows"))
        o->rows = asked.letter_rows;
    const bool is_given = asked.given || nytp_options_given("format"),
               is_table = !is_given && o->callers == NULL &&
                          (!command->is_tree || nytp_options_given(OF_TABLES " by-time by-average by-calls "
                                                                             "by-name unsorted columns "
                                                                             "labels group dprofpp"));
    o->form = is_table ? DPROFPP_TABLE : asked.form;
    o->color = nytp_look_of(common->output, color).has_colors;
    return command->is_other ? -1 : check(o);
}
