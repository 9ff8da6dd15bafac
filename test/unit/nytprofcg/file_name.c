/* Names of files as loaders of callgrind files can take them. */
#include "nytprofcg/file_name.h"
#include "test/unit/support.h"

#include <stdlib.h>
#include <string.h>

typedef struct text_case {
    nytp_str raw;
    const char *shown;
} text_case;

static void assert_file(const text_case *c)
{
    char *exact = malloc(c->raw.length + 1); /* for the sanitizer to see reads past the end */
    memcpy(exact, c->raw.bytes, c->raw.length);
    char *got = cg_file_name((nytp_str){exact, c->raw.length, c->raw.utf8});
    assert_string_equal(got, c->shown);
    free(got);
    free(exact);
}

static void files_have_no_colon(void **state)
{
    const text_case cases[] = {
        {STR("/a/b.pl"), "/a/b.pl"},
        {STR("-e"), "-e"},
        {STR(""), "???"},
        {STR("C:/x:y"), "C%3A/x%3Ay"},
        {STR("(eval 5)[t.pl:26]"), "t.pl.eval-5@26"},
        {STR("(eval 7)[(eval 3)[/foo/bar.pl:42]:1]"), "/foo/bar.pl.eval-3@42.eval-7@1"},
        {STR("(re_eval 2)[(eval 3)[a:b.pl:42]:1]"), "a%3Ab.pl.eval-3@42.re_eval-2@1"},
        {STR("(eval 9)"), "eval-9"},
        {STR("(eval x)[t.pl:26]"), "(eval x)[t.pl%3A26]"},
        {STR("(eval 5)[t.pl:]"), "(eval 5)[t.pl%3A]"},
        {STR("(eval 5)["), "(eval 5)["},
        {STR("(eval 5)[:1]"), "eval-5@1"},
        {STR("(evil 5)[t.pl:26]"), "(evil 5)[t.pl%3A26]"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_file(&cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_have_no_colon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
