/* String evals are named by where they are done. */
#include "sampler/sample/evals.h"

#include "test/unit/support.h"

#include <glib.h>
#include <string.h>

/* A stack in which a line of the first file does an eval, a line of that the next one, and so on. */
static void see(sampler_evals *evals, const char *const *files, size_t count)
{
    nytp_strings *strings = nytp_strings_new();
    sampler_frame frames[8] = {0};
    sampler_stack stack = {.frames = frames, .count = count - 1};
    for (size_t n = 0; n < count; n++) {
        uint32_t file = sampler_intern(strings, files[n], strlen(files[n]));
        if (n + 1 == count)
            stack.file = file;
        else
            frames[n] = (sampler_frame){.kind = SAMPLER_FRAME_EVAL_STRING,
                                        .name = SAMPLER_NO_STRING,
                                        .file = file,
                                        .line = (uint32_t)n + 3};
    }
    sampler_evals_see(evals, strings, &stack);
    nytp_strings_free(strings);
}

static void evals_have_the_places_where_they_are_done(void **state)
{
    sampler_evals *e = sampler_evals_new(2);
    (void)state;
    see(e, (const char *[]){"t.pl", "(eval 1)", "(eval 2)"}, 3);
    assert_string_equal(sampler_evals_file(e, "(eval 1)"), "(eval 1)[t.pl:3]");
    assert_string_equal(sampler_evals_file(e, "(eval 2)"), "(eval 2)[(eval 1)[t.pl:3]:4]");
    assert_string_equal(sampler_evals_file(e, "(eval 9)"), "(eval 9)"); /* nobody knows where */
    assert_string_equal(sampler_evals_file(e, "t.pl"), "t.pl");
    see(e, (const char *[]){"other.pl", "(eval 9)"}, 2);
    assert_string_equal(sampler_evals_file(e, "(eval 9)"), "(eval 9)"); /* named already */
    char *sub = sampler_evals_sub(e, "main::__ANON__[(eval 1):7]", "(eval 1)");
    assert_string_equal(sub, "main::__ANON__[(eval 1)[t.pl:3]:7]");
    g_free(sub);
    assert_null(sampler_evals_sub(e, "main::named", "(eval 1)"));
    assert_null(sampler_evals_sub(e, "main::__ANON__[t.pl:7]", "t.pl"));
    sampler_evals_free(e);
}

static void those_that_are_too_many_share_a_name(void **state)
{
    sampler_evals *e = sampler_evals_new(2);
    (void)state;
    see(e, (const char *[]){"t.pl", "(eval 1)"}, 2);
    see(e, (const char *[]){"t.pl", "(eval 2)"}, 2);
    see(e, (const char *[]){"t.pl", "(eval 3)"}, 2);
    see(e, (const char *[]){"t.pl", "(eval 4)"}, 2);
    see(e, (const char *[]){"other.pl", "(eval 5)"}, 2);
    assert_string_equal(sampler_evals_file(e, "(eval 2)"), "(eval 2)[t.pl:3]");
    assert_string_equal(sampler_evals_file(e, "(eval 3)"), "(eval 3)[t.pl:3]");
    assert_string_equal(sampler_evals_file(e, "(eval 4)"), "(eval 3)[t.pl:3]");
    assert_string_equal(sampler_evals_file(e, "(eval 5)"), "(eval 5)[other.pl:3]");
    sampler_evals_free(e);
    e = sampler_evals_new(0);
    see(e, (const char *[]){"t.pl", "(eval 1)"}, 2);
    assert_string_equal(sampler_evals_file(e, "(eval 1)"), "(eval 0)[t.pl:3]");
    assert_string_equal(sampler_evals_file(e, "(eval 2)"), "(eval 0)");
    sampler_evals_free(e);
}

/* With #line a program can have evals be within each other, or in themselves. */
static void circles_and_long_names_end(void **state)
{
    sampler_evals *e = sampler_evals_new(200);
    char name[1200];
    (void)state;
    see(e, (const char *[]){"(eval 2)", "(eval 1)", "(eval 2)", "(eval 2)"}, 4);
    assert_string_equal(sampler_evals_file(e, "(eval 1)"), "(eval 1)[(eval 2):3]");
    assert_string_equal(sampler_evals_file(e, "(eval 2)"), "(eval 2)");
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    see(e, (const char *[]){name, "(eval 7)"}, 2);
    assert_string_equal(sampler_evals_file(e, "(eval 7)"), "(eval 7)");
    sampler_evals_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evals_have_the_places_where_they_are_done),
        cmocka_unit_test(those_that_are_too_many_share_a_name),
        cmocka_unit_test(circles_and_long_names_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
