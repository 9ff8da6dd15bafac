/* nytprofcg's output: names as loaders can take them, and whole files. */
#include "test/unit/profile_support.h"

#include "nytprofcg/callgrind.h"
#include "nytprofcg/file_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

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

/* ---- whole files ---- */

static char *slurp(const char *path)
{
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        return strdup("");
    char *text = calloc(1, 1 << 16);
    assert_true(fread(text, 1, (1 << 16) - 1, in) < (1 << 16) - 1);
    fclose(in);
    return text;
}

/* The profile must become test/data/nytprofcg/NAME.callgrind; BLESS=1 writes that file. Frees the profile. */
static void assert_golden(const char *name, nytp_profile *profile, const cg_options *options)
{
    char path[128], *text;
    size_t size;
    snprintf(path, sizeof path, "test/data/nytprofcg/%s.callgrind", name);
    FILE *out = open_memstream(&text, &size);
    nytp_calltree *none = nytp_calltree_new(NULL, NULL);
    cg_write(profile, &(cg_calls){none, NULL, NULL}, options, out);
    nytp_calltree_free(none);
    fclose(out);
    nytp_profile_free(profile);
    if (getenv("BLESS") != NULL) {
        FILE *golden = fopen(path, "wb");
        assert_non_null(golden);
        assert_int_equal(fwrite(text, 1, size, golden), size);
        assert_int_equal(fclose(golden), 0);
    }
    char *expected = slurp(path);
    if (strcmp(text, expected) != 0)
        print_error("%s has become:\n%s\n", path, text);
    assert_string_equal(text, expected);
    free(expected);
    free(text);
}

static const cg_options merging;

static void recursion(void **state)
{
    const nytp_chunk chunks[] = {
        FILE_NAMED(1, "r.pl"),
        SUB("main::odd", 1, 2, 4),
        SUB("main::even", 1, 5, 7),
        SUB("main::leaf", 1, 8, 8),
        SUB("main::never", 1, 9, 9),
        TIME(10, 1, 3),
        TIME(10, 1, 6),
        TIME(10, 1, 12),
        ARC("main::RUNTIME", 1, 12, 1, 100, 20, "main::odd"),
        ARC("main::odd", 1, 3, 3, 74, 30, "main::even"),
        ARC("main::even", 1, 6, 2, 0, 30, "main::odd"),
        ARC("main::even", 1, 6, 5, 20, 20, "main::leaf"),
        ARC("main::never", 1, 9, 1, 9, 7, "main::leaf"),
        ARC("main::lost", 1, 9, 2, 8, 6, "main::lost"),
    };
    (void)state;
    assert_golden("recursion", PROFILE(chunks), &merging);
}

static nytp_profile *profile_with_evals(void)
{
    const nytp_chunk chunks[] = {
        FILE_NAMED(1, "t.pl"),
        EVAL_NAMED(2, 1, 5, "(eval 1)[t.pl:5]"),
        EVAL_NAMED(3, 1, 5, "(eval 2)[t.pl:5]"),
        EVAL_NAMED(4, 3, 1, "(eval 3)[(eval 2)[t.pl:5]:1]"),
        SUB("main::does", 1, 4, 6),
        SUB("main::__ANON__[(eval 1)[t.pl:5]:2]", 2, 2, 2),
        SUB("main::__ANON__[(eval 2)[t.pl:5]:2]", 3, 2, 2),
        SOURCE(2, 1, "same\n"),
        SOURCE(3, 1, "same\n"),
        TIME(10, 1, 5),
        TIME(30, 2, 1),
        TIME(40, 3, 1),
        TIME(5, 3, 2),
        TIME(20, 4, 1),
        ARC("main::RUNTIME", 1, 9, 1, 210, 150, "main::does"),
        ARC("main::does", 2, 1, 1, 20, 20, "main::__ANON__[(eval 1)[t.pl:5]:2]"),
        ARC("main::does", 3, 1, 1, 40, 40, "main::__ANON__[(eval 2)[t.pl:5]:2]"),
    };
    return PROFILE(chunks);
}

static void evals_merged(void **state)
{
    (void)state;
    assert_golden("evals", profile_with_evals(), &merging);
}

static void an_eval_that_recurses(void **state)
{
    const nytp_chunk chunks[] = {
        FILE_NAMED(1, "t.pl"),
        EVAL_NAMED(2, 1, 3, "(eval 1)[t.pl:3]"),
        SUB("main::down", 1, 2, 4),
        TIME(10, 1, 3),
        TIME(30, 2, 1),
        ARC("main::RUNTIME", 1, 9, 1, 130, 40, "main::down"),
        ARC("main::down", 2, 1, 4, 0, 80, "main::down"),
        ARC("main::down", 2, 1, 1, 10, 10, "main::leaf"),
    };
    (void)state;
    assert_golden("eval-recursion", PROFILE(chunks), &merging);
}

static void names_that_are_alike_or_not_printable(void **state)
{
    const nytp_chunk chunks[] = {
        FILE_NAMED(1, "t.pl"),
        FILE_NAMED(2, "/a/X.pm"),
        FILE_NAMED(3, "/b/X.pm"),
        SUB("main::(file scope of X.pm)", 1, 3, 3),
        SUB("main::x\ny", 1, 4, 4),
        SUB("main::x\\ny", 1, 5, 5),
        TIME(1, 2, 1),
        TIME(2, 3, 1),
        TIME(3, 70, 1),
        ARC("main::RUNTIME", 1, 9, 1, 10, 10, "main::(file scope of X.pm)"),
        ARC("main::RUNTIME", 1, 9, 1, 20, 20, "main::x\ny"),
        ARC("main::RUNTIME", 1, 9, 1, 30, 30, "main::x\\ny"),
        ARC("main::x\ny", 1, 4, 1, 5, 5, "main::RUNTIME"),
        ARC("main::RUNTIME", 1, 4, 1, 5, 5, ""),
    };
    (void)state;
    assert_golden("names", PROFILE(chunks), &merging);
}

static void statements_alone_and_clocks_that_step_back(void **state)
{
    const nytp_chunk chunks[] = {ATTRIBUTE("ticks_per_sec", "3000000"),
                                 FILE_NAMED(1, "-e"),
                                 FILE_NAMED(2, "Y.pm"),
                                 SUB("Y::f", 2, 1, 9),
                                 TIME(100, 1, 1),
                                 TIME(-30, 2, 4),
                                 TIME(50, 2, 5)};
    (void)state;
    assert_golden("statements", PROFILE(chunks), &merging);
}

static void nothing(void **state)
{
    const nytp_chunk none = {0};
    (void)state;
    assert_golden("nothing", profile_of(&none, 0), &merging);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_have_no_colon),
        cmocka_unit_test(recursion),
        cmocka_unit_test(evals_merged),
        cmocka_unit_test(an_eval_that_recurses),
        cmocka_unit_test(names_that_are_alike_or_not_printable),
        cmocka_unit_test(statements_alone_and_clocks_that_step_back),
        cmocka_unit_test(nothing),
    };
    return cmocka_run_group_tests_name("nytprofcg", tests, NULL, NULL);
}
