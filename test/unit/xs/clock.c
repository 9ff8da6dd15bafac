/* The collector's clock, on a machine whose counter and CLOCK_MONOTONIC the tests set. */
#include "test/unit/support.h"

#if defined __x86_64__

#include <time.h>
#include <x86intrin.h>

static uint64_t counter;
static int64_t monotonic_ns_now;
static double counts_per_ns;

static uint64_t told_counter(void)
{
    return counter;
}

static void pass_ns(int64_t ns)
{
    monotonic_ns_now += ns;
    counter += (uint64_t)((double)ns * counts_per_ns);
}

static int told_gettime(clockid_t id, struct timespec *t)
{
    (void)id;
    pass_ns(50);
    t->tv_sec = monotonic_ns_now / 1000000000;
    t->tv_nsec = monotonic_ns_now % 1000000000;
    return 0;
}

/* The code under test, with the clock of the test. */
#define __rdtsc       told_counter
#define clock_gettime told_gettime
#include "xs/basics/clock.c" /* NOLINT(bugprone-suspicious-include): so that it calls the macros above */

static const int64_t SECOND_NS = 1000000000;

static prof_clock begun(double rate, uint64_t count)
{
    prof_clock clock = {0};
    counter = count;
    counts_per_ns = rate;
    monotonic_ns_now = 5 * SECOND_NS;
    clock.counter = start_counter(&clock);
    return clock;
}

/* Seconds from one count to another according to the clock, to a thousandth. */
static void assert_ticks(const prof_clock *clock, uint64_t count, double want_s)
{
    const double got_s = (double)prof_ticks(clock, count) / PROF_TICKS_PER_S;
    assert_true(fabs(got_s - want_s) < 0.001 + want_s / 1000);
}

static void ticks_go_on_without_a_jump(void **state)
{
    (void)state;
    prof_clock clock = begun(3, UINT64_C(1) << 40);
    assert_true(clock.counter);
    for (int s = 1; s <= 3; s++) {
        pass_ns(SECOND_NS);
        assert_false(prof_clock_refine(&clock, counter));
        assert_ticks(&clock, counter, s);
    }
    pass_ns(36000 * SECOND_NS);
    counter += 36000 * UINT64_C(300000); /* the error that the rate may have had */
    assert_false(prof_clock_refine(&clock, counter));
}

/* After the leap the counter is somewhere else. */
static void test_suspended(uint64_t woken_at)
{
    prof_clock clock = begun(3, UINT64_C(1) << 53);
    pass_ns(SECOND_NS);
    prof_clock_refine(&clock, counter);
    pass_ns(SECOND_NS / 2);
    counter = woken_at;
    pass_ns(SECOND_NS / 2);
    assert_true(prof_clock_refine(&clock, counter));
    assert_ticks(&clock, counter, 2);
    for (int s = 3; s <= 5; s++) {
        pass_ns(SECOND_NS);
        assert_false(prof_clock_refine(&clock, counter));
        assert_ticks(&clock, counter, s);
    }
}

static void a_counter_that_went_on_while_suspended(void **state)
{
    (void)state;
    test_suspended((UINT64_C(1) << 53) + 36000 * UINT64_C(3000000000));
}

static void a_counter_that_began_anew(void **state)
{
    (void)state;
    test_suspended(1000);
}

/* Waiting is not active time; the leap is in it, or outside of it. */
static void waiting_is_not_active_time(void **state)
{
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        prof_clock clock = begun(3, UINT64_C(1) << 53);
        uint64_t from = counter;
        pass_ns(2 * SECOND_NS);
        if (!apart)
            counter = 1000;
        const uint64_t inactive = counter - from;
        if (apart)
            counter = 1000;
        pass_ns(SECOND_NS);
        assert_true(prof_clock_refine(&clock, counter - inactive));
        assert_ticks(&clock, counter - inactive, 1);
        pass_ns(SECOND_NS);
        assert_ticks(&clock, counter - inactive, 2);
    }
}

static void a_slow_counter_is_not_used(void **state)
{
    (void)state;
    assert_true(begun(0.02, 1000).counter);
    assert_false(begun(0.01, 1000).counter);
    assert_false(begun(0, 1000).counter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_go_on_without_a_jump),
        cmocka_unit_test(a_counter_that_went_on_while_suspended),
        cmocka_unit_test(a_counter_that_began_anew),
        cmocka_unit_test(waiting_is_not_active_time),
        cmocka_unit_test(a_slow_counter_is_not_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
