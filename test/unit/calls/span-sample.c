/* The sample of spans: against all spans, sorted. */
#include "calls/span_sample.h"
#include "test/unit/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add(nytp_span_sample *sample, const char *name, uint32_t process, double begin_s,
                double latency_s)
{
    const nytp_span_time span = {.name = {name, strlen(name), true},
                                 .pid = 7,
                                 .process = process,
                                 .begin_s = begin_s,
                                 .latency_s = latency_s,
                                 .asleep_s = latency_s / 2};
    nytp_span_sample_add(sample, &span);
}

static const nytp_kept_span *kept(const GArray *all, guint i)
{
    return &g_array_index(all, nytp_kept_span, i);
}

/* Spans end in another order than they begin. */
static void few_spans_are_all_kept(void **state)
{
    nytp_span_sample *s = nytp_span_sample_new(10);
    (void)state;
    add(s, "inner", 0, 11, 1);
    add(s, "outer", 0, 10, 4);
    add(s, "inner", 1, 10.5, 2);
    const GArray *all = nytp_span_sample_get(s);
    const double begins_s[] = {10, 10.5, 11};
    const uint32_t names[] = {1, 0, 0}, processes[] = {0, 1, 0};
    assert_int_equal(all->len, COUNT(names));
    for (guint i = 0; i < COUNT(names); i++) {
        assert_true(kept(all, i)->begin_s == begins_s[i]);
        assert_int_equal(kept(all, i)->name, names[i]);
        assert_int_equal(kept(all, i)->process, processes[i]);
        assert_true(kept(all, i)->asleep_s == kept(all, i)->latency_s / 2);
    }
    assert_int_equal(nytp_span_sample_total(s), 3);
    assert_memory_equal(nytp_span_sample_name(s, 1).bytes, "outer", 5);
    nytp_span_sample_free(s);
    nytp_span_sample_free(NULL);
}

enum { MOST = 2000, ALL = 100000, NAMES = 7 };

/* Of span i of ALL. Later spans are slower, which must not matter to the sample; no two are equally slow. */
static double latency_of(unsigned i)
{
    return fmod(i * 0.6180339887, 1) + i / (double)ALL;
}

static nytp_span_sample *many_spans(void)
{
    nytp_span_sample *s = nytp_span_sample_new(MOST);
    for (unsigned i = 0; i < ALL; i++) {
        const char name[] = {(char)('a' + i % NAMES), '\0'};
        add(s, name, 0, i, latency_of(i));
    }
    return s;
}

static int slower_first(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a < b) - (a > b);
}

/* The latency that the slowest of a name have at least. */
static double least_of_slowest(unsigned name, size_t slowest)
{
    g_autofree double *all = g_new(double, ALL / NAMES + 1);
    size_t count = 0;
    for (unsigned i = name; i < ALL; i += NAMES)
        all[count++] = latency_of(i);
    qsort(all, count, sizeof *all, slower_first);
    return all[slowest - 1];
}

static void the_slowest_of_each_name_are_kept(void **state)
{
    nytp_span_sample *s = many_spans();
    const GArray *all = nytp_span_sample_get(s);
    (void)state;
    assert_int_equal(all->len, MOST);
    assert_int_equal(nytp_span_sample_total(s), ALL);
    assert_int_equal(nytp_span_sample_slowest(s), NYTP_SLOWEST_SPANS);
    for (unsigned name = 0; name < NAMES; name++) {
        const double least_s = least_of_slowest(name, NYTP_SLOWEST_SPANS);
        size_t found = 0;
        for (guint i = 0; i < all->len; i++)
            found += kept(all, i)->name == name && kept(all, i)->latency_s >= least_s;
        assert_int_equal(found, NYTP_SLOWEST_SPANS);
    }
    nytp_span_sample_free(s);
}

/* Tenths of the run, and names, have the same share of it: 3 standard deviations. */
static void the_others_are_a_fair_sample(void **state)
{
    enum { TENTHS = 10, SAMPLE = MOST - NAMES * NYTP_SLOWEST_SPANS };
    nytp_span_sample *s = many_spans();
    const GArray *all = nytp_span_sample_get(s);
    double least_s[NAMES];
    unsigned by_time[TENTHS] = {0}, by_name[NAMES] = {0}, sampled = 0;
    (void)state;
    for (unsigned name = 0; name < NAMES; name++)
        least_s[name] = least_of_slowest(name, NYTP_SLOWEST_SPANS);
    for (guint i = 0; i < all->len; i++) {
        const nytp_kept_span *k = kept(all, i);
        if (k->latency_s >= least_s[k->name])
            continue;
        by_time[(size_t)k->begin_s / (ALL / TENTHS)]++;
        by_name[k->name]++;
        sampled++;
    }
    assert_int_equal(sampled, SAMPLE);
    for (size_t i = 0; i < TENTHS; i++)
        assert_true(fabs(by_time[i] - SAMPLE / (double)TENTHS) < 3 * sqrt(SAMPLE / (double)TENTHS));
    for (size_t i = 0; i < NAMES; i++)
        assert_true(fabs(by_name[i] - SAMPLE / (double)NAMES) < 3 * sqrt(SAMPLE / (double)NAMES));
    nytp_span_sample_free(s);
}

/* With more names than there is room for, there is a fair sample of all. */
static void many_names_take_no_more_room(void **state)
{
    nytp_span_sample *s = nytp_span_sample_new(20);
    (void)state;
    for (unsigned i = 0; i < 5000; i++) {
        char name[16];
        snprintf(name, sizeof name, "%u", i % 100);
        add(s, name, 0, i, i);
    }
    assert_int_equal(nytp_span_sample_slowest(s), 0);
    assert_int_equal(nytp_span_sample_get(s)->len, 20);
    nytp_span_sample_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_spans_are_all_kept),
        cmocka_unit_test(the_slowest_of_each_name_are_kept),
        cmocka_unit_test(the_others_are_a_fair_sample),
        cmocka_unit_test(many_names_take_no_more_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
