/* String evals of one place that are made one. */
#include "test/unit/profile_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t merged_into(const nytp_profile *p, uint32_t fid)
{
    return nytp_profile_file_by_fid(p, fid)->merged_into;
}

static bool has_sub(const nytp_profile *p, const char *name)
{
    nytp_sub sub;
    for (uint32_t i = 0; nytp_profile_sub(p, i, &sub); i++)
        if (sub.name.length == strlen(name) && memcmp(sub.name.bytes, name, sub.name.length) == 0)
            return true;
    return false;
}

static void same_text_at_the_same_place(void **state)
{
    const nytp_chunk chunks[] = {
        FILE_NAMED(1, "t.pl"),
        EVAL_NAMED(2, 1, 5, "(eval 1)[t.pl:5]"),
        EVAL_NAMED(3, 1, 5, "(eval 2)[t.pl:5]"),
        EVAL_NAMED(4, 1, 6, "(eval 3)[t.pl:6]"),
        EVAL_NAMED(5, 1, 5, "(eval 4)[t.pl:5]"),
        EVAL_NAMED(6, 1, 5, "(eval 5)[t.pl:5]"),
        EVAL_NAMED(7, 1, 5, "(eval 6)[t.pl:5]"),
        TIME(10, 2, 1),
        TIME(20, 3, 1),
        TIME(5, 3, 2),
        TIME(7, 4, 1),
        SOURCE(2, 1, "f()\n"),
        SOURCE(2, 2, ";"),
        SOURCE(3, 1, "f()\n"),
        SOURCE(3, 2, ";"),
        SOURCE(4, 1, "f()\n"),
        SOURCE(4, 2, ";"),
        SOURCE(5, 1, "g()\n"),
        SOURCE(5, 2, ";"),
    };
    nytp_line line;
    uint64_t from = 0;
    (void)state;
    nytp_profile *p = PROFILE(chunks);
    nytp_profile_merge_evals(p);
    assert_int_equal(merged_into(p, 3), 2);
    assert_int_equal(merged_into(p, 2), 0);
    assert_int_equal(merged_into(p, 4), 0);                     /* another line */
    assert_int_equal(merged_into(p, 5), 0);                     /* another text */
    assert_int_equal(merged_into(p, 6) | merged_into(p, 7), 0); /* without text nothing is known */
    assert_true(nytp_profile_next_line(p, 2, &from, &line) && line.count == 2 && line.ticks == 30);
    assert_true(nytp_profile_next_line(p, 2, &from, &line) && line.line == 2 && line.ticks == 5);
    from = 0;
    assert_false(nytp_profile_next_line(p, 3, &from, &line));
    assert_true(nytp_profile_totals(p).statement_ticks == 42);
    nytp_profile_add(p, &(nytp_chunk)TIME(3, 3, 1)); /* late, but not into what was freed */
    assert_true(nytp_profile_totals(p).statement_ticks == 45);
    nytp_profile_free(p);
}

static void subs_and_arcs_follow(void **state)
{
    const nytp_chunk chunks[] = {
        FILE_NAMED(1, "t.pl"),
        EVAL_NAMED(2, 1, 5, "(eval 1)[t.pl:5]"),
        EVAL_NAMED(3, 1, 5, "(eval 2)[t.pl:5]"),
        SUB("main::__ANON__[(eval 1)[t.pl:5]:1]", 2, 1, 1),
        SUB("main::__ANON__[(eval 2)[t.pl:5]:1]", 3, 1, 1),
        SUB("main::made", 3, 2, 2),
        ARC("main::RUNTIME", 2, 1, 1, 10, 10, "main::__ANON__[(eval 1)[t.pl:5]:1]"),
        ARC("main::RUNTIME", 3, 1, 2, 20, 20, "main::__ANON__[(eval 2)[t.pl:5]:1]"),
        ARC("main::__ANON__[(eval 2)[t.pl:5]:1]", 3, 1, 3, 30, 30, "main::made"),
        SOURCE(2, 1, "x\n"),
        SOURCE(3, 1, "x\n"),
    };
    (void)state;
    nytp_profile *p = PROFILE(chunks);
    nytp_profile_merge_evals(p);
    assert_true(has_sub(p, "main::__ANON__[(eval 0)[t.pl:5]:1]"));
    assert_false(has_sub(p, "main::__ANON__[(eval 1)[t.pl:5]:1]"));
    assert_false(has_sub(p, "main::__ANON__[(eval 2)[t.pl:5]:1]"));
    assert_int_equal(nytp_profile_arc_count(p), 2);
    assert_true(nytp_profile_arc(p, 0)->count == 3 && nytp_profile_arc(p, 0)->excl_ticks == 30);
    assert_int_equal(nytp_profile_arc(p, 1)->fid, 2);
    nytp_sub sub;
    assert_true(nytp_profile_sub(p, nytp_profile_arc(p, 0)->callee, &sub));
    assert_true(sub.range_count == 1 && sub.ranges[0].fid == 2);
    assert_int_equal(nytp_profile_arc(p, 1)->caller, nytp_profile_arc(p, 0)->callee);
    nytp_profile_free(p);
}

static void assert_file(const nytp_profile *p, uint32_t fid, const char *name)
{
    const nytp_file *f = nytp_profile_file_by_fid(p, fid);
    assert_int_equal(f->name.length, strlen(name));
    assert_memory_equal(f->name.bytes, name, strlen(name));
}

/* Programs that see only names of subs, as in stacks, call an eval by its place alone. */
static void an_eval_alone_at_its_place_has_no_number(void **state)
{
    const nytp_chunk chunks[] = {
        FILE_NAMED(1, "t.pl"),
        EVAL_NAMED(2, 1, 5, "(eval 7)[t.pl:5]"),
        EVAL_NAMED(3, 2, 1, "(eval 8)[(eval 7)[t.pl:5]:1]"),
        EVAL_NAMED(4, 1, 6, "(eval 9)[t.pl:6]"),
        EVAL_NAMED(5, 1, 6, "(eval 10)[t.pl:6]"), /* with another text */
        EVAL_NAMED(6, 4, 1, "(eval 11)[(eval 9)[t.pl:6]:1]"),
        EVAL_NAMED(7, 5, 1, "(eval 12)[(eval 10)[t.pl:6]:1]"),
        EVAL_NAMED(8, 1, 8, "(eval 13)[t.pl:8]"),
        FILE_NAMED(9, "(eval 0)[t.pl:8]"), /* no eval, but it has the name */
        EVAL_NAMED(10, 1, 9, "(eval 14)"),
        SUB("main::__ANON__[(eval 7)[t.pl:5]:1]", 2, 1, 1),
        SUB("main::__ANON__[(eval 8)[(eval 7)[t.pl:5]:1]:1]", 3, 1, 1),
        SUB("main::__ANON__[(eval 9)[t.pl:6]:1]", 4, 1, 1),
        SOURCE(4, 1, "x\n"),
        SOURCE(5, 1, "y\n"),
    };
    static const char *const names[] = {"t.pl",
                                        "(eval 0)[t.pl:5]",
                                        "(eval 0)[(eval 0)[t.pl:5]:1]",
                                        "(eval 9)[t.pl:6]",
                                        "(eval 10)[t.pl:6]",
                                        "(eval 11)[(eval 9)[t.pl:6]:1]",
                                        "(eval 12)[(eval 10)[t.pl:6]:1]",
                                        "(eval 13)[t.pl:8]",
                                        "(eval 0)[t.pl:8]",
                                        "(eval 14)"};
    (void)state;
    nytp_profile *p = PROFILE(chunks);
    nytp_profile_merge_evals(p);
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_file(p, i + 1, names[i]);
    assert_true(has_sub(p, "main::__ANON__[(eval 0)[t.pl:5]:1]"));
    assert_true(has_sub(p, "main::__ANON__[(eval 0)[(eval 0)[t.pl:5]:1]:1]"));
    assert_true(has_sub(p, "main::__ANON__[(eval 9)[t.pl:6]:1]"));
    nytp_profile_free(p);
}

/* So many different evals at line 5 of fid 1, from fid 2 on. */
static nytp_profile *with_evals(uint32_t count)
{
    nytp_profile *p = nytp_profile_new();
    nytp_profile_add(p, &(nytp_chunk)FILE_NAMED(1, "t.pl"));
    for (uint32_t i = 0; i < count; i++) {
        char text[32];
        int length = snprintf(text, sizeof text, "%u", i);
        nytp_str s = {text, (size_t)length, false};
        nytp_profile_add(p, &(nytp_chunk){.tag = NYTP_NEW_FID, .new_fid = {i + 2, 1, 5, 0x100, 0, 0, s}});
        nytp_profile_add(p, &(nytp_chunk){.tag = NYTP_SRC_LINE, .src_line = {i + 2, 1, s}});
    }
    nytp_profile_merge_evals(p);
    return p;
}

static void more_than_200_texts_become_one(void **state)
{
    (void)state;
    nytp_profile *p = with_evals(200);
    for (uint32_t fid = 2; fid < 202; fid++)
        assert_int_equal(merged_into(p, fid), 0);
    nytp_profile_free(p);
    p = with_evals(201);
    assert_int_equal(merged_into(p, 2), 0);
    for (uint32_t fid = 3; fid < 203; fid++)
        assert_int_equal(merged_into(p, fid), 2);
    nytp_profile_free(p);
}

static void evals_within_merged_evals(void **state)
{
    const nytp_chunk chunks[] = {
        FILE_NAMED(1, "t.pl"),
        EVAL_NAMED(2, 1, 5, "(eval 1)[t.pl:5]"),
        EVAL_NAMED(3, 2, 1, "(eval 2)[(eval 1)[t.pl:5]:1]"),
        EVAL_NAMED(4, 1, 5, "(eval 3)[t.pl:5]"),
        EVAL_NAMED(5, 4, 1, "(eval 4)[(eval 3)[t.pl:5]:1]"),
        EVAL_NAMED(6, 4, 1, "(eval 5)[(eval 3)[t.pl:5]:1]"),
        SOURCE(2, 1, "outer\n"),
        SOURCE(4, 1, "outer\n"),
        SOURCE(3, 1, "inner\n"),
        SOURCE(5, 1, "inner\n"),
        SOURCE(6, 1, "other\n"),
    };
    (void)state;
    nytp_profile *p = PROFILE(chunks);
    nytp_profile_merge_evals(p);
    assert_int_equal(merged_into(p, 4), 2);
    assert_int_equal(merged_into(p, 5), 3);
    assert_int_equal(merged_into(p, 6), 0);
    nytp_profile_free(p);
}

/* So deep that going outwards from each would take hours. Two evals of the innermost are the same. */
static void evals_may_be_nested_deeply(void **state)
{
    enum { DEEPEST = 1000000 };
    nytp_profile *p = nytp_profile_new();
    (void)state;
    nytp_profile_add(p, &(nytp_chunk)FILE_NAMED(1, "t.pl"));
    for (uint32_t fid = 2; fid <= DEEPEST; fid++)
        nytp_profile_add(p, &(nytp_chunk)EVAL_NAMED(fid, fid - 1, 1, "(eval)"));
    for (uint32_t fid = DEEPEST + 1; fid <= DEEPEST + 2; fid++) {
        nytp_profile_add(p, &(nytp_chunk)EVAL_NAMED(fid, DEEPEST, 1, "(eval)"));
        nytp_profile_add(p, &(nytp_chunk)SOURCE(fid, 1, "f()"));
    }
    nytp_profile_merge_evals(p);
    assert_int_equal(merged_into(p, DEEPEST), 0);
    assert_int_equal(merged_into(p, DEEPEST + 1), 0);
    assert_int_equal(merged_into(p, DEEPEST + 2), DEEPEST + 1);
    nytp_profile_free(p);
}

/* Damaged: an eval in itself, two in each other, one in a file that is not there. */
static void circles_and_orphans_are_left_alone(void **state)
{
    const nytp_chunk chunks[] = {
        EVAL_NAMED(2, 2, 1, "a"),  EVAL_NAMED(3, 4, 1, "b"), EVAL_NAMED(4, 3, 1, "c"),
        EVAL_NAMED(5, 99, 1, "d"), SOURCE(2, 1, "x"),        SOURCE(3, 1, "x"),
        SOURCE(4, 1, "x"),         SOURCE(5, 1, "x"),
    };
    (void)state;
    nytp_profile *p = PROFILE(chunks);
    nytp_profile_merge_evals(p);
    for (uint32_t fid = 2; fid <= 5; fid++)
        assert_int_equal(merged_into(p, fid), 0);
    nytp_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_text_at_the_same_place),
        cmocka_unit_test(subs_and_arcs_follow),
        cmocka_unit_test(an_eval_alone_at_its_place_has_no_number),
        cmocka_unit_test(more_than_200_texts_become_one),
        cmocka_unit_test(evals_within_merged_evals),
        cmocka_unit_test(circles_and_orphans_are_left_alone),
        cmocka_unit_test(evals_may_be_nested_deeply),
    };
    return cmocka_run_group_tests_name("evals", tests, NULL, NULL);
}
