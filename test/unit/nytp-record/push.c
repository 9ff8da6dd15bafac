/* nytp-record --push: names of services and labels, what waits, when a server is asked again, and how
 * profiles are handed over. */
#include "nytp-record/push/sender.h"
#include "nytp-record/push/push.h"

#include "test/unit/support.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECOND_NS INT64_C(1000000000)

static void check_name(const record_series *series, const char *program, const char *unit,
                       const char *expected)
{
    g_autofree char *name = record_series_name(series, program, unit);
    assert_string_equal(name, expected);
}

static void services_have_names_that_pyroscope_takes(void **state)
{
    (void)state;
    record_series series = {0};
    check_name(&series, "/srv/app/worker.pl", "", "worker.pl{}");
    check_name(&series, "/srv/my apps/worker.pl", "", "worker.pl{}");
    check_name(&series, "bin/my shop+caf\303\251", "", "my_shop_caf__{}");
    check_name(&series, "", "", "perl{}");
    check_name(&series, "/srv/worker.pl", "shop@1.service", "shop_1{}");
    check_name(&series, "/srv/worker.pl", "container 0123456789ab", "worker.pl{container=0123456789ab}");
    series.service = "shop/web";
    check_name(&series, "/srv/worker.pl", "shop.service", "shop/web{}");
}

static void labels_are_added(void **state)
{
    (void)state;
    record_series series = {0};
    const nytp_option option = {.context = &series};
    assert_null(record_series_add_label(&option, "env=prod"));
    assert_null(record_series_add_label(&option, "en=a=b"));
    check_name(&series, "a.pl", "container 0123456789ab", "a.pl{container=0123456789ab,env=prod,en=a=b}");
    assert_null(record_series_add_label(&option, "container=web"));
    check_name(&series, "a.pl", "container 0123456789ab", "a.pl{env=prod,en=a=b,container=web}");
    static const char *const bad[] = {
        "",     "env",     "=x",      "env=x",          "a.b=x", "1a=x",     "caf\303\251=x",
        "new=", "new=a}b", "new=a\n", "service_name=x", "__a=x", "new=\377", "new=a,b=c"};
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        char *why = record_series_add_label(&option, bad[i]);
        assert_non_null(why);
        free(why);
    }
    for (int n = 0; n < 22; n++) {
        g_autofree char *label = g_strdup_printf("l%d=x", n);
        assert_null(record_series_add_label(&option, label));
    }
    char *why = record_series_add_label(&option, "more=x");
    assert_string_equal(why, "expected at most 25 labels");
    free(why);
    g_free(series.labels);
}

/* ---- what waits ---- */

static char *directory;

static int make_directory(void **state)
{
    (void)state;
    directory = g_dir_make_tmp("push-XXXXXX", NULL);
    return directory != NULL ? 0 : -1;
}

static int remove_directory(void **state)
{
    (void)state;
    record_batch_remove_directory(directory);
    const bool is_gone = access(directory, F_OK) != 0;
    g_free(directory);
    return is_gone ? 0 : -1;
}

static void add(record_queue *queue, int64_t from_s, uint64_t samples)
{
    char *path = g_strdup_printf("%s/%d", directory, (int)from_s);
    assert_true(g_file_set_contents(path, "profile", -1, NULL));
    record_queue_add(queue, &(record_waiting){path, g_strdup("a{}"), from_s, from_s + 15, samples, 7});
}

static bool has_file(int from_s)
{
    g_autofree char *path = g_strdup_printf("%s/%d", directory, from_s);
    return access(path, F_OK) == 0;
}

static void the_oldest_are_dropped(void **state)
{
    (void)state;
    record_queue *queue = record_queue_new(21, 100);
    assert_null(record_queue_first(queue));
    for (int n = 1; n <= 3; n++)
        add(queue, n, (uint64_t)n);
    assert_null(record_queue_bound(queue, 101));
    add(queue, 4, 4);
    assert_string_equal(record_queue_bound(queue, 101), "more than 64 MiB wait");
    assert_int_equal(record_queue_first(queue)->from_s, 2);
    assert_false(has_file(1));
    assert_true(has_file(2));
    assert_non_null(record_queue_bound(queue, 103));
    assert_int_equal(record_queue_first(queue)->from_s, 3);
    record_queue_sent(queue);
    assert_false(has_file(3));
    const record_queue_counts counts = record_queue_count(queue);
    assert_int_equal(counts.sent, 1);
    assert_int_equal(counts.waiting, 1);
    assert_int_equal(counts.dropped, 2);
    assert_int_equal(counts.dropped_samples, 3);
    record_queue_free(queue);
    assert_false(has_file(4));
}

static void a_batch_is_handed_over(void **state)
{
    (void)state;
    g_autofree char *odd = g_build_filename(directory, "a b\tc\nd", NULL);
    GArray *parts = record_batch_new();
    const record_profile_part first = {g_build_filename(odd, "0.nytprof", NULL), 100, 1700000000, 1700000015,
                                       g_strdup("a{x=y z}")};
    const record_profile_part second = {g_build_filename(odd, "1.nytprof", NULL), 7, -1, 2, g_strdup("b{}")};
    assert_int_equal(g_mkdir(odd, 0700), 0);
    g_array_append_val(parts, first);
    g_array_append_val(parts, second);
    assert_null(record_batch_take(odd, 3));
    assert_true(record_batch_write(odd, 3, parts));
    GArray *taken = record_batch_take(odd, 3);
    assert_int_equal(taken->len, 2);
    for (guint n = 0; n < 2; n++) {
        const record_profile_part *a = &g_array_index(parts, record_profile_part, n);
        const record_profile_part *b = &g_array_index(taken, record_profile_part, n);
        assert_string_equal(a->path, b->path);
        assert_string_equal(a->series, b->series);
        assert_int_equal(a->samples, b->samples);
        assert_int_equal(a->from_s, b->from_s);
        assert_int_equal(a->until_s, b->until_s);
    }
    assert_null(record_batch_take(odd, 3));
    assert_false(record_batch_write("/nowhere", 3, parts));
    assert_int_equal(g_rmdir(odd), 0);
    g_array_unref(parts);
    g_array_unref(taken);
}

/* ---- when a server is asked again ---- */

static void pauses_double(void **state)
{
    (void)state;
    record_pace pace = {0};
    static const int seconds[] = {1, 2, 4, 8, 16, 32, 60, 60};
    for (size_t i = 0; i < G_N_ELEMENTS(seconds); i++) {
        record_pace_failed(&pace, SECOND_NS, 0);
        assert_int_equal(pace.at_ns, SECOND_NS + seconds[i] * SECOND_NS);
    }
    record_pace_failed(&pace, 0, 7);
    assert_int_equal(pace.at_ns, 7 * SECOND_NS);
    record_pace_hurry(&pace, SECOND_NS);
    assert_int_equal(pace.at_ns, 7 * SECOND_NS); /* the server asked for that */
    record_pace_failed(&pace, 0, INT64_MAX);
    assert_int_equal(pace.at_ns, 3600 * SECOND_NS);
    record_pace_failed(&pace, 0, 0);
    record_pace_hurry(&pace, SECOND_NS);
    assert_int_equal(pace.at_ns, 0);
    record_pace_failed(&pace, SECOND_NS, 0);
    assert_int_equal(pace.at_ns, 2 * SECOND_NS);
    record_pace_done(&pace);
    assert_int_equal(pace.at_ns, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(services_have_names_that_pyroscope_takes),
        cmocka_unit_test(labels_are_added),
        cmocka_unit_test_setup_teardown(the_oldest_are_dropped, make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(a_batch_is_handed_over, make_directory, remove_directory),
        cmocka_unit_test(pauses_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
