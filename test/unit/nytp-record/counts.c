/* When a recording says that samples have missed a part of what ran. */
#include "nytp-record/fold.h"

#include "test/unit/support.h"

static double missed(uint64_t samples, double run_s, double sleep_s, double missed_s)
{
    record_counts counts = {.samples = samples, .missed_s = missed_s};
    counts.state_s[SAMPLER_RUN] = run_s;
    counts.state_s[SAMPLER_SLEEP] = sleep_s;
    return record_counts_missed(&counts);
}

static void much_is_said(void **state)
{
    (void)state;
    assert_float_equal(missed(1000, 1, 9, 0.5), 0.05, 1e-6);
    assert_float_equal(missed(1000, 10, 0, 2), 0.2, 1e-6);
}

static void little_is_not(void **state)
{
    (void)state;
    assert_float_equal(missed(1000, 1, 9, 0.1), 0, 1e-6);
    assert_float_equal(missed(1000, 10, 0, 0.5), 0, 1e-6);
    assert_float_equal(missed(0, 0, 0, 0), 0, 1e-6);
}

/* It ran all the time, and for two periods before the first sample and after the last one. */
static void the_end_of_a_short_program_is_not(void **state)
{
    (void)state;
    assert_float_equal(missed(10, 0.12, 0, 0.02), 0, 1e-6);
    assert_float_equal(missed(2, 0.02, 0, 0.01), 0, 1e-6);
}

static void the_worst_losses_are_kept(void **state)
{
    record_counts sum = {0};
    (void)state;
    for (int pid = 1; pid <= 5; pid++) {
        record_counts one = {.lost_s = pid == 3 ? 9 : pid};
        record_counts_lose(&one, pid, one.lost_s);
        record_counts_add(&sum, &one);
    }
    assert_int_equal(sum.losers, 5);
    assert_int_equal(sum.worst[0].pid, 3);
    assert_int_equal(sum.worst[1].pid, 5);
    assert_int_equal(sum.worst[2].pid, 4);
    record_counts_lose(&sum, 6, 0);
    assert_int_equal(sum.losers, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(much_is_said),
        cmocka_unit_test(little_is_not),
        cmocka_unit_test(the_end_of_a_short_program_is_not),
        cmocka_unit_test(the_worst_losses_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
