/* Messages on stderr, and what a program sets up before them. */
#include "test/unit/capture.h"
#include "test/unit/support.h"
#include "cli/say.h"
#include "cli/start.h"

#include <signal.h>
#include <unistd.h>

static int start(void **state)
{
    (void)state;
    nytp_start("some-tool", (char *[]){NULL, NULL});
    return 0;
}

static void messages_begin_with_the_name(void **state)
{
    capture c = capture_begin(STDERR_FILENO);
    (void)state;
    nytp_say("%d %s", 3, "things");
    assert_string_equal(capture_end(&c), "some-tool: 3 things\n");
}

static void control_characters_are_escaped(void **state)
{
    capture c = capture_begin(STDERR_FILENO);
    (void)state;
    nytp_say("%s", "a\033[31m\n\x7f b");
    assert_string_equal(capture_end(&c), "some-tool: a\\x1b[31m\\n\\x7f b\n");
}

/* C1, a direction, and bytes that are no UTF-8: alone, cut short, too long, a surrogate. */
static void other_controls_are_escaped(void **state)
{
    capture c = capture_begin(STDERR_FILENO);
    (void)state;
    nytp_say("%s", "gr\xc3\xb6n \xc2\x9b[1m \xe2\x80\xae \xff \xe2\x82 \xc0\xaf \xed\xa0\x80");
    assert_string_equal(capture_end(&c),
                        "some-tool: gr\xc3\xb6n \\x9b[1m \\x{202e} \\xff \\xe2\\x82 \\xc0\\xaf "
                        "\\xed\\xa0\\x80\n");
}

static void wrong_usage_names_the_help(void **state)
{
    capture c = capture_begin(STDERR_FILENO);
    (void)state;
    int status = nytp_wrong_usage("no %s", "file");
    assert_string_equal(capture_end(&c), "some-tool: no file\nTry 'some-tool --help'.\n");
    assert_int_equal(status, NYTP_EXIT_USAGE);
}

static void counts_are_words(void **state)
{
    (void)state;
    assert_string_equal(nytp_counted(0, "call").text, "0 calls");
    assert_string_equal(nytp_counted(1, "call").text, "1 call");
    assert_string_equal(nytp_counted(2, "process").text, "2 processes");
    assert_string_equal(nytp_counted(UINT64_MAX, "different stack").text,
                        "18446744073709551615 different stacks");
}

static void a_broken_pipe_is_not_ignored(void **state)
{
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    start(NULL);
    assert_true(signal(SIGPIPE, SIG_DFL) == SIG_DFL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_begin_with_the_name),
        cmocka_unit_test(control_characters_are_escaped),
        cmocka_unit_test(other_controls_are_escaped),
        cmocka_unit_test(wrong_usage_names_the_help),
        cmocka_unit_test(counts_are_words),
        cmocka_unit_test(a_broken_pipe_is_not_ignored),
    };
    return cmocka_run_group_tests_name("say", tests, start, NULL);
}
