/* Sums by label against a walk of all calls. */
#include "calls/by_label.h"
#include "calls/calltree.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_outermost_calls_count),
        cmocka_unit_test(trees_add_up),
        cmocka_unit_test(without_labels_there_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
