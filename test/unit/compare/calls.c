/* Calls by caller and callee, and by the line that makes them: which of OLD are which of NEW. */
#include "test/unit/profile_support.h"

#include <string.h>

static void add_run(nytp_comparison *c, enum nytp_side side, const nytp_chunk *chunks, size_t count,
                    bool with_text)
{
    nytp_profile *profile = nytp_profile_new();
    nytp_source_text *text = nytp_source_text_new();
    nytp_profile_on_source(profile, nytp_source_text_add, text);
    for (size_t i = 0; i < count; i++)
        nytp_profile_add(profile, &chunks[i]);
    nytp_comparison_add(c, side, profile, NULL, with_text ? text : NULL);
    nytp_source_text_free(text);
    nytp_profile_free(profile);
}

/* Returns what changed of the row with that name, by inclusive time. There must be one. */
static nytp_change row_named(nytp_comparison *c, enum nytp_compared kind, const char *name)
{
    nytp_change change = {0};
    for (size_t i = 0; i < nytp_comparison_count(c, kind); i++) {
        nytp_comparison_get(c, kind, i, NYTP_FIGURE_INCL, &change);
        if (change.name.length == strlen(name) && memcmp(change.name.bytes, name, change.name.length) == 0)
            return change;
    }
    fail_msg("no row %s", name);
    return change;
}

/* A line was put before the second of OLD, so main::g calls from line 4, not from line 3. */
static nytp_comparison *compared(bool with_text)
{
    const nytp_chunk old_run[] = {
        FILE_NAMED(1, "t.pl"),
        SOURCE(1, 1, "f();\n"),
        SOURCE(1, 2, "sub g {\n"),
        SOURCE(1, 3, "f() }\n"),
        SUB("main::f", 1, 9, 9),
        SUB("main::g", 1, 2, 3),
        TIME(10, 1, 1),
        ARC("main::RUNTIME", 1, 1, 1, 10000000, 10000000, "main::f"),
        ARC("main::RUNTIME", 1, 1, 1, 30000000, 10000000, "main::g"),
        ARC("main::g", 1, 3, 4, 20000000, 20000000, "main::f"),
    };
    const nytp_chunk new_run[] = {
        FILE_NAMED(1, "t.pl"),
        SOURCE(1, 1, "f();\n"),
        SOURCE(1, 2, "# new\n"),
        SOURCE(1, 3, "sub g {\n"),
        SOURCE(1, 4, "f() }\n"),
        SUB("main::f", 1, 10, 10),
        SUB("main::g", 1, 3, 4),
        TIME(10, 1, 1),
        ARC("main::RUNTIME", 1, 1, 1, 20000000, 10000000, "main::g"),
        ARC("main::g", 1, 4, 3, 10000000, 10000000, "main::f"),
    };
    nytp_comparison *c = nytp_comparison_new();
    add_run(c, NYTP_OLD, old_run, COUNT(old_run), with_text);
    add_run(c, NYTP_NEW, new_run, COUNT(new_run), with_text);
    return c;
}

static void pairs_of_caller_and_callee(void **state)
{
    (void)state;
    nytp_comparison *c = compared(false);
    nytp_change sub;
    assert_int_equal(nytp_comparison_count(c, NYTP_COMPARE_CALLS), 3);
    nytp_change change = row_named(c, NYTP_COMPARE_CALLS, "main::g -> main::f");
    assert_true(change.is_in[NYTP_OLD] && change.is_in[NYTP_NEW]);
    assert_float_equal(change.median[NYTP_OLD], 2, 1e-9);
    assert_float_equal(change.median[NYTP_NEW], 1, 1e-9);
    nytp_comparison_get(c, NYTP_COMPARE_SUBS, change.caller, NYTP_FIGURE_INCL, &sub);
    assert_memory_equal(sub.name.bytes, "main::g", sub.name.length);
    change = row_named(c, NYTP_COMPARE_CALLS, "main::RUNTIME -> main::f");
    assert_true(change.is_in[NYTP_OLD] && !change.is_in[NYTP_NEW]);
    assert_true(change.caller == SIZE_MAX && change.file == SIZE_MAX && change.line[NYTP_OLD] == 0);
    nytp_comparison_free(c);
}

static void places_whose_lines_moved(void **state)
{
    (void)state;
    nytp_comparison *c = compared(true);
    nytp_change file;
    assert_int_equal(nytp_comparison_count(c, NYTP_COMPARE_PLACES), 3);
    const nytp_change change = row_named(c, NYTP_COMPARE_PLACES, "main::g -> main::f at t.pl:4");
    assert_true(change.is_in[NYTP_OLD] && change.is_in[NYTP_NEW]);
    assert_int_equal(change.line[NYTP_OLD], 3);
    assert_int_equal(change.line[NYTP_NEW], 4);
    assert_float_equal(change.difference, -1, 1e-9);
    nytp_comparison_get(c, NYTP_COMPARE_FILES, change.file, NYTP_FIGURE_EXCL, &file);
    assert_memory_equal(file.name.bytes, "t.pl", file.name.length);
    nytp_comparison_free(c);
}

static void places_without_text_are_their_numbers(void **state)
{
    (void)state;
    nytp_comparison *c = compared(false);
    assert_int_equal(nytp_comparison_count(c, NYTP_COMPARE_PLACES), 4);
    assert_false(row_named(c, NYTP_COMPARE_PLACES, "main::g -> main::f at t.pl:3").is_in[NYTP_NEW]);
    assert_false(row_named(c, NYTP_COMPARE_PLACES, "main::g -> main::f at t.pl:4").is_in[NYTP_OLD]);
    nytp_comparison_free(c);
}

static void files_without_statements(void **state)
{
    const nytp_chunk chunks[] = {
        FILE_NAMED(1, "a.pl"),
        FILE_NAMED(2, "b.pl"),
        ARC("main::g", 1, 5, 1, 10000000, 10000000, "main::f"),
        ARC("main::g", 2, 5, 1, 20000000, 20000000, "main::f"),
    };
    (void)state;
    nytp_comparison *c = nytp_comparison_new();
    add_run(c, NYTP_OLD, chunks, COUNT(chunks), true);
    add_run(c, NYTP_NEW, chunks, COUNT(chunks), true);
    assert_int_equal(nytp_comparison_count(c, NYTP_COMPARE_PLACES), 2);
    assert_float_equal(
        row_named(c, NYTP_COMPARE_PLACES, "main::RUNTIME -> main::f at b.pl:5").median[NYTP_OLD], 2, 1e-9);
    nytp_comparison_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_caller_and_callee),
        cmocka_unit_test(places_whose_lines_moved),
        cmocka_unit_test(places_without_text_are_their_numbers),
        cmocka_unit_test(files_without_statements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
