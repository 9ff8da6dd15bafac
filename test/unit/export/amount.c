/* Amounts as people read them. */
#include "export/amount.h"
#include "test/unit/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void numbers_are_those_of_printf(void **state)
{
    static const double odd[] = {0,      0.5,  1.5,      2.5,  0.125, 0.05,
                                 0.0005, -1.5, 999.9995, 1e15, 1e300, HUGE_VAL};
    char written[NYTP_NUMBER_MAX + 1], expected[NYTP_NUMBER_MAX];
    (void)state;
    srand48(1);
    for (size_t i = 0; i < 20000; i++) {
        const double number = i < COUNT(odd) ? odd[i] : drand48() * pow(10, (double)(i % 20) - 6);
        for (int decimals = 0; decimals <= 10; decimals += 1 + (i > COUNT(odd)) * (int)(i % 3)) {
            written[nytp_number_write(written, number, decimals)] = '\0';
            snprintf(expected, sizeof expected, "%.*f", decimals, number);
            assert_string_equal(written, expected);
        }
    }
}

static void counts_have_all_digits(void **state)
{
    char written[NYTP_COUNT_MAX + 1];
    (void)state;
    written[nytp_count_write(written, UINT64_MAX)] = '\0';
    assert_string_equal(written, "18446744073709551615");
    written[nytp_count_write(written, 0)] = '\0';
    assert_string_equal(written, "0");
}

static void times_have_three_digits(void **state)
{
    const struct {
        double seconds;
        const char *text, *sampled; /* at 100 Hz */
    } cases[] = {{0, "0", "0 us"},
                 {3.5e-10, "0.35 ns", "0 us"},
                 {3.5e-7, "350 ns", "0 us"},
                 {9.996e-3, "10.0 ms", "10 ms"},
                 {0.9996, "1.00 s", "1.00 s"},
                 {0.083, "83.0 ms", "83 ms"},
                 {99.96, "100 s", "100 s"},
                 {-1.5, "-1.50 s", "-1.50 s"},
                 {86400, "86400 s", "86400 s"}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_string_equal(nytp_amount_time(cases[i].seconds).text, cases[i].text);
        assert_string_equal(nytp_amount_sampled(cases[i].seconds, 100).text, cases[i].sampled);
    }
    assert_string_equal(nytp_amount_sampled(0, 0).text, "0.00 us");
    assert_string_equal(nytp_amount_sampled(3.5e-7, 0).text, "0.35 us");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_printf),
        cmocka_unit_test(counts_have_all_digits),
        cmocka_unit_test(times_have_three_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
