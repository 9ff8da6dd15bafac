/* The tables of nytp-top: what they keep of programs that make subs without end. */
#include "nytp-top/tables.h"

#include "test/unit/in_use.h"
#include "test/unit/support.h"

#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_BYTES (16 << 20)

static void tables_keep_what_takes_most_time(void **state)
{
    enum { NAMES = 300000, SECOND = 1000 };
    top_counts *c = top_counts_new();
    in_use kept = in_use_begin();
    size_t count;
    char name[64];
    (void)state;
    for (int n = 0; n < NAMES; n++) {
        snprintf(name, sizeof name, "Some::Package::handler%d", n);
        top_counts_begin_stack(c, (double[]){0.001, 0});
        top_counts_on_stack(c, "main::loop");
        top_counts_on_stack(c, name);
        top_counts_at_work(c, n % 2 == 0 ? "main::loop" : name);
        if (n % SECOND == 0) {
            top_counts_next_second(c);
            in_use_measure(&kept);
        }
    }
    assert_true(kept.more < MOST_BYTES);
    top_row *rows = top_counts_rows(c, TOP_ALL, TOP_SELF, "", &count);
    double self = 0;
    assert_in_range(count, TOP_MOST / 2, TOP_MOST + 2);
    assert_string_equal(rows[0].name, "main::loop");
    assert_string_equal(rows[1].name, TOP_OTHERS);
    for (size_t n = 0; n < count; n++)
        self += rows[n].self;
    assert_true(self > 0.999 && self < 1.001); /* nothing is lost */
    g_free(rows);
    top_counts_free(c);
}

/* nytp-top may have been stopped for long. */
static void the_last_seconds_are_those_that_passed(void **state)
{
    const int64_t second = INT64_C(1000000000);
    int64_t second_ns = second;
    top_tables t;
    (void)state;
    top_tables_init(&t);
    top_counts_begin_stack(t.of[TOP_SUBS], (double[]){1, 0});
    top_tables_advance(&t, &second_ns, second_ns + second * 5 / 2);
    assert_int_equal(second_ns, 3 * second);
    assert_true(top_counts_recent_s(t.of[TOP_SUBS], TOP_ALL) > 0.9);
    top_tables_advance(&t, &second_ns, second_ns + 1000000 * second);
    assert_true(top_counts_recent_s(t.of[TOP_SUBS], TOP_ALL) < 0.1);
    assert_true(top_counts_total_s(t.of[TOP_SUBS], TOP_ALL) > 0.9);
    assert_int_equal(second_ns, 1000003 * second);
    top_tables_clear(&t);
}

/* A program that is sampled all the time has five seconds in the last five, whatever part of a second has
 * passed. */
static void the_last_seconds_are_five(void **state)
{
    const int64_t second = INT64_C(1000000000), step = second / 10;
    int64_t second_ns = 0;
    top_tables t;
    (void)state;
    top_tables_init(&t);
    for (int64_t now = step; now < 20 * second; now += step) {
        top_counts_begin_stack(t.of[TOP_SUBS], (double[]){0.1, 0.025});
        top_counts_add_whole(t.of[TOP_LINES], 0.1);
        top_tables_advance(&t, &second_ns, now);
        const double passed_s = (double)now / (double)second, recent_s = fmin(passed_s, 5);
        assert_float_equal(top_counts_recent_s(t.of[TOP_SUBS], TOP_ALL), recent_s, 1e-9);
        assert_float_equal(top_counts_recent_s(t.of[TOP_SUBS], TOP_WORK), recent_s / 4, 1e-9);
        assert_float_equal(top_counts_recent_s(t.of[TOP_LINES], TOP_ALL), recent_s, 1e-9);
    }
    top_tables_clear(&t);
}

static void what_was_long_ago_is_in_the_order_of_all_time(void **state)
{
    static const char *const expected[] = {"main::now", "main::slow", "main::fast", "main::fast2"};
    static const enum top_sort sorts[] = {TOP_RECENT_SELF, TOP_RECENT_INCL};
    top_tables t;
    (void)state;
    top_tables_init(&t);
    top_counts *c = t.of[TOP_SUBS];
    top_counts_add(c, "main::fast2", 1, 1);
    top_counts_add(c, "main::fast", 1, 1);
    top_counts_add(c, "main::slow", 2, 2);
    top_tables_forget_recent(&t);
    assert_true(top_counts_recent_s(c, TOP_ALL) == 0);
    top_counts_add(c, "main::now", 0.1, 0.1);
    for (size_t i = 0; i < G_N_ELEMENTS(sorts); i++) {
        size_t count;
        g_autofree top_row *rows = top_counts_rows(c, TOP_ALL, sorts[i], "", &count);
        assert_int_equal(count, G_N_ELEMENTS(expected));
        for (size_t n = 0; n < count; n++)
            assert_string_equal(rows[n].name, expected[n]);
    }
    top_tables_clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_seconds_are_those_that_passed),
        cmocka_unit_test(what_was_long_ago_is_in_the_order_of_all_time),
        cmocka_unit_test(the_last_seconds_are_five),
        cmocka_unit_test(tables_keep_what_takes_most_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
