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

static void exact_numbers_have_all_digits(void **state)
{
    char written[NYTP_EXACT_MAX + 1];
    (void)state;
    written[nytp_exact_write(written, UINT64_MAX, 0)] = '\0';
    assert_string_equal(written, "18446744073709551615");
    written[nytp_exact_write(written, 0, 0)] = '\0';
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
    const nytp_measure time = nytp_measure_new();
    nytp_measure sampled = time;
    (void)state;
    sampled.samples_per_base = 100;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_string_equal(nytp_amount_measured(&time, cases[i].seconds).text, cases[i].text);
        assert_string_equal(nytp_amount_ticks(&sampled, cases[i].seconds * sampled.ticks_per_base).text,
                            cases[i].sampled);
    }
    for (int first = 1; first < 4835; first++) { /* some of these sums are less than 483.5 us */
        const double sum = first * 1e-7 + (4835 - first) * 1e-7;
        assert_string_equal(nytp_amount_measured(&time, sum).text, "484 us");
    }
    assert_string_equal(nytp_amount_ticks(&time, 0).text, "0.00 us");
    assert_string_equal(nytp_amount_ticks(&time, 3.5).text, "0.35 us");
}

static void units_that_are_not_known_have_their_name(void **state)
{
    nytp_measure measure = nytp_measure_new();
    (void)state;
    nytp_measure_note(&measure, (nytp_str){"unit", 4, false}, (nytp_str){"requests", 8, false});
    assert_string_equal(nytp_amount_ticks(&measure, 12.3).text, "12 requests");
    assert_string_equal(nytp_amount_measured(&measure, 86400).text, "86400 requests");
}

static void counts_have_plurals(void **state)
{
    (void)state;
    assert_string_equal(nytp_amount_of(0, "call").text, "0 calls");
    assert_string_equal(nytp_amount_of(1, "query").text, "1 query");
    assert_string_equal(nytp_amount_of(22271, "query").text, "22,271 queries");
    assert_string_equal(nytp_amount_of(2, "process").text, "2 processes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_printf),
        cmocka_unit_test(exact_numbers_have_all_digits),
        cmocka_unit_test(times_have_three_digits),
        cmocka_unit_test(units_that_are_not_known_have_their_name),
        cmocka_unit_test(counts_have_plurals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
