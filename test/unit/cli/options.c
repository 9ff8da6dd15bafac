/* The command line: parsing, help, completions and messages, all from one table. */
#include "test/unit/capture.h"
#include "test/unit/support.h"
#include "cli/options.h"
#include "cli/say.h"
#include "cli/start.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum when { AUTO, ALWAYS, NEVER };

static struct {
    bool reverse, inclusive;
    const char *root, *old;
    nytp_least min;
    uint32_t depth, level;
    int32_t rows;
    enum when color;
    unsigned form;
    char called[64];
    nytp_common_options common;
} set;

static char *note(const nytp_option *option, const char *argument)
{
    if (argument != NULL && strcmp(argument, "bad") == 0)
        return strdup("expected something good");
    snprintf(set.called, sizeof set.called, "%s %u %s", (const char *)option->context, option->value,
             argument != NULL ? argument : "nothing");
    return NULL;
}

static const char *const whens[] = {[AUTO] = "auto", [ALWAYS] = "always", [NEVER] = "never", NULL};

static const nytp_option table[] = {
    {.group = "Order:"},
    {'d', "reverse-order", NULL, NULL, .flag = &set.reverse},
    {0, "reverse", .same_as = "reverse-order"},
    {'I', "inclusive", NULL, "how subs are sorted", .flag = &set.inclusive},
    {'E', NULL, NULL, "the same, by what they took themselves", .clear = &set.inclusive},
    {'O', "rows", "N", "show N subs", .whole = &set.rows},
    {.group = "What is shown:"},
    {'g', "root", "SUB", "only what SUB calls", .text = &set.root},
    {0, "min", "LEAST", "leave out less", .min = &set.min},
    {0, "node-threshold", .same_as = "min"},
    {0, "depth", "N", "levels", .count = &set.depth, .least = 1},
    {0, "level", "N", "from nothing to all", .count = &set.level, .most = 9},
    {0, "color", "WHEN", "colour names", .word = &set.color, .words = whens, .optional = true,
     .value = ALWAYS},
    {'T', "tree", NULL, "as a tree", .word = &set.form, .value = 7},
    {'C', "call", "TEXT", "for all else", .call = note, .value = 3, .context = "it"},
    {'f', "file", "FILE", "the same as FILE", .is_operand = true},
    NYTP_COMMON_ROWS(set.common, "write there, not to standard output"),
    NYTP_HIDDEN_ROWS,
    {0, "secret", "TEXT", NULL, .text = &set.old},
    NYTP_TABLE_END,
};

static const nytp_program some_tool = {
    .about = "Does something.\n", .examples = "  some-tool | less\n", .operands = NYTP_PROFILES};
static const nytp_program letters = {
    .about = "", .examples = "", .operands = NYTP_PROFILES, .letters_only = true};
static const nytp_program one = {.about = "", .examples = "", .operands = NYTP_ONE_PROFILE};
static const nytp_program runs = {.about = "",
                                  .examples = "",
                                  .operands = NYTP_OTHER_OPERANDS,
                                  .operands_usage = "COMMAND",
                                  .ends_at_operand = true};

static nytp_operands operands;

/* Parses a command line of words with blanks between them. */
static int parse(const nytp_program *program, const char *line)
{
    static char words[256];
    static char *argv[32];
    int argc = 1;
    memset(&set, 0, sizeof set);
    snprintf(words, sizeof words, "%s", line);
    argv[0] = words;
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    return nytp_options_parse(program, table, argc, argv, &operands);
}

static void assert_operands(int count, ...)
{
    va_list names;
    va_start(names, count);
    assert_int_equal(operands.count, count);
    for (int i = 0; i < count; i++)
        assert_string_equal(operands.names[i], va_arg(names, const char *));
    va_end(names);
}

static void assert_wrong(const nytp_program *program, const char *line, const char *message)
{
    char expected[256];
    capture c = capture_begin(STDERR_FILENO);
    int status = parse(program, line);
    snprintf(expected, sizeof expected, "some-tool: %s\nTry 'some-tool --help'.\n", message);
    assert_string_equal(capture_end(&c), expected);
    assert_int_equal(status, NYTP_EXIT_USAGE);
}

/* What the command line prints to standard output; it must be done then. */
static const char *printed(const nytp_program *program, const char *line)
{
    capture c = capture_begin(STDOUT_FILENO);
    int status = parse(program, line);
    const char *text = capture_end(&c);
    assert_int_equal(status, NYTP_EXIT_DONE);
    return text;
}

/* ---- what options set ---- */

static void filters_are_common_options(void **state)
{
    (void)state;
    assert_int_equal(parse(&some_tool, "--no-wait --no-labels --process=7"), -1);
    assert_true(set.common.filters.no_wait && set.common.filters.no_labels &&
                set.common.filters.process == 7);
}

static void each_kind_of_option_is_stored(void **state)
{
    (void)state;
    assert_int_equal(parse(&some_tool, "-d --root=main::f --min 2.5 --depth=3 --level=0 -O -1 -o x --strict"),
                     -1);
    assert_true(set.reverse && set.common.strict && !set.common.salvage && !set.common.verbose);
    assert_false(set.common.filters.no_wait || set.common.filters.no_labels ||
                 set.common.filters.process != 0);
    assert_string_equal(set.root, "main::f");
    assert_true(set.min.percent == 2.5);
    assert_int_equal(set.depth, 3);
    assert_int_equal(set.rows, -1);
    assert_string_equal(set.common.output, "x");
    assert_int_equal(parse(&some_tool, "--tree --color=never --salvage -v"), -1);
    assert_int_equal(set.form, 7);
    assert_int_equal(set.color, NEVER);
    assert_true(set.common.salvage && set.common.verbose);
}

static void a_flag_is_set_and_cleared(void **state)
{
    (void)state;
    assert_int_equal(parse(&some_tool, "-I"), -1);
    assert_true(set.inclusive);
    assert_int_equal(parse(&some_tool, "-I -E"), -1);
    assert_true(!set.inclusive);
}

static void an_optional_argument_is_attached_or_not_there(void **state)
{
    (void)state;
    assert_int_equal(parse(&some_tool, "--color never"), -1);
    assert_int_equal(set.color, ALWAYS);
    assert_operands(1, "never");
}

static void a_function_may_take_the_argument(void **state)
{
    (void)state;
    assert_int_equal(parse(&some_tool, "--call=x"), -1);
    assert_string_equal(set.called, "it 3 x");
    assert_wrong(&some_tool, "--call=bad", "--call=bad: expected something good");
    assert_wrong(&some_tool, "-C bad", "-C bad: expected something good");
}

/* ---- how options are written ---- */

static void names_may_have_one_dash_and_be_shortened(void **state)
{
    static const char *const lines[] = {"--root=a", "--root a", "-root=a", "-root a", "--roo=a",
                                        "-roo a",   "-g a",     "-ga",     "-dga"};
    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++) {
        assert_int_equal(parse(&some_tool, lines[i]), -1);
        assert_string_equal(set.root, "a");
    }
}

static void letters_only_are_never_a_name(void **state)
{
    (void)state;
    assert_int_equal(parse(&letters, "-dIgroot"), -1);
    assert_true(set.reverse && set.inclusive);
    assert_string_equal(set.root, "root");
    assert_wrong(&letters, "-root", "invalid option '-r'");
}

static void an_old_name_works_as_the_new_one(void **state)
{
    (void)state;
    assert_int_equal(parse(&some_tool, "--reverse --node-threshold=4"), -1);
    assert_true(set.reverse);
    assert_true(set.min.percent == 4);
    assert_int_equal(parse(&some_tool, "--rev"), -1);
    assert_true(set.reverse);
    assert_wrong(&some_tool, "--node=x",
                 "--node-threshold=x: expected a percentage from 0 to 100, or a duration such as 10us");
}

static void what_is_left_out_is_a_share_or_a_duration(void **state)
{
    (void)state;
    assert_int_equal(parse(&some_tool, "--min=10us"), -1);
    assert_true(set.min.ns == 10000 && set.min.percent == 0 && nytp_min_is_duration());
    assert_int_equal(parse(&some_tool, "--min=2ms --min=1.5%"), -1);
    assert_true(set.min.ns == 0 && set.min.percent == 1.5 && !nytp_min_is_duration());
    assert_wrong(&some_tool, "--min=5ticks",
                 "--min=5ticks: expected a percentage from 0 to 100, or a duration such as 10us");
    assert_wrong(&some_tool, "--min=us",
                 "--min=us: expected a percentage from 0 to 100, or a duration such as 10us");
}

static void operands_and_options_may_be_mixed(void **state)
{
    (void)state;
    assert_int_equal(parse(&some_tool, "a -d b - -- -c --"), -1);
    assert_operands(5, "a", "b", "-", "-c", "--");
    assert_true(set.reverse);
    assert_int_equal(parse(&runs, "-d a -I --root"), -1);
    assert_operands(3, "a", "-I", "--root");
    assert_int_equal(parse(&runs, ""), -1);
    assert_operands(0);
    setenv("POSIXLY_CORRECT", "1", 1);
    assert_int_equal(parse(&some_tool, "a -d"), -1);
    unsetenv("POSIXLY_CORRECT");
    assert_operands(2, "a", "-d");
}

static void a_profile_has_a_default_name(void **state)
{
    (void)state;
    assert_int_equal(parse(&some_tool, "-d"), -1);
    assert_operands(1, "nytprof.out");
    assert_int_equal(parse(&one, "-f a -f b"), -1);
    assert_operands(1, "b");
    assert_wrong(&one, "a b", "one profile at a time; nytprofmerge makes one from many");
    assert_wrong(&one, "-f a b", "one profile at a time; nytprofmerge makes one from many");
}

static void wrong_usage_is_said(void **state)
{
    (void)state;
    assert_wrong(&some_tool, "--nonsense", "unrecognized option '--nonsense'");
    assert_wrong(&some_tool, "-nonsense", "unrecognized option '-nonsense'");
    assert_wrong(&some_tool, "-dX", "invalid option '-X'");
    assert_wrong(&letters, "-X", "invalid option '-X'");
    assert_wrong(&some_tool, "--r=1",
                 "option '--r=1' is ambiguous; possibilities: --reverse-order --rows --root --range");
    assert_wrong(&some_tool, "-s",
                 "option '-s' is ambiguous; possibilities: --span --slowest --strict --salvage --secret");
}

static void values_that_make_no_sense_are_said(void **state)
{
    (void)state;
    assert_wrong(&some_tool, "--root", "option '--root' requires an argument");
    assert_wrong(&some_tool, "-g", "option '-g' requires an argument");
    assert_wrong(&some_tool, "--tree=2", "option '--tree' doesn't allow an argument");
    assert_wrong(&some_tool, "--color=red", "--color=red: expected auto, always or never");
    assert_wrong(&some_tool, "--min=101",
                 "--min=101: expected a percentage from 0 to 100, or a duration such as 10us");
    assert_wrong(&some_tool, "--min=nan",
                 "--min=nan: expected a percentage from 0 to 100, or a duration such as 10us");
    assert_wrong(&some_tool, "--depth=0", "--depth=0: expected a whole number from 1 to 2147483647");
    assert_wrong(&some_tool, "--depth=4294967296",
                 "--depth=4294967296: expected a whole number from 1 to 2147483647");
    assert_wrong(&some_tool, "--level=-1", "--level=-1: expected a whole number from 0 to 9");
    assert_wrong(&some_tool, "--level=10", "--level=10: expected a whole number from 0 to 9");
    assert_wrong(&some_tool, "--output=", "--output=: expected the name of a file or directory");
    assert_wrong(&some_tool, "-O 2x", "-O 2x: expected a whole number from -2147483648 to 2147483647");
}

/* ---- what is printed ---- */

static void help_comes_from_the_table(void **state)
{
    (void)state;
    assert_string_equal(printed(&some_tool, "--help"),
                        "usage: some-tool [OPTION ...] [FILE ...]\n"
                        "Does something.\n"
                        "\n"
                        "  some-tool | less\n"
                        "FILE is a profile (default nytprof.out, - for stdin); several add up.\n"
                        "Order:\n"
                        "  -d, --reverse-order  -I, --inclusive  how subs are sorted\n"
                        "  -E                    the same, by what they took themselves\n"
                        "  -O, --rows=N          show N subs\n"
                        "What is shown:\n"
                        "  -g, --root=SUB        only what SUB calls\n"
                        "      --min=LEAST       leave out less\n"
                        "      --depth=N         levels\n"
                        "      --level=N         from nothing to all (at most 9)\n"
                        "      --color[=WHEN]    colour names: auto (default), always or never\n"
                        "  -T, --tree            as a tree\n"
                        "  -C, --call=TEXT       for all else\n"
                        "  -f, --file=FILE       the same as FILE\n"
                        "  -o, --output=FILE     write there, not to standard output\n"
                        "  --no-wait --work --no-labels --range --span --slowest --memory --process\n"
                        "                        nytp help filters\n"
                        "  -v, --verbose --strict --salvage  say what was read; cut, damaged\n"
                        "  -h, --help, --version\n");
    assert_string_equal(printed(&some_tool, "--version"), "some-tool " NYTP_VERSION_STRING "\n");
}

static void a_default_number_is_in_the_help(void **state)
{
    static uint32_t count = 3;
    static double percent = 0.5;
    static const nytp_option defaults[] = {{0, "count", "N", "so many", .count = &count},
                                           {0, "few", "N", "some", .count = &count, .most = 9},
                                           {0, "share", "PERCENT", "so much", .percent = &percent},
                                           NYTP_TABLE_END};
    char *argv[] = {NULL, (char *)"--help", NULL};
    (void)state;
    capture c = capture_begin(STDOUT_FILENO);
    int status = nytp_options_parse(&one, defaults, 2, argv, &operands);
    const char *text = capture_end(&c);
    assert_int_equal(status, NYTP_EXIT_DONE);
    assert_contains(text, "  --count=N         so many (default 3)\n");
    assert_contains(text, "  --few=N           some (default 3, at most 9)\n");
    assert_contains(text, "  --share=PERCENT   so much (default 0.5)\n");
}

static void completions_come_from_the_table(void **state)
{
    (void)state;
    assert_string_equal(printed(&some_tool, "--help-values"), "-d\t\n--reverse-order\t\n"
                                                              "-I\t\n--inclusive\t\n"
                                                              "-E\t\n"
                                                              "-O=\tN\n--rows=\tN\n"
                                                              "-g=\tSUB\n--root=\tSUB\n"
                                                              "--min=\tLEAST\n"
                                                              "--depth=\tN\n"
                                                              "--level=\tN\n"
                                                              "--color[=]\tauto always never\n"
                                                              "-T\t\n--tree\t\n"
                                                              "-C=\tTEXT\n--call=\tTEXT\n"
                                                              "-f=\tFILE\n--file=\tFILE\n"
                                                              "-o=\tFILE\n--output=\tFILE\n"
                                                              "--no-wait\t\n"
                                                              "--work\t\n"
                                                              "--no-labels\t\n"
                                                              "--range=\tFROM..TO\n"
                                                              "--span=\tNAME\n"
                                                              "--slowest=\tN\n"
                                                              "--memory=\tVIEW\n"
                                                              "--process=\tPID\n"
                                                              "-v\t\n--verbose\t\n"
                                                              "--strict\t\n"
                                                              "--salvage\t\n"
                                                              "-h\t\n--help\t\n--version\t\n");
}

static void the_list_for_completions_shortens_no_other_name(void **state)
{
    (void)state;
    char help[4096];
    snprintf(help, sizeof help, "%s", printed(&some_tool, "--help"));
    assert_string_equal(printed(&some_tool, "--he"), help);
    assert_string_equal(printed(&some_tool, "-h"), help);
    assert_string_equal(printed(&some_tool, "-help"), help);
}

static void help_for_a_full_disk_fails(void **state)
{
    (void)state;
    pid_t pid = fork();
    if (pid == 0) {
        if (freopen("/dev/full", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL)
            _exit(99);
        _exit(parse(&some_tool, "--help"));
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(WEXITSTATUS(status), NYTP_EXIT_FAILED);
}

static int start(void **state)
{
    (void)state;
    nytp_start("some-tool", (char *[]){NULL, NULL});
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_are_common_options),
        cmocka_unit_test(each_kind_of_option_is_stored),
        cmocka_unit_test(a_flag_is_set_and_cleared),
        cmocka_unit_test(an_optional_argument_is_attached_or_not_there),
        cmocka_unit_test(a_function_may_take_the_argument),
        cmocka_unit_test(names_may_have_one_dash_and_be_shortened),
        cmocka_unit_test(letters_only_are_never_a_name),
        cmocka_unit_test(an_old_name_works_as_the_new_one),
        cmocka_unit_test(what_is_left_out_is_a_share_or_a_duration),
        cmocka_unit_test(operands_and_options_may_be_mixed),
        cmocka_unit_test(a_profile_has_a_default_name),
        cmocka_unit_test(wrong_usage_is_said),
        cmocka_unit_test(values_that_make_no_sense_are_said),
        cmocka_unit_test(help_comes_from_the_table),
        cmocka_unit_test(a_default_number_is_in_the_help),
        cmocka_unit_test(completions_come_from_the_table),
        cmocka_unit_test(the_list_for_completions_shortens_no_other_name),
        cmocka_unit_test(help_for_a_full_disk_fails),
    };
    return cmocka_run_group_tests_name("options", tests, start, NULL);
}
