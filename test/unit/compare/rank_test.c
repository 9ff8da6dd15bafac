/* The tests of Mann and Whitney, and of Wilcoxon, against all ways to deal out the values and signs and
 * against tables, and what they must not do: call chance a change. */
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

/* Returns the share of all ways to choose signs whose sum of ranks is as far from the mean as that of these.
 */
static double by_all_signs(const double *differences, size_t count)
{
    double sizes[MOST] = {0}, ranks[MOST] = {0}, all = 0, sum = 0, as_far = 0;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (differences[i] != 0)
            sizes[kept++] = fabs(differences[i]);
    for (size_t i = 0, k = 0; i < count; i++)
        if (differences[i] != 0) {
            ranks[k] = rank_of(sizes, kept, k);
            all += ranks[k];
            sum += differences[i] > 0 ? ranks[k] : 0;
            k++;
        }
    for (unsigned set = 0; set < 1u << kept; set++) {
        double other = 0;
        for (size_t i = 0; i < kept; i++)
            other += set & 1u << i ? ranks[i] : 0;
        as_far += fabs(other - all / 2) > fabs(sum - all / 2) - 1e-9;
    }
    return as_far / (double)(1u << kept);
}

static void signed_ranks_are_tested_exactly(void **state)
{
    const double zeros[3] = {0};
    uint64_t random = 7;
    (void)state;
    for (int round = 0; round < 300; round++) {
        double values[MOST];
        const size_t count = 1 + random_below(&random, MOST);
        const uint64_t kinds = 1 + random_below(&random, 20);
        for (size_t i = 0; i < count; i++)
            values[i] = ((double)random_below(&random, 2 * kinds + 1) - (double)kinds) / 3;
        assert_float_equal(nytp_signed_rank_test(values, count), by_all_signs(values, count), 1e-9);
    }
    assert_float_equal(nytp_signed_rank_test(zeros, 3), 1, 0);
    assert_float_equal(nytp_signed_rank_test(zeros, 0), 1, 0);
}

/* Returns p of the ranks 1 to count, of which those above 0 have that sum. */
static double p_of_sum(size_t count, size_t sum)
{
    double differences[32];
    assert_in_range(count, 1, COUNT(differences));
    for (size_t rank = count; rank > 0; rank--) {
        const bool above = rank <= sum;
        differences[rank - 1] = above ? (double)rank : -(double)rank;
        sum -= above ? rank : 0;
    }
    return nytp_signed_rank_test(differences, count);
}

/* The largest sum of ranks with p <= 0.01, two-sided, as statistical tables have it. */
static void signed_ranks_are_those_of_the_tables(void **state)
{
    const struct {
        size_t count, largest;
    } table[] = {{8, 0},   {9, 1},   {10, 3},  {11, 5},  {12, 7},  {13, 9},   {14, 12}, {15, 15},
                 {16, 19}, {17, 23}, {18, 27}, {19, 32}, {20, 37}, {21, 42},  {22, 48}, {23, 54},
                 {24, 61}, {25, 68}, {26, 75}, {27, 83}, {28, 91}, {29, 100}, {30, 109}};
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        assert_true(p_of_sum(table[i].count, table[i].largest) <= 0.01);
        assert_true(p_of_sum(table[i].count, table[i].largest + 1) > 0.01);
    }
    assert_float_equal(p_of_sum(10, 8), 0.048828125, 1e-12);
    assert_float_equal(p_of_sum(10, 55), nytp_signed_rank_least(10), 1e-12);
    assert_true(nytp_signed_rank_least(7) > 0.01 && nytp_signed_rank_least(8) < 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_sets_are_tested_exactly),
        cmocka_unit_test(four_of_each_can_be_enough),
        cmocka_unit_test(chance_is_called_a_change_in_one_of_twenty),
        cmocka_unit_test(the_middle_of_values),
        cmocka_unit_test(signed_ranks_are_tested_exactly),
        cmocka_unit_test(signed_ranks_are_those_of_the_tables),
    };
    return cmocka_run_group_tests_name("rank_test", tests, NULL, NULL);
}
