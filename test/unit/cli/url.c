/* Templates of links. */
#include "test/unit/support.h"
#include "cli/options.h"

#include <stdlib.h>

static const char *const words[] = {"{file}", "{line}", "{sub}", NULL};

static char *complaint(const char *template)
{
    const char *url = NULL;
    nytp_url_option to = {&url, words};
    const nytp_option option = {.context = &to};
    char *wrong = nytp_set_url(&option, template);
    assert_ptr_equal(url, template);
    return wrong;
}

static void assert_wrong(const char *template, const char *expected)
{
    char *wrong = complaint(template);
    assert_non_null(wrong);
    assert_string_equal(wrong, expected);
    free(wrong);
}

static void words_are_checked(void **state)
{
    (void)state;
    assert_null(complaint("http://x/{sub}{file}?l={line}"));
    assert_null(complaint(""));
    assert_null(complaint("}x{sub}"));
    assert_wrong("x{subs}", "expected {file}, {line} or {sub} at '{subs}'");
    assert_wrong("{sub}{", "expected {file}, {line} or {sub} at '{'");
    assert_wrong("http://x/", "expected {file}, {line} or {sub} in 'http://x/'");
    assert_int_equal(nytp_url_word("{line}x", words), 1);
    assert_int_equal(nytp_url_word("line", words), 3);
}

static void scripts_are_not_links(void **state)
{
    static const char expected[] =
        "expected the address of a page or an editor, such as vscode://file{file}:{line}";
    (void)state;
    assert_wrong("javascript:x", expected);
    assert_wrong(" \n\tJavaScript:{file}", expected);
    assert_wrong("http://\xFF", expected);
    assert_null(complaint("http://x/javascript:{sub}"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_checked),
        cmocka_unit_test(scripts_are_not_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
