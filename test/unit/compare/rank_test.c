/* The test of Mann and Whitney against all ways to deal out the values, and what it must not do: call chance
 * a change. */
#include "compare/rank_test.h"
#include "test/unit/support.h"

#include <math.h>

enum { MOST = 12 };

static double rank_of(const double *values, size_t count, size_t which)
{
    double below = 0, equal = 0;
    for (size_t i = 0; i < count; i++) {
        below += values[i] < values[which];
        equal += values[i] == values[which];
    }
    return below + (equal + 1) / 2;
}

/* Returns the share of all ways to choose a_count of the values whose sum of ranks is as far from the mean as
 * that of the first a_count. */
static double by_enumeration(const double *values, size_t count, size_t a_count)
{
    double ranks[MOST] = {0}, sum = 0, ways = 0, as_far = 0;
    const double mean = (double)a_count * (double)(count + 1) / 2;
    for (size_t i = 0; i < count; i++)
        ranks[i] = rank_of(values, count, i);
    for (size_t i = 0; i < a_count; i++)
        sum += ranks[i];
    for (unsigned set = 0; set < 1u << count; set++) {
        double other = 0;
        if ((size_t)__builtin_popcount(set) != a_count)
            continue;
        for (size_t i = 0; i < count; i++)
            other += set & 1u << i ? ranks[i] : 0;
        ways++;
        as_far += fabs(other - mean) > fabs(sum - mean) - 1e-9;
    }
    return as_far / ways;
}

static void small_sets_are_tested_exactly(void **state)
{
    uint64_t random = 1;
    (void)state;
    for (int round = 0; round < 300; round++) {
        double values[MOST];
        const size_t count = 2 + random_below(&random, MOST - 1), a = 1 + random_below(&random, count - 1);
        const uint64_t kinds = 1 + random_below(&random, 20); /* few: many ties */
        for (size_t i = 0; i < count; i++)
            values[i] = (double)random_below(&random, kinds) / 3;
        const double p = nytp_rank_test(values, a, values + a, count - a);
        assert_float_equal(p, by_enumeration(values, count, a), 1e-9);
    }
}

static void four_of_each_can_be_enough(void **state)
{
    const double a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8}, none[] = {0};
    (void)state;
    assert_float_equal(nytp_rank_test(a, 4, b, 4), 2.0 / 70, 1e-12);
    assert_float_equal(nytp_rank_test(b, 4, a, 4), 2.0 / 70, 1e-12);
    assert_true(nytp_rank_test(a, 3, b, 4) > 0.05);
    assert_float_equal(nytp_rank_test(a, 4, a, 4), 1, 1e-12);
    assert_float_equal(nytp_rank_test(none, 0, b, 4), 1, 0);
}

static double uniform(uint64_t *random)
{
    return (double)random_below(random, 1 << 20);
}

/* Both ways to compute p, for sizes at which the exact one ends. */
static void chance_is_called_a_change_in_one_of_twenty(void **state)
{
    const size_t sizes[] = {4, 7, 12, 13, 30};
    enum { ROUNDS = 4000 };
    (void)state;
    for (size_t s = 0; s < COUNT(sizes); s++) {
        uint64_t random = 77;
        int alarms = 0;
        for (int round = 0; round < ROUNDS; round++) {
            double a[30], b[30];
            for (size_t i = 0; i < sizes[s]; i++) {
                a[i] = uniform(&random);
                b[i] = uniform(&random);
            }
            alarms += nytp_rank_test(a, sizes[s], b, sizes[s]) < 0.05;
        }
        /* The numbers are always the same ones. */
        assert_in_range(alarms, ROUNDS / 50, ROUNDS / 20 + ROUNDS / 100);
    }
}

static void the_middle_of_values(void **state)
{
    double one[] = {3}, two[] = {4, 2}, five[] = {9, 1, 3, 5, 100};
    (void)state;
    assert_float_equal(nytp_middle_of(one, 1).median, 3, 0);
    assert_float_equal(nytp_middle_of(one, 1).spread, 0, 0);
    assert_float_equal(nytp_middle_of(two, 2).median, 3, 0);
    assert_float_equal(nytp_middle_of(two, 2).spread, 1, 0);
    assert_float_equal(nytp_middle_of(five, 5).median, 5, 0);
    assert_float_equal(nytp_middle_of(five, 5).spread, 3, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_sets_are_tested_exactly),
        cmocka_unit_test(four_of_each_can_be_enough),
        cmocka_unit_test(chance_is_called_a_change_in_one_of_twenty),
        cmocka_unit_test(the_middle_of_values),
    };
    return cmocka_run_group_tests_name("rank_test", tests, NULL, NULL);
}
