/* Least squares: what can be computed by hand, quantities that grow together, and observations that say less
 * because they are like the ones before. */
#include "calls/growth.h"
#include "test/unit/support.h"

#include <math.h>

static void add(nytp_least_squares *squares, double a, double b, double sum)
{
    const double value[NYTP_QUANTITIES + 1] = {a, b, [NYTP_QUANTITIES] = sum};
    nytp_least_squares_add(squares, value);
}

/* Without an error, also of large numbers. */
static void an_exact_sum(void **state)
{
    nytp_least_squares squares = {0};
    nytp_fit fit;
    (void)state;
    for (int i = 0; i < 100; i++)
        add(&squares, 1e6 + i, i * i % 17, 1e9 + 3.0 * i - 5.0 * (i * i % 17));
    assert_true(nytp_least_squares_fit(&squares, &fit));
    assert_float_equal(fit.multiple[0], 3, 1e-6);
    assert_float_equal(fit.multiple[1], -5, 1e-6);
    assert_float_equal(fit.multiple[2], 0, 0);
    assert_float_equal(fit.r2, 1, 1e-9);
    assert_true(fit.error[0] < 1e-3);
}

/* 1, 2, 3, 4 give 1, 3, 2, 4: 0.8 of each, r squared 0.64, and an error of sqrt(1.8 / 2 / 5). What is not
 * explained, -0.3, 0.9, -0.9, 0.3, changes its sign each time, so the errors are not larger. */
static void by_hand(void **state)
{
    nytp_least_squares squares = {0};
    nytp_fit fit;
    (void)state;
    add(&squares, 1, 0, 1);
    add(&squares, 2, 0, 3);
    add(&squares, 3, 0, 2);
    add(&squares, 4, 0, 4);
    assert_true(nytp_least_squares_fit(&squares, &fit));
    assert_float_equal(fit.multiple[0], 0.8, 1e-12);
    assert_float_equal(fit.r2, 0.64, 1e-12);
    assert_float_equal(fit.error[0], sqrt(0.18), 1e-12);
}

static void together_none_is_sure(void **state)
{
    nytp_least_squares squares = {0};
    nytp_fit fit;
    (void)state;
    for (int i = 0; i < 100; i++)
        add(&squares, i, 2 * i, 6 * i + i % 3);
    assert_true(nytp_least_squares_fit(&squares, &fit));
    assert_true(fit.r2 > 0.99);
    assert_true(fit.error[0] > 10 * fabs(fit.multiple[0]));
    assert_true(fit.error[1] > 10 * fabs(fit.multiple[1]));
}

/* Noise, each value once and in runs of 20. */
static void runs_say_less(void **state)
{
    nytp_least_squares mixed = {0}, in_runs = {0};
    nytp_fit fit, fit_of_runs;
    (void)state;
    for (int i = 0; i < 400; i++) {
        add(&mixed, i, 0, i + (i * 7 % 20 < 10 ? 30 : -30));
        add(&in_runs, i, 0, i + (i / 20 % 2 == 0 ? 30 : -30));
    }
    assert_true(nytp_least_squares_fit(&mixed, &fit));
    assert_true(nytp_least_squares_fit(&in_runs, &fit_of_runs));
    assert_float_equal(fit.r2, fit_of_runs.r2, 0.02);
    assert_true(fit_of_runs.error[0] > 3 * fit.error[0]);
}

static void too_few(void **state)
{
    nytp_least_squares squares = {0};
    nytp_fit fit;
    (void)state;
    assert_false(nytp_least_squares_fit(&squares, &fit));
    add(&squares, 1, 0, 1);
    add(&squares, 2, 0, 3);
    assert_false(nytp_least_squares_fit(&squares, &fit));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exact_sum),  cmocka_unit_test(by_hand), cmocka_unit_test(together_none_is_sure),
        cmocka_unit_test(runs_say_less), cmocka_unit_test(too_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
