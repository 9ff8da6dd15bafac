/* A tmon.out is read as a profile: its three dialects, its clocks, and what the profiler took. */
#include "test/unit/support.h"
#include "test/unit/tmon_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything that comes before and after the calls. */
static void a_profile_has_all_its_parts(void **state)
{
    static const char tmon[] = TMON_HEAD("$over_utime=40000; $over_stime=20000; $over_rtime=80000;\n"
                                         "$over_tests=10000;\n") "& 2 main top\n"
                                                                 "+ 2\n"
                                                                 "@ 100 20 130\n"
                                                                 "& 1f Util leaf\n"
                                                                 "+ 1f\n"
                                                                 "@ 400 50 455\n"
                                                                 "- 1f\n"
                                                                 "- 2\n";
    static const char expected[] = "VERSION\t5\t0\n"
                                   "ATTRIBUTE\t'dprof_hz\t'1000\n"
                                   "ATTRIBUTE\t'dprof_XS_VERSION\t'DProf%2020110802.00\n"
                                   "ATTRIBUTE\t'dprof_over_utime\t'40000\n"
                                   "ATTRIBUTE\t'dprof_over_stime\t'20000\n"
                                   "ATTRIBUTE\t'dprof_over_rtime\t'80000\n"
                                   "ATTRIBUTE\t'dprof_over_tests\t'10000\n"
                                   "ATTRIBUTE\t'dprof_rrun_utime\t'500\n"
                                   "ATTRIBUTE\t'dprof_rrun_stime\t'70\n"
                                   "ATTRIBUTE\t'dprof_rrun_rtime\t'600\n"
                                   "ATTRIBUTE\t'dprof_total_marks\t'4\n"
                                   "ATTRIBUTE\t'ticks_per_sec\t'1000\n"
                                   "PID_START\t1\t0\t0\n"
                                   "NEW_FID\t1\t0\t0\t128\t0\t0\t'(unknown)\n"
                                   "SUB_ENTRY\t1\t0\t'main::top\n"
                                   "SUB_ENTRY\t1\t0\t'Util::leaf\n"
                                   "SUB_RETURN\t2\t447\t447\t'Util::leaf\n"
                                   "SUB_RETURN\t1\t561\t114\t'main::top\n"
                                   "SUB_INFO\t1\t0\t0\t'main::top\n"
                                   "SUB_INFO\t1\t0\t0\t'Util::leaf\n"
                                   "SUB_CALLERS\t1\t0\t1\t0.44700000000000001\t0.44700000000000001\t0\t0"
                                   "\t'Util::leaf\t'main::top\n"
                                   "SUB_CALLERS\t1\t0\t1\t0.56100000000000005\t0.114\t0\t0"
                                   "\t'main::top\t'main::RUNTIME\n"
                                   "PID_END\t1\t0.59999999999999998\n";
    size_t count;
    const way *all = ways(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        reading r = read_bytes(tmon, sizeof tmon - 1, all[i]);
        assert_string_equal(r.text, expected);
        assert_int_equal(r.end, NYTP_END);
        assert_int_equal(r.warnings, 0);
        assert_true(r.ticks_per_sec == 1000);
        reading_free(&r);
    }
}

static void only_wanted_chunks_are_delivered(void **state)
{
    static const char tmon[] = TMON_HEAD("") "+ & main::f\n- & main::f\n";
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(tmon, sizeof tmon - 1, "p.out"));
    (void)state;
    nytp_reader_set_tags(reader, nytp_tag_bit(NYTP_SUB_RETURN) | nytp_tag_bit(NYTP_SUB_INFO));
    reading r = read_to_end(reader);
    assert_string_equal(r.text, "SUB_RETURN\t1\t0\t0\t'main::f\nSUB_INFO\t1\t0\t0\t'main::f\n");
    reading_free(&r);
}

/* ---- clocks ---- */

#define TIMED                                                                                                \
    TMON_HEAD("$over_utime=30; $over_stime=10; $over_rtime=-20;\n$over_tests=5;\n")                          \
    "& 2 main a\n& 3 main b\n@ 1000 1000 1000\n+ 2\n@ 100 20 130\n+ 3\n@ 10 50 70\n- 3\n@ 0 0 5\n- 2\n"

static void each_clock_has_its_time_and_overhead(void **state)
{
    (void)state;
    assert_calls((nytp_dprof_options){.clock = NYTP_CLOCK_USER_SYSTEM}, TIMED,
                 "> main::a\n> main::b\n< 2 56 56 main::b\n< 1 168 112 main::a\n");
    assert_calls((nytp_dprof_options){.clock = NYTP_CLOCK_USER}, TIMED,
                 "> main::a\n> main::b\n< 2 7 7 main::b\n< 1 101 94 main::a\n");
    assert_calls((nytp_dprof_options){.clock = NYTP_CLOCK_SYSTEM}, TIMED,
                 "> main::a\n> main::b\n< 2 49 49 main::b\n< 1 67 18 main::a\n");
    assert_calls((nytp_dprof_options){.clock = NYTP_CLOCK_REAL}, TIMED,
                 "> main::a\n> main::b\n< 2 72 72 main::b\n< 1 211 139 main::a\n");
}

static void overhead_can_be_kept(void **state)
{
    (void)state;
    assert_calls((nytp_dprof_options){.with_overhead = true}, TIMED,
                 "> main::a\n> main::b\n< 2 60 60 main::b\n< 1 180 120 main::a\n");
    assert_calls((nytp_dprof_options){.clock = NYTP_CLOCK_REAL, .with_overhead = true}, TIMED,
                 "> main::a\n> main::b\n< 2 70 70 main::b\n< 1 205 135 main::a\n");
}

/* Without any time there is only overhead. Each call gets its part of it, so sums are right. */
static void time_may_be_less_than_overhead(void **state)
{
    (void)state;
    assert_calls((nytp_dprof_options){0},
                 TMON_HEAD("$over_utime=2;\n$over_tests=1;\n") "+ & m::a\n+ & m::b\n- & m::b\n- & m::a\n",
                 "> m::a\n> m::b\n< 2 -1 -1 m::b\n< 1 -3 -2 m::a\n");
}

#define WRITES                                                                                               \
    TMON_HEAD("$over_utime=4;\n$over_tests=1;\n")                                                            \
    "& 2 main a\n+ 2\n@ 100 0 100\n+ & Devel::DProf::write\n@ 50 0 60\n- & Devel::DProf::write\n"            \
    "@ 100 0 100\n- 2\n+ & Devel::DProf::write\n@ 7 0 7\n- & Devel::DProf::write\n"

static void the_time_of_the_profilers_writing_is_not_a_call(void **state)
{
    (void)state;
    assert_calls((nytp_dprof_options){0}, WRITES, "> main::a\n< 1 196 196 main::a\n");
    assert_calls((nytp_dprof_options){.with_overhead = true}, WRITES, "> main::a\n< 1 250 250 main::a\n");
}

/* ---- marks ---- */

static void names_may_stand_in_the_marks(void **state)
{
    (void)state;
    assert_calls(
        (nytp_dprof_options){0},
        TMON_HEAD("") "+ & main::a\n@ 20 0 20\n+ & main::b b\n@ 30 0 30\n/ & main::b b\n- & main::a\n",
        "> main::a\n> main::b b\n< 2 30 30 main::b b\n< 1 50 20 main::a\n");
}

static void times_may_stand_in_the_marks(void **state)
{
    (void)state;
    assert_calls((nytp_dprof_options){.clock = NYTP_CLOCK_REAL},
                 TMON_HEAD("") "+ 26 28 566822884 main::a\n+ 27 28 566822886 Foo::b\n"
                               "- 28 29 566822887 Foo::b\n- 28 29 566822890 main::a\n",
                 "> main::a\n> Foo::b\n< 2 1 1 Foo::b\n< 1 6 5 main::a\n");
}

/* Its exit mark has the id of the sub that was entered. */
static void goto_replaces_a_sub(void **state)
{
    (void)state;
    assert_calls(
        (nytp_dprof_options){0},
        TMON_HEAD("$over_utime=4;\n$over_tests=1;\n") "& 2 m a\n+ 2\n@ 100 0 0\n& 3 m b\n+ 3\n@ 100 0 0\n"
                                                      "& 4 m c\n* 4\n@ 10 0 0\n& 5 m d\n* 5\n- 3\n- 2\n",
        "> m::a\n> m::b\n< 2 98 98 m::b\n> m::c\n< 2 8 8 m::c\n> m::d\n< 2 -2 -2 m::d\n"
        "< 1 196 92 m::a\n");
    assert_calls((nytp_dprof_options){0}, TMON_HEAD("") "+ & m::b\n* & m::c\n- & m::c\n",
                 "> m::b\n< 1 0 0 m::b\n> m::c\n< 1 0 0 m::c\n");
}

static void a_name_may_have_several_ids(void **state)
{
    static const char tmon[] = TMON_HEAD("") "& 2 main __ANON__\n& FFfffff0 main __ANON__\n+ 2\n- 2\n"
                                             "& a F x__ANON__\n+ FfFFFFF0\n+ a\n- a\n- fffffff0\n";
    (void)state;
    assert_calls((nytp_dprof_options){0}, tmon,
                 "> main::__ANON__\n< 1 0 0 main::__ANON__\n> main::__ANON__\n> F::x__ANON__\n"
                 "< 2 0 0 F::x__ANON__\n< 1 0 0 main::__ANON__\n");
    assert_calls((nytp_dprof_options){.number_anons = true}, tmon,
                 "> main::__ANON__(2)\n< 1 0 0 main::__ANON__(2)\n> main::__ANON__(FFfffff0)\n"
                 "> F::x__ANON__(a)\n< 2 0 0 F::x__ANON__(a)\n< 1 0 0 main::__ANON__(FFfffff0)\n");
}

/* Where perl has freed a name, Devel::DProf writes whatever is there then. */
static void a_name_may_be_anything_in_a_line(void **state)
{
    (void)state;
    assert_calls((nytp_dprof_options){0},
                 TMON_HEAD("") "& 2 main \n+ 2\n- 2\n& 3  x\n+ 3\n- 3\n& 4 A \1 \xff& 5\n+ 4\n- 4\n",
                 "> main::\n< 1 0 0 main::\n> ::x\n< 1 0 0 ::x\n> A::\1 \xff& 5\n< 1 0 0 A::\1 \xff& 5\n");
}

static void the_rest_of_a_name_is_skipped(void **state)
{
    static const char tmon[] = TMON_HEAD("") "& 2 main a\n\nsub {\n}\n+ 2\n- 2\n";
    (void)state;
    assert_calls((nytp_dprof_options){0}, tmon, "> main::a\n< 1 0 0 main::a\n");
    reading r = read_bytes(tmon, sizeof tmon - 1, plainly);
    assert_int_equal(r.warnings, 2);
    assert_string_equal(r.warning,
                        "p.out: offset 171: a line was skipped that belongs to the name before it");
    reading_free(&r);
}

static void an_id_may_get_another_name(void **state)
{
    (void)state;
    assert_calls((nytp_dprof_options){0}, TMON_HEAD("") "& 2 m a\n+ 2\n& 2 m b\n+ 2\n- 2\n- 2\n",
                 "> m::a\n> m::b\n< 2 0 0 m::b\n< 1 0 0 m::a\n");
}

static void a_second_part_ends_the_data(void **state)
{
    (void)state;
    assert_calls((nytp_dprof_options){0}, TMON_HEAD("") "+ & m::a\n# a comment\n\n- & m::a\nPART3\n- what?\n",
                 "> m::a\n< 1 0 0 m::a\n");
}

static void lines_may_end_with_carriage_returns(void **state)
{
    (void)state;
    assert_calls((nytp_dprof_options){0},
                 "#fOrTyTwO\r\n$hz=100;\r\n$rrun_rtime=1\r\nPART2\r\n& 2 m a\r\n+ 2\r\n@ 1 2 3\r\n- 2\r\n",
                 "> m::a\n< 1 3 3 m::a\n");
    assert_calls((nytp_dprof_options){0}, TMON_HEAD("") "& 2 m a\n+ 2\n@ 1 2 3\n- 2",
                 "> m::a\n< 1 3 3 m::a\n");
    assert_calls((nytp_dprof_options){0}, TMON_HEAD("") "+ & m::a\n- & m::a\r", "> m::a\n< 1 0 0 m::a\n");
    assert_calls(
        (nytp_dprof_options){0},
        TMON_HEAD("") "+ & m::a\n- & m::a\n+ & Devel::DProf::write\n@ 0 1 1\n- & Devel::DProf::write",
        "> m::a\n< 1 0 0 m::a\n");
}

/* ---- arcs ---- */

static void arcs_say_how_deep_recursion_was(void **state)
{
    static const char tmon[] =
        TMON_HEAD("") "& 2 m r\n& 3 m s\n+ 2\n@ 1 0 0\n+ 3\n@ 2 0 0\n+ 2\n@ 4 0 0\n+ 2\n@ 8 0 0\n"
                      "- 2\n- 2\n- 3\n- 2\n+ 3\n@ 16 0 0\n- 3\n";
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(tmon, sizeof tmon - 1, "p.out"));
    (void)state;
    nytp_reader_set_tags(reader, nytp_tag_bit(NYTP_SUB_CALLERS));
    reading r = read_to_end(reader);
    assert_string_equal(
        r.text, "SUB_CALLERS\t1\t0\t1\t0\t0.0080000000000000002\t0.0080000000000000002\t2\t'm::r\t'm::r\n"
                "SUB_CALLERS\t1\t0\t1\t0\t0.0040000000000000001\t0.012\t1\t'm::r\t'm::s\n"
                "SUB_CALLERS\t1\t0\t1\t0.014\t0.002\t0\t0\t'm::s\t'm::r\n"
                "SUB_CALLERS\t1\t0\t1\t0.014999999999999999\t0.001\t0\t0\t'm::r\t'main::RUNTIME\n"
                "SUB_CALLERS\t1\t0\t1\t0.016\t0.016\t0\t0\t'm::s\t'main::RUNTIME\n");
    reading_free(&r);
}

/* A million calls deep, each the caller of the next. */
static void depth_has_no_limit(void **state)
{
    enum { DEPTH = 1000000 };
    static const char head[] = TMON_HEAD("") "& 2 m r\n";
    memory m = {0};
    nytp_chunk chunk;
    size_t returns = 0;
    uint32_t deepest = 0;
    (void)state;
    memory_add(&m, head, sizeof head - 1);
    for (int i = 0; i < DEPTH; i++)
        memory_add(&m, "+ 2\n@ 1 0 1\n", 12);
    for (int i = 0; i < DEPTH; i++)
        memory_add(&m, "- 2\n", 4);
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(m.data, m.size, "p.out"));
    while (nytp_reader_next(reader, &chunk) == NYTP_OK) {
        if (chunk.tag != NYTP_SUB_RETURN)
            continue;
        returns++;
        if (deepest < chunk.sub_return.depth)
            deepest = chunk.sub_return.depth;
        assert_true(chunk.sub_return.incl_ticks == (double)returns);
        assert_true(chunk.sub_return.excl_ticks == 1);
    }
    assert_int_equal(nytp_reader_error(reader)->code, NYTP_OK);
    assert_int_equal(returns, DEPTH);
    assert_int_equal(deepest, DEPTH);
    nytp_reader_free(reader);
    memory_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_profile_has_all_its_parts),
        cmocka_unit_test(only_wanted_chunks_are_delivered),
        cmocka_unit_test(each_clock_has_its_time_and_overhead),
        cmocka_unit_test(overhead_can_be_kept),
        cmocka_unit_test(time_may_be_less_than_overhead),
        cmocka_unit_test(the_time_of_the_profilers_writing_is_not_a_call),
        cmocka_unit_test(names_may_stand_in_the_marks),
        cmocka_unit_test(times_may_stand_in_the_marks),
        cmocka_unit_test(goto_replaces_a_sub),
        cmocka_unit_test(a_name_may_have_several_ids),
        cmocka_unit_test(a_name_may_be_anything_in_a_line),
        cmocka_unit_test(the_rest_of_a_name_is_skipped),
        cmocka_unit_test(an_id_may_get_another_name),
        cmocka_unit_test(a_second_part_ends_the_data),
        cmocka_unit_test(lines_may_end_with_carriage_returns),
        cmocka_unit_test(arcs_say_how_deep_recursion_was),
        cmocka_unit_test(depth_has_no_limit),
    };
    return cmocka_run_group_tests_name("tmon", tests, NULL, NULL);
}
