/* Collapsed stacks: names as frames, times in their units, and lines that flamegraph.pl takes. */
#include "nytprofcalls/collapse.h"
#include "test/unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- frames ---- */

typedef struct frame_case {
    const char *raw, *shown;
} frame_case;

static void assert_frame(nytp_rename_fn *rename, nytp_str raw, const char *shown)
{
    size_t length;
    char *exact = malloc(raw.length + 1); /* so that a sanitizer notices reads past the end */
    assert_non_null(exact);
    memcpy(exact, raw.bytes, raw.length);
    char *name = rename(NULL, (nytp_str){exact, raw.length, raw.utf8}, &length);
    if (length != strlen(shown) || memcmp(name, shown, length) != 0)
        fail_msg("%s became %.*s, not %s", raw.bytes, (int)length, name, shown);
    free(name);
    free(exact);
}

static void names_keep_lines_and_stacks_whole(void **state)
{
    static nytp_rename_fn *const both[] = {calls_frame_name, calls_frame_name_merging_evals};
    (void)state;
    for (size_t i = 0; i < COUNT(both); i++) {
        assert_frame(both[i], STR(""), "");
        assert_frame(both[i], STR("main::f"), "main::f");
        assert_frame(both[i], UTF8("main::\xc3\xa4"), "main::\xc3\xa4");
        assert_frame(both[i], STR("main::\xc3\xa4"), "main::\xc3\xa4");
        assert_frame(both[i], STR("\xc3\xa4\0\xc3\xa4"), "\xc3\xa4\\0\xc3\xa4");
        assert_frame(both[i], STR("gr\xf6\xdf"), "gr\xc3\xb6\xc3\x9f"); /* Latin-1 */
        assert_frame(both[i], STR("\0\xff\x80"), "\\0\xc3\xbf\\x80");
        assert_frame(both[i], STR("\x01\x1b[m\x7f"), "\\x01\\x1b[m\\x7f");
        assert_frame(both[i], UTF8("\xe2\x80\xae\xc2\x9b\xd8\x9c"), "\\x{202e}\\x9b\\x{61c}");
        assert_frame(both[i], STR("main::x\ny; z"), "main::x\\ny? z");
        assert_frame(both[i], STR("a\tb\rc\0d"), "a\tb\\rc\\0d");
        assert_frame(both[i], STR(";;\0\0\n\n"), "??\\0\\0\\n\\n");
        assert_frame(both[i], STR("__ANON__[/my dir/a.pl:3]"), "__ANON__[/my dir/a.pl:3]");
        assert_frame(both[i], STR("\\n"), "\\n");
        assert_frame(both[i], STR("b 12"), "b?12"); /* else flamegraph.pl reads two values */
        assert_frame(both[i], STR("b\t1.5"), "b?1.5");
        assert_frame(both[i], STR("b 12 "), "b 12 ");
        assert_frame(both[i], STR("b 12c"), "b 12c");
        assert_frame(both[i], STR(" b "), " b ");
    }
}

static void runs_of_an_eval_become_one(void **state)
{
    static const frame_case cases[] = {
        {"main::__ANON__[(eval 93)[/foo/bar.pl:42]:1]", "main::__ANON__[(eval 0)[/foo/bar.pl:42]:1]"},
        {"(eval 7)[(eval 3)[/foo/bar.pl:42]:1]", "(eval 0)[(eval 0)[/foo/bar.pl:42]:1]"},
        {"(re_eval 12)[a.pl:9]", "(re_eval 0)[a.pl:9]"},
        {"(myeval 12)[a.pl:9]", "(myeval 0)[a.pl:9]"},
        {"(eval 1)[my file.pl:9]", "(eval 0)[my file.pl:9]"},
        {"((eval 1)[x:9]", "((eval 0)[x:9]"},
        {"((eval 123456789012345678901234567890)[x:9]", "((eval 0)[x:9]"},
        {"(eval 1)[x:9] (eval 2)[y:8]", "(eval 0)[x:9] (eval 0)[y:8]"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        nytp_str raw = {cases[i].raw, strlen(cases[i].raw), false};
        assert_frame(calls_frame_name_merging_evals, raw, cases[i].shown);
    }
    assert_frame(calls_frame_name, STR("(eval 93)[a:4]"), "(eval 93)[a:4]");
}

/* Where stock sees no eval, here is none. */
static void what_only_resembles_an_eval_stays(void **state)
{
    static const frame_case cases[] = {
        {"(eval 5)", "(eval 5)"},
        {"(eval 5)[", "(eval 5)["},
        {"(eval 5)[]", "(eval 5)[]"},
        {"(eval 5)[x]", "(eval 5)[x]"},
        {"(eval 5)[x:]", "(eval 5)[x:]"},
        {"(eval 5)[x:1", "(eval 5)[x:1"},
        {"(eval 5)[x:1z]", "(eval 5)[x:1z]"},
        {"(eval 5)[:1]", "(eval 5)[:1]"},
        {"(eval )[x:1]", "(eval )[x:1]"},
        {"(eval  5)[x:1]", "(eval  5)[x:1]"},
        {"(eval5)[x:1]", "(eval5)[x:1]"},
        {"(eval 5x)[x:1]", "(eval 5x)[x:1]"},
        {"(eval 5) [x:1]", "(eval 5) [x:1]"},
        {"eval 5)[x:1]", "eval 5)[x:1]"},
        {"_eval 5)[x:1]", "_eval 5)[x:1]"},
        {"(an eval 5)[x:1]", "(an eval 5)[x:1]"},
        {"(evals 5)[x:1]", "(evals 5)[x:1]"},
        {"(val 5)[x:1]", "(val 5)[x:1]"},
        {"[x:1](eval 5)[x", "[x:1](eval 5)[x"},
        {"(", "("},
        {":1]", ":1]"},
        {"(eval", "(eval"},
        {"(eval 5", "(eval?5"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        nytp_str raw = {cases[i].raw, strlen(cases[i].raw), false};
        assert_frame(calls_frame_name_merging_evals, raw, cases[i].shown);
    }
}

/* A million evals of which none is one: looked through once, not a million times. */
static void damaged_names_take_no_longer(void **state)
{
    enum { MANY = 1000000 };
    static const char piece[] = "(eval 1)[";
    size_t size = MANY * (sizeof piece - 1), length;
    char *raw = malloc(size + 1);
    (void)state;
    assert_non_null(raw);
    for (size_t i = 0; i < MANY; i++)
        memcpy(raw + i * (sizeof piece - 1), piece, sizeof piece);
    char *name = calls_frame_name_merging_evals(NULL, (nytp_str){raw, size, false}, &length);
    assert_int_equal(length, size);
    assert_memory_equal(name + size - 9, "(eval 1)[", 9);
    free(name);
    free(raw);
}

/* ---- lines ---- */

static nytp_chunk return_of(uint32_t depth, double excl_ticks, const char *name)
{
    return (nytp_chunk){.tag = NYTP_SUB_RETURN,
                        .sub_return = {depth, 0, excl_ticks, {name, strlen(name), false}}};
}

enum { CALLS = 6 };

/* main::run 10 ticks; in it main::f twice, 30 and 5, once with main::g, 54; main::g alone, 1. */
static memory profile_of(const char *ticks_per_sec, double factor)
{
    const nytp_chunk chunks[4 + CALLS] = {
        {.tag = NYTP_VERSION, .version = {5, 0}},
        {.tag = NYTP_ATTRIBUTE,
         .attribute = {STR("ticks_per_sec"), {ticks_per_sec, strlen(ticks_per_sec), false}}},
        {.tag = NYTP_PID_START, .pid_start = {7, 1, 1.5}},
        return_of(3, 54 * factor, "main::g"),
        return_of(2, 30 * factor, "main::f"),
        return_of(2, 5 * factor, "main::f"),
        return_of(1, 10 * factor, "main::run"),
        return_of(1, 0 * factor, "main::run"),
        return_of(1, 1 * factor, "main::g"),
        {.tag = NYTP_PID_END, .pid_end = {7, 2.5}},
    };
    return stream_of(chunks, COUNT(chunks));
}

static void add_profile(calls_collapse *c, const memory *profile)
{
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(profile->data, profile->size, "p.out"));
    nytp_reader_set_tags(reader, nytp_calltree_tags(NULL));
    while (nytp_calltree_read(calls_collapse_tree(c), reader) == NYTP_OK) {
    }
    nytp_calltree_end_profile(calls_collapse_tree(c));
    nytp_reader_free(reader);
}

static void assert_lines(calls_options options, const char *ticks_per_sec, double factor,
                         const char *expected)
{
    char *text;
    size_t length;
    memory profile = profile_of(ticks_per_sec, factor);
    calls_collapse *c = calls_collapse_new(&options);
    FILE *out = open_memstream(&text, &length);
    add_profile(c, &profile);
    calls_collapse_write(c, out);
    fclose(out);
    assert_string_equal(text, expected);
    calls_collapse_free(c);
    memory_free(&profile);
    free(text);
}

static void times_are_whole_ticks(void **state)
{
    static const char expected[] = "main::g 1\n"
                                   "main::run 10\n"
                                   "main::run;main::f 35\n"
                                   "main::run;main::f;main::g 54\n";
    (void)state;
    assert_lines((calls_options){.unit = NYTP_UNIT_TICKS}, "10000000", 1, expected);
    assert_lines((calls_options){.unit = NYTP_UNIT_TICKS}, "1000000", 1, expected);
    assert_lines((calls_options){.unit = NYTP_UNIT_TICKS}, "10000000", 1.015,
                 expected); /* cut, not rounded: 35.525 */
}

static void a_time_of_nothing_has_no_sign(void **state)
{
    (void)state;
    assert_lines((calls_options){.unit = NYTP_UNIT_TICKS}, "10000000", -0.001,
                 "main::g 0\nmain::run 0\nmain::run;main::f 0\nmain::run;main::f;main::g 0\n");
    assert_lines(
        (calls_options){.unit = NYTP_UNIT_S}, "10000000", -0.001,
        "main::g 0\nmain::run -0.000000001\nmain::run;main::f -0.000000004\nmain::run;main::f;main::g "
        "-0.000000005\n");
    assert_lines((calls_options){.unit = NYTP_UNIT_NS}, "10000000", -0.001,
                 "main::g 0\nmain::run -1\nmain::run;main::f -4\nmain::run;main::f;main::g -5\n");
}

static void units_go_by_the_ticks_of_the_profile(void **state)
{
    (void)state;
    assert_lines((calls_options){.unit = NYTP_UNIT_NS}, "10000000", 1,
                 "main::g 100\nmain::run 1000\nmain::run;main::f 3500\nmain::run;main::f;main::g 5400\n");
    assert_lines((calls_options){.unit = NYTP_UNIT_US}, "10000000", 1,
                 "main::run 1\nmain::run;main::f 4\nmain::run;main::f;main::g 5\n"); /* 0.1, 1, 3.5, 5.4 */
    assert_lines((calls_options){.unit = NYTP_UNIT_US}, "1000000", 1,
                 "main::g 1\nmain::run 10\nmain::run;main::f 35\nmain::run;main::f;main::g 54\n");
}

static void calls_are_counted_instead(void **state)
{
    (void)state;
    assert_lines((calls_options){.count_calls = true, .unit = NYTP_UNIT_US}, "10000000", 1,
                 "main::g 1\nmain::run 2\nmain::run;main::f 2\nmain::run;main::f;main::g 1\n");
}

static void reversed_stacks_begin_with_the_callee(void **state)
{
    (void)state;
    assert_lines((calls_options){.unit = NYTP_UNIT_TICKS, .reverse = true}, "10000000", 1,
                 "main::f;main::run 35\nmain::g 1\nmain::g;main::f;main::run 54\nmain::run 10\n");
    assert_lines((calls_options){.unit = NYTP_UNIT_TICKS, .reverse = true, .max_depth = 1}, "10000000", 1,
                 "main::f 35\nmain::g 55\nmain::run 10\n");
}

static void what_is_folded_goes_to_its_caller(void **state)
{
    (void)state;
    assert_lines((calls_options){.unit = NYTP_UNIT_TICKS, .max_depth = 2}, "10000000", 1,
                 "main::g 1\nmain::run 10\nmain::run;main::f 89\n");
    assert_lines((calls_options){.unit = NYTP_UNIT_TICKS, .min = {.percent = 2}}, "10000000", 1,
                 "(other) 1\nmain::run 10\nmain::run;main::f 35\nmain::run;main::f;main::g 54\n");
    assert_lines((calls_options){.unit = NYTP_UNIT_TICKS, .min = {.percent = 60}}, "10000000", 1,
                 "(other) 1\nmain::run 10\nmain::run;main::f 89\n");
    assert_lines((calls_options){.min = {.percent = 60}, .unit = NYTP_UNIT_NS, .max_depth = 1}, "10000000", 1,
                 "(other) 100\nmain::run 9900\n");
    assert_lines((calls_options){.unit = NYTP_UNIT_TICKS, .min = {.percent = 60}, .count_calls = true},
                 "10000000", 1, "(other) 1\nmain::run 2\nmain::run;main::f 3\n");
}

/* Ticks of different lengths can only be added up in a unit of time. */
static void profiles_with_different_ticks_add_up(void **state)
{
    char *text;
    size_t length;
    memory coarse = profile_of("1000", 1), fine = profile_of("1000000000", 1);
    calls_collapse *c = calls_collapse_new(&(calls_options){.unit = NYTP_UNIT_NS, .max_depth = 1});
    FILE *out = open_memstream(&text, &length);
    (void)state;
    add_profile(c, &coarse);
    add_profile(c, &fine);
    calls_collapse_write(c, out);
    fclose(out);
    assert_string_equal(text, "main::g 1000001\nmain::run 99000099\n");
    calls_collapse_free(c);
    memory_free(&coarse);
    memory_free(&fine);
    free(text);
}

static void totals_tell_what_was_read(void **state)
{
    uint64_t calls;
    size_t stacks, subs;
    memory profile = profile_of("10000000", 1);
    calls_collapse *c = calls_collapse_new(&(calls_options){.unit = NYTP_UNIT_TICKS});
    (void)state;
    add_profile(c, &profile);
    add_profile(c, &profile);
    calls_collapse_totals(c, &calls, &stacks, &subs);
    assert_int_equal(calls, 2 * CALLS);
    assert_int_equal(stacks, 4);
    assert_int_equal(subs, 3);
    calls_collapse_free(c);
    calls_collapse_free(NULL);
    memory_free(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_keep_lines_and_stacks_whole),
        cmocka_unit_test(runs_of_an_eval_become_one),
        cmocka_unit_test(what_only_resembles_an_eval_stays),
        cmocka_unit_test(damaged_names_take_no_longer),
        cmocka_unit_test(times_are_whole_ticks),
        cmocka_unit_test(a_time_of_nothing_has_no_sign),
        cmocka_unit_test(units_go_by_the_ticks_of_the_profile),
        cmocka_unit_test(calls_are_counted_instead),
        cmocka_unit_test(reversed_stacks_begin_with_the_callee),
        cmocka_unit_test(what_is_folded_goes_to_its_caller),
        cmocka_unit_test(profiles_with_different_ticks_add_up),
        cmocka_unit_test(totals_tell_what_was_read),
    };
    return cmocka_run_group_tests_name("collapse", tests, NULL, NULL);
}
