/* What comments excuse, and the lines that are kept, of a file that is built by code. */
#include "cover/cover.h"
#include "model/grow.h"
#include "test/unit/support.h"

#include <stdio.h>
#include <string.h>

static char said[256];

static void say(void *context, const nytp_cover_file *file, uint32_t line, const char *criterion,
                const char *what)
{
    assert_ptr_equal(context, file);
    const size_t length = strlen(said);
    snprintf(said + length, sizeof said - length, "%u %s %s;", line, criterion, what);
}

/* Lines 2 (ran), 4 and 5; on line 2 an if that ran and a && whose value is used, on line 5 a ?: that did
 * neither; and a sub on line 4. */
static nytp_cover_file *new_file(void)
{
    static const nytp_cover_line lines[] = {{2, true}, {4, false}, {5, false}};
    static const nytp_cover_branch branches[] = {
        {.line = 2, .op = NYTP_COVER_AND, .want = NYTP_COVER_VOID, .seen = NYTP_COVER_RAN},
        {.line = 2,
         .op = NYTP_COVER_AND,
         .want = NYTP_COVER_SCALAR,
         .has_values = true,
         .seen = NYTP_COVER_SKIPPED},
        {.line = 5, .op = NYTP_COVER_CONDITION, .want = NYTP_COVER_SCALAR}};
    const nytp_cover_sub sub = {STR("main::f"), 4, false};
    nytp_cover_file *f = g_new0(nytp_cover_file, 1);
    f->lines = NYTP_ARRAY(nytp_cover_line);
    f->branches = NYTP_ARRAY(nytp_cover_branch);
    f->subs = NYTP_ARRAY(nytp_cover_sub);
    g_array_append_vals(f->lines, lines, COUNT(lines));
    g_array_append_vals(f->branches, branches, COUNT(branches));
    g_array_append_val(f->subs, sub);
    return f;
}

static void free_file(nytp_cover_file *f)
{
    g_array_unref(f->lines);
    g_array_unref(f->branches);
    g_array_unref(f->subs);
    g_free(f);
}

static void assert_counts(const nytp_cover_file *f, const char *expected)
{
    char counts[128], *at = counts;
    for (int i = 0; i < NYTP_COVER_CRITERIA; i++)
        at += sprintf(at, "%s%s %d/%d", i > 0 ? " " : "", nytp_cover_criteria[i], (int)f->counts.of[i].seen,
                      (int)f->counts.of[i].all);
    assert_string_equal(counts, expected);
}

static void excuses(void **state)
{
    static const struct {
        const char *source, *counts, *says;
    } cases[] = {
        {"\nx # uncoverable statement", "lines 0/2 branches 2/6 conditions 0/2 subs 0/1",
         "2 statement has run;"},
        {"\nx # uncoverable statement class:ignore_covered_err",
         "lines 0/2 branches 2/6 conditions 0/2 subs 0/1", ""},
        {"\n# uncoverable branch false\n\n # why\nx", "lines 1/3 branches 2/5 conditions 0/2 subs 0/1", ""},
        {"\nx # uncoverable branch true count:2", "lines 1/3 branches 2/6 conditions 0/2 subs 0/1",
         "2 branch is not there;"},
        {"\nx # uncoverable branch all count:1..9", "lines 1/3 branches 1/4 conditions 0/2 subs 0/1",
         "2 branch has run;"},
        {"\nx # uncoverable condition right", "lines 1/3 branches 2/6 conditions 0/1 subs 0/1", ""},
        {"\n# uncoverable condition right\n# uncoverable condition false",
         "lines 1/3 branches 2/6 conditions 0/2 subs 0/1",
         "2 condition is not there;3 condition is not there;"},
        {"# uncoverable condition right\n# uncoverable condition false\nx",
         "lines 1/3 branches 2/6 conditions 0/2 subs 0/1",
         "1 condition is not there;2 condition is not there;"},
        {"# uncoverable condition right\nx # uncoverable condition false",
         "lines 1/3 branches 2/5 conditions 0/0 subs 0/1", ""},
        {"\n\n# uncoverable subroutine\nsub f {", "lines 1/3 branches 2/6 conditions 0/2 subs 0/0", ""},
        {"\n\n\n\n\n# uncoverable subroutine\nx", "lines 1/3 branches 2/6 conditions 0/2 subs 0/1",
         "6 subroutine is not there;"},
        {"__END__\n# uncoverable statement\nx", "", ""},
        {"# uncoverable pod, # uncoverable", "lines 1/3 branches 2/6 conditions 0/2 subs 0/1", ""},
        {"# uncoverable branch count:18446744073709551616", "lines 1/3 branches 2/6 conditions 0/2 subs 0/1",
         "1 branch is not there;"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        nytp_cover_file *f = new_file();
        said[0] = '\0';
        nytp_cover_excuse(f, cases[i].source, say, f);
        assert_string_equal(said, cases[i].says);
        if (*cases[i].counts != '\0')
            assert_counts(f, cases[i].counts);
        free_file(f);
    }
}

static void kept_lines(void **state)
{
    static const uint32_t numbers[] = {1, 2, 3, 5, 6};
    (void)state;
    g_autoptr(GArray) lines = NYTP_ARRAY(uint32_t);
    nytp_cover_file *f = new_file();
    g_array_append_vals(lines, numbers, COUNT(numbers));
    nytp_cover_keep_lines(f, lines);
    assert_counts(f, "lines 1/2 branches 2/6 conditions 0/2 subs 0/0");
    assert_true(nytp_cover_line_at(f, 2)->ran && !nytp_cover_line_at(f, 5)->ran);
    assert_null(nytp_cover_line_at(f, 4));
    g_array_set_size(lines, 0);
    nytp_cover_keep_lines(f, lines);
    assert_counts(f, "lines 0/0 branches 0/0 conditions 0/0 subs 0/0");
    assert_null(nytp_cover_line_at(f, 2));
    free_file(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(excuses), cmocka_unit_test(kept_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
