/* What is done to a call tree once it is there: walking, pruning, turning over, renaming, what waits. */
#include "calls/derive_arcs.h"
#include "test/unit/naive_calls.h"
#include "test/unit/support.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A program of some hundred calls, as tree and as stacks. */
typedef struct fixture {
    nytp_calltree *tree;
    naive_stacks *stacks;
    uint64_t random;
} fixture;

static fixture fixture_new(uint64_t seed)
{
    fixture f = {nytp_calltree_new(NULL, NULL), naive_stacks_new(), seed};
    naive_program(seed, 50 + seed * 10, f.tree, f.stacks);
    return f;
}

static void fixture_free(fixture *f)
{
    nytp_calltree_free(f->tree);
    naive_stacks_free(f->stacks);
}

static void assert_same(nytp_calltree *tree, const naive_stacks *stacks, uint64_t seed)
{
    char *got = calltree_text(tree), *expected = naive_stacks_text(stacks);
    if (strcmp(got, expected) != 0)
        fail_msg("seed %" PRIu64 ":\n%sexpected:\n%s", seed, got, expected);
    g_free(got);
    g_free(expected);
}

enum { SEEDS = 20 };

/* ---- pruning ---- */

typedef struct sums {
    uint64_t calls;
    double excl_ticks;
    uint32_t deepest; /* from 1 on */
} sums;

static bool add_call(void *context, const nytp_call *call)
{
    sums *s = context;
    s->calls += call->calls;
    s->excl_ticks += call->excl_ticks;
    s->deepest = MAX(s->deepest, call->depth + 1);
    return true;
}

static sums sums_of(nytp_calltree *tree)
{
    sums s = {0};
    nytp_calltree_walk(tree, add_call, &s);
    return s;
}

static void assert_pruned(fixture *f, uint64_t seed, double min_ticks, uint32_t max_depth)
{
    sums before = sums_of(f->tree);
    nytp_calltree_prune(f->tree, min_ticks, max_depth, "other");
    sums after = sums_of(f->tree);
    assert_int_equal(after.calls, before.calls);
    assert_true(after.excl_ticks == before.excl_ticks);
    assert_in_range(after.deepest, 0, max_depth > 0 ? max_depth : 1);
    naive_stacks_prune(f->stacks, min_ticks, max_depth, "other");
    assert_same(f->tree, f->stacks, seed);
}

static void pruning_keeps_every_sum(void **state)
{
    static const double shares[] = {-HUGE_VAL, 0, 0.001, 0.01, 0.1, 0.5, 1, HUGE_VAL};
    static const uint32_t depths[] = {0, 1, 2, 5, UINT32_MAX};
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        fixture f = fixture_new(seed);
        double total = sums_of(f.tree).excl_ticks;
        fixture_free(&f);
        for (size_t i = 0; i < COUNT(shares) * COUNT(depths); i++) {
            f = fixture_new(seed);
            assert_pruned(&f, seed, shares[i / COUNT(depths)] * total, depths[i % COUNT(depths)]);
            fixture_free(&f);
        }
    }
}

static void pruning_again_goes_on(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        fixture f = fixture_new(seed);
        double total = sums_of(f.tree).excl_ticks;
        for (int percent = 1; percent <= 64; percent *= 2)
            assert_pruned(&f, seed, total * percent / 100, 12 - (uint32_t)percent / 8);
        fixture_free(&f);
    }
}

/* A clock that stepped back must not hide what ran meanwhile. */
static void a_negative_time_does_not_fold_heavier_calls(void **state)
{
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    (void)state;
    return_from(tree, 2, "heavy", 100);
    return_from(tree, 1, "back", -1000);
    nytp_calltree_prune(tree, 10, UINT32_MAX, "other");
    char *text = calltree_text(tree);
    assert_string_equal(text, "back\t1\t-1000\t-900\nback" NAIVE_SEPARATOR "heavy\t1\t100\t100\n");
    g_free(text);
    nytp_calltree_free(tree);
}

/* ---- turning over ---- */

static void a_reversed_tree_has_every_stack_the_other_way(void **state)
{
    static const uint32_t depths[] = {1, 2, 3, 7, UINT32_MAX};
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        fixture f = fixture_new(seed);
        for (size_t i = 0; i < COUNT(depths); i++) {
            nytp_calltree *tree = nytp_calltree_reverse(f.tree, depths[i]);
            naive_stacks *stacks = naive_stacks_reverse(f.stacks, depths[i]);
            assert_same(tree, stacks, seed);
            assert_int_equal(sums_of(tree).calls, sums_of(f.tree).calls);
            nytp_calltree_free(tree);
            naive_stacks_free(stacks);
        }
        assert_same(f.tree, f.stacks, seed); /* as it was */
        fixture_free(&f);
    }
}

static void turned_over_twice_it_is_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        fixture f = fixture_new(seed);
        nytp_calltree *once = nytp_calltree_reverse(f.tree, UINT32_MAX);
        nytp_calltree *twice = nytp_calltree_reverse(once, UINT32_MAX);
        assert_same(twice, f.stacks, seed);
        nytp_calltree_free(once);
        nytp_calltree_free(twice);
        fixture_free(&f);
    }
}

/* Pruning to a depth after reversing gives what reversing to that depth gives. */
static void reversing_to_a_depth_is_reversing_and_pruning(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        fixture f = fixture_new(seed);
        uint32_t depth = 1 + (uint32_t)(seed % 5);
        nytp_calltree *whole = nytp_calltree_reverse(f.tree, UINT32_MAX);
        nytp_calltree *part = nytp_calltree_reverse(f.tree, depth);
        nytp_calltree_prune(whole, -HUGE_VAL, depth, "other");
        char *expected = calltree_text(whole), *got = calltree_text(part);
        assert_string_equal(got, expected);
        g_free(expected);
        g_free(got);
        nytp_calltree_free(whole);
        nytp_calltree_free(part);
        fixture_free(&f);
    }
}

/* ---- what waits ---- */

static void assert_text(nytp_calltree *tree, const char *expected)
{
    char *text = calltree_text(tree);
    assert_string_equal(text, expected);
    g_free(text);
}

static void a_tree_of_waiting_has_the_stacks_that_wait(void **state)
{
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    nytp_calltree_read_waited(tree);
    (void)state;
    return_from(tree, 4, "main::CORE:sleep", 5);
    return_from(tree, 3, "main::get", 3);
    return_from(tree, 2, "EV::run", 7);
    return_from(tree, 2, "main::work", 9);
    return_from(tree, 1, "main::serve", 1);
    return_from(tree, 1, "main::work", 2);
    char *before = calltree_text(tree);
    nytp_calltree *waiting = nytp_amount_tree_new(tree, nytp_amount_of_wait(NYTP_ASLEEP));
    assert_text(waiting, "main::serve\t0\t0\t12\n"
                         "main::serve" NAIVE_SEPARATOR "EV::run\t1\t7\t12\n"
                         "main::serve" NAIVE_SEPARATOR "EV::run" NAIVE_SEPARATOR "main::get\t0\t0\t5\n"
                         "main::serve" NAIVE_SEPARATOR "EV::run" NAIVE_SEPARATOR "main::get" NAIVE_SEPARATOR
                         "main::CORE:sleep\t1\t5\t5\n");
    nytp_calltree_free(waiting);
    assert_text(tree, before);
    g_free(before);
    nytp_calltree_free(tree);
}

/* ---- walking ---- */

static bool no_deeper_than_two(void *context, const nytp_call *call)
{
    uint32_t *calls = context;
    assert_in_range(call->depth, 0, 1);
    ++*calls;
    return call->depth < 1;
}

static void a_walk_goes_only_where_it_is_let(void **state)
{
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    uint32_t calls = 0;
    (void)state;
    return_from(tree, 3, "inner", 1);
    return_from(tree, 2, "middle", 1);
    return_from(tree, 1, "outer", 1);
    return_from(tree, 1, "another", 1);
    nytp_calltree_walk(tree, no_deeper_than_two, &calls);
    assert_int_equal(calls, 3);
    nytp_calltree_free(tree);
}

static void a_tree_grows_on_after_a_walk(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        fixture f = fixture_new(seed);
        assert_same(f.tree, f.stacks, seed);
        naive_program(seed + 1, 300, f.tree, f.stacks);
        assert_same(f.tree, f.stacks, seed);
        assert_same(f.tree, f.stacks, seed);
        fixture_free(&f);
    }
}

/* They have names that came with no return. */
static void a_pruned_or_reversed_tree_grows_on(void **state)
{
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    (void)state;
    return_from(tree, 1, "f", 1);
    return_from(tree, 1, "g", 2);
    nytp_calltree_prune(tree, 2, 1, "other");
    nytp_calltree *reversed = nytp_calltree_reverse(tree, 1);
    nytp_calltree *const both[] = {tree, reversed};
    for (size_t i = 0; i < COUNT(both); i++) {
        return_from(both[i], 1, "h", 4);
        return_from(both[i], 1, "g", 8);
        return_from(both[i], 1, "other", 16);
        char *text = calltree_text(both[i]);
        assert_string_equal(text, "g\t2\t10\t10\nh\t1\t4\t4\nother\t2\t17\t17\n");
        g_free(text);
        nytp_calltree_free(both[i]);
    }
}

/* A process with a call of that sub, and as many ticks outside of it. */
static void add_rooted(nytp_calltree *tree, const char *name, int32_t ticks)
{
    const nytp_chunk statement = {.tag = NYTP_TIME_LINE, .time = {.ticks = 2 * ticks, .fid = 1, .line = 1}};
    new_process(tree);
    return_from(tree, 1, name, ticks);
    nytp_calltree_add(tree, &statement);
    nytp_calltree_end_profile(tree);
}

static void a_tree_with_a_root_grows_on(void **state)
{
    (void)state;
    nytp_calltree *walked = nytp_calltree_new(NULL, NULL), *pruned = nytp_calltree_new(NULL, NULL);
    nytp_calltree *const both[] = {walked, pruned};
    for (size_t i = 0; i < COUNT(both); i++) {
        nytp_calltree_show_root(both[i]);
        add_rooted(both[i], "f", 1);
    }
    sums_of(walked);
    nytp_calltree_prune(pruned, 100, 1, "other"); /* not even the root stays */
    for (size_t i = 0; i < COUNT(both); i++) {
        uint64_t calls;
        double ticks;
        add_rooted(both[i], "g", 4);
        add_rooted(both[i], "f", 16);
        sums got = sums_of(both[i]);
        nytp_calltree_totals(both[i], &calls, &ticks);
        assert_true(got.excl_ticks == 42 && ticks == 42);
        assert_int_equal(got.calls, 3 + 3); /* of the root, too */
        return_from(both[i], 1, "g", 30);
        nytp_calltree_totals(both[i], &calls, &ticks);
        assert_true(sums_of(both[i]).excl_ticks == 42 && ticks == 51); /* the root's time is below 0 */
    }
    char *text = calltree_text(walked);
    assert_string_equal(
        text, "main::RUNTIME\t3\t-9\t42\nmain::RUNTIME\1f\t2\t17\t17\nmain::RUNTIME\1g\t2\t34\t34\n");
    g_free(text);
    nytp_calltree_free(walked);
    nytp_calltree_free(pruned);
}

static void an_empty_tree_is_walked_in_no_step(void **state)
{
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    (void)state;
    nytp_calltree_prune(tree, 10, 1, "other");
    nytp_calltree *reversed = nytp_calltree_reverse(tree, 1);
    assert_int_equal(sums_of(tree).calls, 0);
    assert_int_equal(sums_of(reversed).deepest, 0);
    nytp_calltree_free(reversed);
    nytp_calltree_free(tree);
    nytp_calltree_free(NULL);
}

/* ---- renaming ---- */

static char *first_letter(void *context, nytp_str raw, size_t *length)
{
    ++*(int *)context;
    *length = MIN(raw.length, 1);
    char *name = malloc(2);
    assert_non_null(name);
    if (raw.length > 0)
        *name = *raw.bytes;
    return name;
}

static void subs_of_one_shown_name_are_one(void **state)
{
    int renamed = 0;
    size_t stacks, subs;
    (void)state;
    nytp_calltree *tree = nytp_calltree_new(first_letter, &renamed);
    for (int i = 0; i < 3; i++) {
        return_from(tree, 2, "apple", 1);
        return_from(tree, 2, "avocado", 2);
        return_from(tree, 2, "", 4);
        return_from(tree, 1, i == 1 ? "banana" : "blackberry", 8);
    }
    assert_int_equal(renamed, 5);
    char *text = calltree_text(tree);
    assert_string_equal(text, "b\t3\t24\t45\n"
                              "b" NAIVE_SEPARATOR "\t3\t12\t12\n"
                              "b" NAIVE_SEPARATOR "a\t6\t9\t9\n");
    g_free(text);
    nytp_calltree_size(tree, &stacks, &subs);
    assert_int_equal(stacks, 3);
    assert_int_equal(subs, 3);
    nytp_calltree_free(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pruning_keeps_every_sum),
        cmocka_unit_test(pruning_again_goes_on),
        cmocka_unit_test(a_negative_time_does_not_fold_heavier_calls),
        cmocka_unit_test(a_reversed_tree_has_every_stack_the_other_way),
        cmocka_unit_test(turned_over_twice_it_is_the_same),
        cmocka_unit_test(reversing_to_a_depth_is_reversing_and_pruning),
        cmocka_unit_test(a_tree_of_waiting_has_the_stacks_that_wait),
        cmocka_unit_test(a_walk_goes_only_where_it_is_let),
        cmocka_unit_test(a_tree_grows_on_after_a_walk),
        cmocka_unit_test(a_pruned_or_reversed_tree_grows_on),
        cmocka_unit_test(a_tree_with_a_root_grows_on),
        cmocka_unit_test(an_empty_tree_is_walked_in_no_step),
        cmocka_unit_test(subs_of_one_shown_name_are_one),
    };
    return cmocka_run_group_tests_name("calltree-shape", tests, NULL, NULL);
}
