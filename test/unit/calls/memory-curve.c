/* Memory over time: points, of which at most a given number is kept. */
#include "calls/memory_curve.h"
#include "test/unit/support.h"

#include <math.h>

static const nytp_memory_point *point(const nytp_memory_curve *curve, guint i)
{
    return &g_array_index(curve->points, nytp_memory_point, i);
}

static void add(nytp_memory_curve *curve, uint32_t process, double ticks, double rss_bytes)
{
    const nytp_memory_at at = {ticks, rss_bytes, 2 * rss_bytes};
    nytp_memory_curve_add(curve, process, ticks / 10, &at);
}

static void few_points_are_kept_as_they_are(void **state)
{
    nytp_memory_curve curve = nytp_memory_curve_new(3);
    (void)state;
    add(&curve, 0, 10, 5);
    add(&curve, 0, 15, 4);
    add(&curve, 1, 0, 3);
    assert_int_equal(curve.points->len, 3);
    assert_float_equal(point(&curve, 1)->s, 1.5, 0);
    assert_float_equal(point(&curve, 1)->values, 8, 0);
    assert_int_equal(point(&curve, 2)->process, 1);
    nytp_memory_curve_free(&curve);
}

/* A peak of one moment in a million stays, when it was. */
static void many_points_become_fewer(void **state)
{
    enum { MOST = 100, POINTS = 1000000 };
    nytp_memory_curve curve = nytp_memory_curve_new(MOST);
    const nytp_memory_point *peak = NULL;
    (void)state;
    for (int i = 0; i < POINTS; i++) {
        add(&curve, i >= POINTS / 2, i % (POINTS / 2), i == 765432 ? 1000 : 10);
        assert_in_range(curve.points->len, 1, MOST);
    }
    assert_in_range(curve.points->len, MOST / 4, MOST);
    for (guint i = 0; i < curve.points->len; i++)
        peak = point(&curve, i)->rss_bytes == 1000 ? point(&curve, i) : peak;
    assert_non_null(peak);
    assert_int_equal(peak->process, 1);
    assert_float_equal(peak->s, 26543.2, 1e-9);
    assert_float_equal(peak->last_bytes, 10, 0);
    nytp_memory_curve_free(&curve);
}

/* Times may be any of a damaged profile, too. */
static void each_process_keeps_a_point(void **state)
{
    enum { PROCESSES = 1000 };
    nytp_memory_curve curve = nytp_memory_curve_new(10);
    (void)state;
    for (uint32_t i = 0; i < PROCESSES; i++) {
        add(&curve, i, 0x1p53, 1);
        add(&curve, i, 0, 2);
    }
    assert_in_range(curve.points->len, PROCESSES, 2 * PROCESSES);
    nytp_memory_curve_free(&curve);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_points_are_kept_as_they_are),
        cmocka_unit_test(many_points_become_fewer),
        cmocka_unit_test(each_process_keeps_a_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
