/* The longest calls: against all calls, sorted. */
#include "calls/longest_calls.h"
#include "test/unit/support.h"

#include <math.h>
#include <stdlib.h>

/* f calls g twice and h; a second process calls g. */
static void calls_come_by_process_and_begin(void **state)
{
    enum { F, G, H };
    nytp_longest_calls *l = nytp_longest_calls_new(10);
    size_t count;
    (void)state;
    nytp_longest_calls_begin_process(l);
    nytp_longest_calls_add(l, G, 2, 3, 10);
    nytp_longest_calls_add(l, G, 2, 13, 20);
    nytp_longest_calls_add(l, H, 2, 40, 5);
    nytp_longest_calls_add(l, F, 1, 3, 135);
    nytp_longest_calls_begin_process(l);
    nytp_longest_calls_add(l, G, 1, 0, 7);
    const nytp_long_call expected[] = {{F, 1, 0, 3, 135, 3},
                                       {G, 2, 0, 3, 10, 0},
                                       {G, 2, 0, 13, 20, 1},
                                       {H, 2, 0, 40, 5, 2},
                                       {G, 1, 1, 0, 7, 4}};
    const nytp_long_call *got = nytp_longest_calls_get(l, &count);
    assert_int_equal(count, COUNT(expected));
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(got[i].sub, expected[i].sub);
        assert_int_equal(got[i].depth, expected[i].depth);
        assert_int_equal(got[i].process, expected[i].process);
        assert_int_equal(got[i].begin_ticks, expected[i].begin_ticks);
        assert_int_equal(got[i].ticks, expected[i].ticks);
        assert_int_equal(got[i].number, expected[i].number);
    }
    assert_int_equal(nytp_longest_calls_total(l), 5);
    nytp_longest_calls_free(l);
    nytp_longest_calls_free(NULL);
}

static int longer_first(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a < b) - (a > b);
}

/* Whatever the order in which they come, what is kept is what a sort of all would keep. */
static void only_the_longest_are_kept(void **state)
{
    enum { MOST = 50, ALL = 2000 };
    nytp_longest_calls *l = nytp_longest_calls_new(MOST);
    double all[ALL];
    size_t count;
    (void)state;
    srand(1);
    for (size_t i = 0; i < ALL; i++) {
        all[i] = (double)(rand() % 1000000) + (double)i / ALL; /* no two are equal */
        nytp_longest_calls_add(l, (uint32_t)i, 1, (double)i, all[i]);
    }
    qsort(all, ALL, sizeof all[0], longer_first);
    const nytp_long_call *got = nytp_longest_calls_get(l, &count);
    assert_int_equal(count, MOST);
    for (size_t i = 0; i < count; i++) {
        assert_true(got[i].ticks >= all[MOST - 1]);
        assert_true(i == 0 || got[i].begin_ticks > got[i - 1].begin_ticks);
    }
    nytp_longest_calls_free(l);
}

/* Clocks step back: no call becomes negative. */
static void damage_is_survived(void **state)
{
    nytp_longest_calls *l = nytp_longest_calls_new(10);
    size_t count;
    (void)state;
    nytp_longest_calls_add(l, 0, 9, -5, 5);
    nytp_longest_calls_add(l, 1, 3, 0, -7);
    nytp_longest_calls_add(l, 2, UINT32_MAX, 3, 2);
    nytp_longest_calls_add(l, 3, 0, NAN, NAN);
    const nytp_long_call *got = nytp_longest_calls_get(l, &count);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++)
        assert_true(got[i].ticks >= 0 && got[i].begin_ticks >= 0);
    nytp_longest_calls_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_come_by_process_and_begin),
        cmocka_unit_test(only_the_longest_are_kept),
        cmocka_unit_test(damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
