/* How much time a sample stands for. */
#include "sampler/sample/pace.h"

#include "test/unit/support.h"

static void a_sample_stands_for_what_has_passed(void **state)
{
    (void)state;
    int64_t last_ns = 1000000000;
    double lost_s = 0;
    assert_float_equal(sampler_pace_passed_s(100, &last_ns, 1007000000, &lost_s), 0.007, 1e-9);
    assert_float_equal(sampler_pace_passed_s(100, &last_ns, 1022000000, &lost_s), 0.015, 1e-9);
    assert_float_equal(lost_s, 0, 1e-9);
}

static void but_for_two_periods_at_most(void **state)
{
    (void)state;
    int64_t last_ns = 0;
    double lost_s = 0.5;
    assert_float_equal(sampler_pace_passed_s(100, &last_ns, 1000000000, &lost_s), 0.02, 1e-9);
    assert_float_equal(lost_s, 1.48, 1e-9);
    assert_int_equal(last_ns, 1000000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_stands_for_what_has_passed),
        cmocka_unit_test(but_for_two_periods_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
