/* The course of calls whose times only a damaged profile has: sums reach the limit, and no call is lost. */
#include "base/ticks.h"
#include "calls/course.h"
#include "test/unit/support.h"

enum { CALLS = 1100 /* so many of the longest exceed an int64_t */, OUTER = 1, INNER = 2 };

static nytp_course *long_calls(void)
{
    nytp_course *course = nytp_course_new();
    for (int i = 0; i < CALLS; i++)
        nytp_course_add_return(course, INNER, 2, NYTP_MOST_TICKS);
    nytp_course_add_return(course, OUTER, 1, NYTP_MOST_TICKS);
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
        cmocka_unit_test(sums_stay_within_limits_that_can_be_negated),
    };
    return cmocka_run_group_tests_name("course", tests, NULL, NULL);
}
