#include "diff.h"

#include "cli/options.h"
#include "cli/say.h"
#include "cli/read.h"
#include "compare/comparison.h"

#include <string.h>

/* Labels of one kind. */
enum { BY_REQUESTS = NYTP_COMPARED_KINDS, BY_QUERIES };
const char *const diff_kinds[] = {
    [NYTP_COMPARE_SUBS] = "subs",         [NYTP_COMPARE_LINES] = "lines",   [NYTP_COMPARE_FILES] = "files",
    [NYTP_COMPARE_PACKAGES] = "packages", [NYTP_COMPARE_STACKS] = "stacks", [NYTP_COMPARE_CALLS] = "calls",
    [NYTP_COMPARE_PLACES] = "places",     [NYTP_COMPARE_LABELS] = "labels", [NYTP_COMPARE_KINDS] = "kinds",
    [BY_REQUESTS] = "requests",           [BY_QUERIES] = "queries",         NULL};
static const char *const measures[] = {[NYTP_FIGURE_EXCL] = "exclusive",
                                       [NYTP_FIGURE_INCL] = "inclusive",
                                       [NYTP_FIGURE_COUNT] = "calls",
                                       [NYTP_FIGURE_PER_COUNT] = "per-call",
                                       [NYTP_FIGURE_DURATION + NYTP_P50] = "p50",
                                       [NYTP_FIGURE_DURATION + NYTP_P95] = "p95",
                                       [NYTP_FIGURE_DURATION + NYTP_P99] = "p99",
                                       [NYTP_FIGURE_DURATION + NYTP_LONGEST] = "max",
                                       [NYTP_FIGURE_DURATION + NYTP_FIRST] = "first",
                                       [NYTP_FIGURE_WORK] = "work",
                                       [NYTP_FIGURE_ASLEEP] = "asleep",
                                       [NYTP_FIGURE_QUEUED] = "queued",
                                       [NYTP_FIGURE_KEPT] = "kept",
                                       NULL};
static const char *const sorts[] = {[DIFF_BY_CHANGE] = "change",
                                    [DIFF_BY_PERCENT] = "percent",
                                    [DIFF_BY_OLD] = "old",
                                    [DIFF_BY_NEW] = "new",
                                    [DIFF_BY_P] = "p",
                                    [DIFF_BY_NAME] = "name",
                                    NULL};

/* One of the kinds, or requests and queries with a comma between them. */
static char *set_by(const nytp_option *option, const char *argument)
{
    diff_options *o = option->context;
    g_auto(GStrv) words = g_strsplit(argument, ",", -1);
    bool is_right = words[0] != NULL;
    o->labels = 0;
    for (char **word = words; *word != NULL; word++) {
        const size_t kind = nytp_option_word(*word, diff_kinds);
        is_right &= diff_kinds[kind] != NULL && (words[1] == NULL || kind >= BY_REQUESTS);
        o->kind = kind < BY_REQUESTS ? (enum nytp_compared)kind : NYTP_COMPARE_LABELS;
        o->labels |= kind < BY_REQUESTS ? 0 : 1U << (kind == BY_REQUESTS ? NYTP_LABEL_SPAN : NYTP_LABEL_SQL);
    }
    return is_right ? NULL : nytp_option_expect(diff_kinds);
}

static char *set_limit(const nytp_option *option, const char *argument)
{
    diff_limit *limit = option->context;
    limit->given = true;
    return nytp_percent_of(argument, &limit->percent);
}

static int parse(diff_command *command, int argc, char **argv, nytp_operands *operands)
{
    static const nytp_program program = {
        .about = "Compares Perl profiles: what changed, and whether that is more than chance.\n",
        .examples = "  nytp-diff before.out after.out\n"
                    "  nytp-diff --fail-over=5% old/run*.out -- new/run*.out\n",
        .operands = NYTP_OTHER_OPERANDS,
        .operands_usage = NYTP_SIDES_USAGE,
        .operands_about = "OLD and NEW are profiles; ~: chance can explain it, as four of each can tell.\n",
    };
    diff_options *o = &command->options;
    const nytp_option table[] = {
        {0, "by", "WHAT", "a row for each of them", .word = &o->kind, .words = diff_kinds, .call = set_by,
         .context = o},
        {0, "value", "VALUE", "what is compared", .word = &o->figure, .words = measures},
        {0, "explain", NULL, "say in sentences what caused the difference", .flag = &o->explain},
        {0, "sort", "KEY", "order of the rows", .word = &o->sort, .words = sorts},
        {'n', "rows", "N", "show N rows; 0: all", .count = &o->rows, .least = 0},
        {0, "format", "FORMAT", "how it is written", .word = &o->form, .words = nytp_table_forms},
        {0, "fail-over", "PERCENT", .call = set_limit, .context = &o->time},
        {0, "fail-calls", "PERCENT", "exit with 3 if NEW has more time, or calls", .call = set_limit,
         .context = &o->calls},
        {0, "of", "SUB", .text = &o->of},
        {0, "mixed", NULL, "limits of SUB; samples with times, too", .flag = &o->mixed},
        NYTP_COMMON_ROWS(command->common, "write to FILE, not to standard output"),
        NYTP_HIDDEN_ROWS,
        {0, "markdown", .word = &o->form, .value = NYTP_MARKDOWN},
        {0, "csv", .word = &o->form, .value = NYTP_CSV},
        {0, "json", .word = &o->form, .value = NYTP_JSON},
        NYTP_TABLE_END,
    };
    return nytp_options_parse(&program, table, argc, argv, operands);
}

/* Returns the kinds (1 << enum nytp_compared) of which there is such a figure. */
static unsigned kinds_with(enum nytp_figure figure)
{
    enum {
        SUBS = 1 << NYTP_COMPARE_SUBS,
        PACKAGES = 1 << NYTP_COMPARE_PACKAGES,
        PLACES = 1 << NYTP_COMPARE_PLACES,
        LABELS = 1 << NYTP_COMPARE_LABELS,
        CALLS = 1 << NYTP_COMPARE_CALLS
    };
    return figure == NYTP_FIGURE_INCL        ? SUBS | PLACES | LABELS | CALLS | 1U << NYTP_COMPARE_STACKS
           : nytp_figure_is_duration(figure) ? SUBS | LABELS
           : (int)figure == NYTP_FIGURE_KEPT ? SUBS | PACKAGES | PLACES | CALLS
           : nytp_figure_is_part(figure)     ? ~(unsigned)PLACES
                                             : ~0U;
}

static int check(const diff_options *o)
{
    if (((1U << o->kind) & kinds_with(o->figure)) == 0)
        return nytp_wrong_usage("--value=%s does not go with --by=%s", measures[o->figure],
                                diff_kinds[o->kind]);
    return NYTP_REFUSE(
        {!o->time.given && !o->calls.given, "of", "without --fail-over and --fail-calls"},
        {o->form == NYTP_CSV || o->form == NYTP_JSON, "rows", "in CSV and JSON, which have all rows"},
        {o->form == NYTP_CSV, "explain", "in CSV, which has rows only"},
        {o->kind == NYTP_COMPARE_LINES || o->kind == NYTP_COMPARE_FILES, "no-labels",
         "on lines and files, which have none"});
}

int diff_command_parse(diff_command *command, int argc, char **argv)
{
    const int after_dashes = nytp_words_after_dashes(argc, argv);
    nytp_operands all;
    command->options.rows = 30;
    int status = parse(command, argc, argv, &all);
    const nytp_memory_wanted *memory = &command->common.memory;
    if (status < 0 && all.count == 1 && memory->view.of == NYTP_MEMORY_GROWN)
        return nytp_wrong_usage("one profile: nytp-table --memory=%s %s shows what grew in it", memory->text,
                                all.names[0]);
    if (status < 0)
        status = nytp_sides_split(&all, after_dashes, command->files);
    if (status < 0 && command->options.kind == NYTP_COMPARE_LABELS && !nytp_options_given("value"))
        command->options.figure = NYTP_FIGURE_INCL;
    return status >= 0 ? status : check(&command->options);
}
