/* Sums by label against a walk of all calls; quantiles of durations against sorted ones. */
#include "calls/by_label.h"
#include "calls/calltree.h"
#include "calls/durations.h"
#include "test/unit/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A return of a sub, by its name. */
static void add(nytp_calltree *tree, uint32_t depth, double excl_ticks, const char *name)
{
    const nytp_str raw = {name, strlen(name), false};
    const nytp_call_event call = {.sub = nytp_names_intern(tree->raw, &raw, NULL),
                                  .depth = depth,
                                  .excl_ticks = excl_ticks,
                                  .count = 1};
    nytp_calltree_add_call(tree, &call);
}

static nytp_labels *listed(const char *list)
{
    nytp_labels *labels = nytp_labels_new();
    assert_true(nytp_labels_add(labels, (nytp_str){list, strlen(list), false}));
    return labels;
}

static void assert_label(const nytp_by_label *by, enum nytp_label_kind kind, const char *text, uint64_t calls,
                         double incl_ticks, double excl_ticks)
{
    for (uint32_t i = 0; i < nytp_by_label_count(by); i++) {
        const nytp_labelled *l = nytp_by_label_get(by, i);
        if (l->kind != kind || strcmp(l->text.bytes, text) != 0)
            continue;
        assert_int_equal(l->calls, calls);
        assert_float_equal(l->incl_ticks, incl_ticks, 1e-9);
        assert_float_equal(l->excl_ticks, excl_ticks, 1e-9);
        return;
    }
    fail_msg("no label %s", text);
}

/* f > selectall Q > execute Q > match, then fetch Q beside it, then include a > include b > include a. */
static void the_outermost_calls_count(void **state)
{
    (void)state;
    nytp_labels *labels = listed("sql,regex,sql=DBI::db::selectall,sql=DBI::st::execute,template=T::include");
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    nytp_by_label *by = nytp_by_label_new();
    add(tree, 4, 1, "main::CORE:match /x y/");
    add(tree, 3, 20, "DBI::st::execute Q");
    add(tree, 2, 10, "DBI::db::selectall Q");
    add(tree, 2, 5, "DBI::st::execute Q");
    add(tree, 4, 100, "T::include a");
    add(tree, 3, 200, "T::include b");
    add(tree, 2, 300, "T::include a");
    add(tree, 1, 1000, "main::f Q"); /* is in no list */
    nytp_by_label_add(by, labels, tree);
    assert_int_equal(nytp_by_label_count(by), 4);
    assert_label(by, NYTP_LABEL_SQL, "Q", 3, 36, 35);
    assert_label(by, NYTP_LABEL_REGEX, "/x y/", 1, 1, 1);
    assert_label(by, NYTP_LABEL_TEMPLATE, "a", 2, 600, 400);
    assert_label(by, NYTP_LABEL_TEMPLATE, "b", 1, 300, 200);
    nytp_by_label_free(by);
    nytp_calltree_free(tree);
    nytp_labels_free(labels);
}

/* Texts are told apart by kind, and several trees add up in the ticks of the first. */
static void trees_add_up(void **state)
{
    (void)state;
    nytp_labels *labels = listed("file=A::open,host=A::connect");
    nytp_by_label *by = nytp_by_label_new();
    for (int i = 0; i < 2; i++) {
        nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
        nytp_calltree_set_ticks_per_sec(tree, i == 0 ? 1000 : 10);
        add(tree, 2, 7, "A::open x\xE9");
        add(tree, 2, 3, "A::connect x\xE9");
        add(tree, 1, 2, "NYTProf::span x\xE9");
        nytp_by_label_add(by, labels, tree);
        nytp_calltree_free(tree);
    }
    assert_int_equal(nytp_by_label_count(by), 3);
    assert_float_equal(nytp_by_label_ticks_per_sec(by), 1000, 0);
    assert_label(by, NYTP_LABEL_FILE, "x\xC3\xA9", 2, 707, 707);
    assert_label(by, NYTP_LABEL_HOST, "x\xC3\xA9", 2, 303, 303);
    assert_label(by, NYTP_LABEL_SPAN, "x\xC3\xA9", 2, 1212, 202);
    nytp_by_label_free(by);
    nytp_labels_free(labels);
}

static void without_labels_there_are_none(void **state)
{
    (void)state;
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    nytp_by_label *by = nytp_by_label_new();
    add(tree, 1, 7, "main::CORE:match /x/");
    nytp_by_label_add(by, NULL, tree);
    assert_int_equal(nytp_by_label_count(by), 0);
    assert_float_equal(nytp_by_label_ticks_per_sec(by), 0, 0);
    nytp_by_label_free(by);
    nytp_by_label_free(NULL);
    nytp_calltree_free(tree);
}

/* ---- durations ---- */

static int shorter_first(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* Quantiles are within 0.8 % and half a tick of those of the sorted durations. */
static void quantiles_are_near(void **state)
{
    enum { COUNT_MAX = 4001 };
    static const double fractions[] = {0, 0.01, 0.5, 0.9, 0.95, 0.99, 1};
    (void)state;
    srand(1);
    for (size_t count = 1; count <= COUNT_MAX; count = count * 5 + 1) {
        static const nytp_str sub = {"main::f", 7, false}, span = {"NYTProf::span a", 15, false};
        static double all[COUNT_MAX];
        nytp_durations *d = nytp_durations_new();
        nytp_names *names = nytp_names_new();
        const uint32_t other = nytp_names_intern(names, &sub, NULL),
                       number = nytp_names_intern(names, &span, NULL);
        for (size_t i = 0; i < count; i++) {
            all[i] = floor(exp2(rand() % 4000 / 100.0)) - 1;
            nytp_durations_add(d, names, number, all[i]);
            nytp_durations_add(d, names, other, 1e9);
        }
        qsort(all, count, sizeof *all, shorter_first);
        for (size_t i = 0; i < COUNT(fractions); i++) {
            const size_t rank = (size_t)fmax(ceil(fractions[i] * (double)count), 1);
            const double exact = all[rank - 1], got = nytp_durations_quantile(d, number, fractions[i]);
            if (fabs(got - exact) > exact / 128 + 0.5)
                fail_msg("%zu durations, quantile %g: %g, exactly %g", count, fractions[i], got, exact);
        }
        assert_float_equal(nytp_durations_quantile(d, number, 1), all[count - 1], 0);
        assert_float_equal(nytp_durations_quantile(d, other, 0.5), -1, 0);
        nytp_names_free(names);
        nytp_durations_free(d);
    }
}

static void odd_durations_are_counted(void **state)
{
    static const nytp_str span = {"NYTProf::span a", 15, false};
    nytp_durations *d = nytp_durations_new();
    nytp_names *names = nytp_names_new();
    const uint32_t number = nytp_names_intern(names, &span, NULL);
    (void)state;
    nytp_durations_add(d, names, number, -5);
    assert_float_equal(nytp_durations_quantile(d, number, 1), 0, 0);
    nytp_durations_add(d, names, number, NAN);
    nytp_durations_add(d, names, number, INFINITY);
    assert_float_equal(nytp_durations_quantile(d, number, 0.5), 0, 0.5);
    assert_true(nytp_durations_quantile(d, number, 1) >= 0x1p62);
    assert_float_equal(nytp_durations_quantile(d, 99, 1), -1, 0);
    nytp_names_free(names);
    nytp_durations_free(d);
    nytp_durations_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_outermost_calls_count),     cmocka_unit_test(trees_add_up),
        cmocka_unit_test(without_labels_there_are_none), cmocka_unit_test(quantiles_are_near),
        cmocka_unit_test(odd_durations_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
