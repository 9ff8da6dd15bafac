/* What is slower, what may be chance, and which numbers grew. */
#include "converters/nytp-bench/bench.h"
#include "test/unit/support.h"

#include <math.h>

enum { PAIRS = 10 };

static bench_pairs pairs_of(const double old_s[PAIRS], const double new_s[PAIRS], uint64_t old_calls,
                            uint64_t new_calls)
{
    bench_pairs pairs = {.all = g_array_new(FALSE, FALSE, sizeof(bench_pair))};
    for (size_t i = 0; i < PAIRS; i++) {
        const bench_pair pair = {{{.taken_s = old_s[i], .busy_share = 0.1, .counts = {old_calls, 7, 0}},
                                  {.taken_s = new_s[i], .busy_share = 0.3, .counts = {new_calls, 7 + i, 0}}}};
        g_array_append_val(pairs.all, pair);
    }
    return pairs;
}

static const double old_s[PAIRS] = {1, 2, 1, 1.5, 1, 1.1, 1, 4, 1, 1};

static void more_time_in_all_pairs_is_slower(void **state)
{
    double new_s[PAIRS];
    (void)state;
    for (size_t i = 0; i < PAIRS; i++)
        new_s[i] = old_s[i] * (1.05 + 0.01 * (double)i);
    bench_pairs pairs = pairs_of(old_s, new_s, 5, 5);
    const bench_verdict v = bench_verdict_of(&pairs, 0.09, 0);
    assert_float_equal(v.p, 2.0 / 1024, 1e-9);
    assert_float_equal(v.change, 0.095, 1e-4);
    assert_true(v.is_slower && !v.is_chance);
    assert_float_equal(v.taken_s[NYTP_OLD], 1, 1e-9);
    assert_float_equal(v.busy_share, 0.2, 1e-9);
    assert_int_equal(bench_verdict_status(&v, &(bench_options){.limit = 0.09}), 3);
    assert_false(bench_verdict_is_in_doubt(&v, 0.09));
    assert_false(bench_verdict_of(&pairs, 0.1, 0).is_slower);
    const bench_verdict again = bench_verdict_of(&pairs, 0.09, 1); /* that look asks for a smaller p */
    assert_true(again.is_chance && !again.is_slower && bench_verdict_is_in_doubt(&again, 0.18));
    assert_false(bench_verdict_is_in_doubt(&again, 0.2));
    bench_pairs_clear(&pairs);
    bench_pairs faster = pairs_of(new_s, old_s, 5, 5);
    const bench_verdict w = bench_verdict_of(&faster, 0, 0);
    assert_true(w.change < 0 && !w.is_slower && !w.is_chance);
    bench_pairs_clear(&faster);
}

/* A median far beyond the limit. */
static void what_some_pairs_deny_may_be_chance(void **state)
{
    double new_s[PAIRS];
    (void)state;
    for (size_t i = 0; i < PAIRS; i++)
        new_s[i] = old_s[i] * (i < 3 ? 0.5 : 1.5);
    bench_pairs pairs = pairs_of(old_s, new_s, 5, 5);
    const bench_verdict v = bench_verdict_of(&pairs, 0.05, 0);
    assert_float_equal(v.change, 0.5, 1e-9);
    assert_true(v.is_chance && !v.is_slower);
    bench_pairs_clear(&pairs);
    pairs = pairs_of(old_s, old_s, 5, 5);
    assert_true(bench_verdict_of(&pairs, 0, 0).is_chance && bench_verdict_of(&pairs, 0, 0).change == 0);
    bench_pairs_clear(&pairs);
}

static void counts_grow_if_all_runs_have_more(void **state)
{
    static const bench_options fails = {.limit = 1, .fail_calls = true};
    (void)state;
    bench_pairs pairs = pairs_of(old_s, old_s, 5, 6);
    const bench_verdict v = bench_verdict_of(&pairs, 1, 0);
    assert_true(v.calls.grew && !v.calls.varies && v.calls.median[NYTP_NEW] == 6);
    assert_true(v.statements.varies && !v.statements.grew); /* one run of NEW has as many as OLD */
    assert_int_equal(bench_verdict_status(&v, &fails), 3);
    assert_int_equal(bench_verdict_status(&v, &(bench_options){.limit = 1}), 0);
    bench_pairs_clear(&pairs);
    pairs = pairs_of(old_s, old_s, 6, 5);
    const bench_verdict fewer = bench_verdict_of(&pairs, 1, 0);
    assert_int_equal(bench_verdict_status(&fewer, &fails), 0);
    bench_pairs_clear(&pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_time_in_all_pairs_is_slower),
        cmocka_unit_test(what_some_pairs_deny_may_be_chance),
        cmocka_unit_test(counts_grow_if_all_runs_have_more),
    };
    return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
