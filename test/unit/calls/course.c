/* The course of calls: when they begin by the clock and without; times that only a damaged profile has, whose
 * sums reach the limit. */
#include "base/ticks.h"
#include "calls/course.h"
#include "test/unit/support.h"

#include <glib.h>
#include <stdlib.h>

enum { CALLS = 1100 /* so many of the longest exceed an int64_t */, OUTER = 1, INNER = 2 };

static nytp_course *long_calls(void)
{
    nytp_course *course = nytp_course_new(true);
    for (int i = 0; i < CALLS; i++)
        nytp_course_add_return(course, INNER, 2, NYTP_MOST_TICKS, (double)i * NYTP_MOST_TICKS);
    nytp_course_add_return(course, OUTER, 1, NYTP_MOST_TICKS, 0);
    nytp_course_end_stack(course);
    return course;
}

static void a_caller_takes_at_most_the_limit(void **state)
{
    nytp_course *course = long_calls();
    nytp_course_mark mark;
    int64_t before = 0;
    size_t marks = 0;
    (void)state;
    for (; nytp_course_next(course, &mark); marks++) {
        assert_int_equal(mark.incl_ticks, mark.sub == OUTER ? INT64_MAX : (int64_t)NYTP_MOST_TICKS);
        assert_true(mark.at_ticks >= before);
        before = mark.at_ticks;
    }
    assert_int_equal(marks, 2 * (CALLS + 1));
    nytp_course_free(course);
}

/* Two processes: f, then g, which calls h twice; f in the second. min_ticks leaves out f and h. */
static void calls_begin_by_the_clock(void **state)
{
    enum { F = 1, G, H };
    static const struct {
        bool by_clock;
        int64_t min_ticks;
        size_t count;
        nytp_course_mark marks[12];
    } cases[] = {
        {true,
         0,
         10,
         {{true, F, 0, 1, 3, 0, 10},
          {false, F, 0, 1, 13, 0, 10},
          {true, G, 0, 1, 1013, 0, 35},
          {true, H, 1, 1, 1015, 0, 15},
          {false, H, 1, 1, 1030, 0, 15},
          {true, H, 1, 1, 1032, 0, 15},
          {false, H, 1, 1, 1047, 0, 15},
          {false, G, 0, 1, 1048, 0, 35},
          {true, F, 0, 2, 1055, 1048, 10},
          {false, F, 0, 2, 1065, 1048, 10}}},
        {true, 30, 2, {{true, G, 0, 1, 1013, 0, 35}, {false, G, 0, 1, 1048, 0, 35}}},
        {false,
         0,
         10,
         {{true, F, 0, 1, 0, 0, 10},
          {false, F, 0, 1, 10, 0, 10},
          {true, G, 0, 1, 10, 0, 35},
          {true, H, 1, 1, 10, 0, 15},
          {false, H, 1, 1, 25, 0, 15},
          {true, H, 1, 1, 25, 0, 15},
          {false, H, 1, 1, 40, 0, 15},
          {false, G, 0, 1, 45, 0, 35},
          {true, F, 0, 2, 45, 45, 10},
          {false, F, 0, 2, 55, 45, 10}}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        nytp_course *course = nytp_course_new(cases[i].by_clock);
        nytp_course_mark mark;
        size_t marks = 0;
        nytp_course_end_stack(course);
        nytp_course_add_return(course, F, 1, 10, 3);
        nytp_course_add_return(course, H, 2, 15, 1015);
        nytp_course_add_return(course, H, 2, 15, 1032);
        nytp_course_add_return(course, G, 1, 5, 1013);
        nytp_course_end_stack(course);
        nytp_course_add_return(course, F, 1, 10, 7);
        nytp_course_prune(course, cases[i].min_ticks, 0);
        for (; nytp_course_next(course, &mark); marks++) {
            const nytp_course_mark *expected = &cases[i].marks[marks];
            assert_in_range(marks, 0, cases[i].count - 1);
            assert_int_equal(mark.enters, expected->enters);
            assert_int_equal(mark.sub, expected->sub);
            assert_int_equal(mark.depth, expected->depth);
            assert_int_equal(mark.stack, expected->stack);
            assert_int_equal(mark.at_ticks, expected->at_ticks);
            assert_int_equal(mark.stack_ticks, expected->stack_ticks);
            assert_int_equal(mark.incl_ticks, expected->incl_ticks);
        }
        assert_int_equal(marks, cases[i].count);
        nytp_course_free(course);
    }
}

/* Whatever the clock says, calls of one caller do not overlap, are within it, and last as long as they did.
 */
static void calls_are_within_their_callers(void **state)
{
    (void)state;
    srand(7);
    for (int round = 0; round < 200; round++) {
        nytp_course *course = nytp_course_new(true);
        nytp_course_mark mark;
        int64_t entered[64], before = 0;
        nytp_course_end_stack(course);
        for (int i = 0, depth = 1; i < 300; i++) {
            depth = MIN(MAX(depth - 1, 1) + rand() % 3, 60);
            nytp_course_add_return(course, 1, (uint32_t)depth, rand() % 50, rand() % 10000);
        }
        while (nytp_course_next(course, &mark)) {
            assert_true(mark.at_ticks >= before);
            before = mark.at_ticks;
            if (mark.enters)
                entered[mark.depth] = mark.at_ticks;
            else
                assert_int_equal(mark.at_ticks - entered[mark.depth], mark.incl_ticks);
        }
        nytp_course_free(course);
    }
}

static void sums_stay_within_limits_that_can_be_negated(void **state)
{
    (void)state;
    assert_int_equal(nytp_add_ticks(INT64_MAX, 1), INT64_MAX);
    assert_int_equal(nytp_add_ticks(-INT64_MAX, -1), -INT64_MAX);
    assert_int_equal(nytp_add_ticks(-INT64_MAX, -2), -INT64_MAX);
    assert_int_equal(nytp_add_ticks(-INT64_MAX, 5), -INT64_MAX + 5);
    assert_int_equal(nytp_whole_ticks(0x1p63), INT64_MAX);
    assert_int_equal(nytp_whole_ticks(-0x1p63), -INT64_MAX);
    assert_int_equal(nytp_whole_ticks(-INFINITY), -INT64_MAX);
    assert_int_equal(nytp_whole_ticks(NAN), 0);
    assert_int_equal(nytp_whole_ticks(-7.0), -7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_caller_takes_at_most_the_limit),
        cmocka_unit_test(calls_begin_by_the_clock),
        cmocka_unit_test(calls_are_within_their_callers),
        cmocka_unit_test(sums_stay_within_limits_that_can_be_negated),
    };
    return cmocka_run_group_tests_name("course", tests, NULL, NULL);
}
