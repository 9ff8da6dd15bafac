/* The call tree: what it folds is what was called, whatever is done to it afterwards keeps every sum. */
#include "calls/calltree.h"
#include "test/unit/naive_calls.h"
#include "test/unit/support.h"

#include <float.h>
#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <string.h>

typedef void made_up(uint64_t seed, size_t max_events, nytp_calltree *tree, naive_stacks *stacks);

static void assert_same(nytp_calltree *tree, const naive_stacks *stacks, uint64_t seed, size_t events)
{
    char *got = calltree_text(tree), *expected = naive_stacks_text(stacks);
    if (strcmp(got, expected) != 0)
        fail_msg("seed %" PRIu64 ", %zu events:\n%sexpected:\n%s", seed, events, got, expected);
    g_free(got);
    g_free(expected);
}

static void assert_folds(made_up *program, uint64_t seed, size_t events)
{
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    naive_stacks *stacks = naive_stacks_new();
    program(seed, events, tree, stacks);
    assert_same(tree, stacks, seed, events);
    nytp_calltree_free(tree);
    naive_stacks_free(stacks);
}

/* ---- folding ---- */

static void every_part_of_a_program_folds_to_its_stacks(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++)
        for (size_t events = 0; events <= 150; events++)
            assert_folds(naive_program, seed, events);
}

static void long_programs_fold_to_their_stacks(void **state)
{
    (void)state;
    for (uint64_t seed = 100; seed < 130; seed++)
        assert_folds(naive_program, seed, 4000);
}

static void returns_at_any_depth_go_by_the_rule(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++)
        assert_folds(naive_noise, seed, (size_t)seed);
}

static void begin_profile(nytp_calltree *tree, const char *ticks_per_sec)
{
    nytp_chunk rate = {.tag = NYTP_ATTRIBUTE,
                       .attribute = {STR("ticks_per_sec"), {ticks_per_sec, strlen(ticks_per_sec), false}}};
    nytp_calltree_add(tree, &rate);
    nytp_calltree_add(tree, &(nytp_chunk){.tag = NYTP_PID_START, .pid_start = {7, 1, 1.5}});
}

static void what_a_tree_is_to_be_is_said_before_the_first_call(void **state)
{
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    (void)state;
    assert_int_equal(nytp_calltree_set_ticks_per_sec(tree, 0), NYTP_ERR_ARGUMENT);
    assert_int_equal(nytp_calltree_set_ticks_per_sec(tree, NAN), NYTP_ERR_ARGUMENT);
    assert_int_equal(nytp_calltree_show_root(tree), 0);
    assert_int_equal(nytp_calltree_set_ticks_per_sec(tree, 1000), 0);
    begin_profile(tree, "10");
    assert_int_equal(nytp_calltree_set_ticks_per_sec(tree, 1), NYTP_ERR_STATE);
    assert_int_equal(nytp_calltree_show_root(tree), NYTP_ERR_STATE);
    assert_true(nytp_calltree_ticks_per_sec(tree) == 1000);
    nytp_calltree_free(tree);
    tree = nytp_calltree_new(NULL, NULL);
    return_from(tree, 1, "f", 3);
    assert_int_equal(nytp_calltree_show_root(tree), NYTP_ERR_STATE);
    assert_int_equal(nytp_calltree_tags(tree), nytp_calltree_tags(NULL));
    nytp_calltree_free(tree);
}

static void two_profiles_add_up_in_the_same_unit(void **state)
{
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    (void)state;
    nytp_calltree_set_ticks_per_sec(tree, 1000);
    begin_profile(tree, "10");
    return_from(tree, 2, "f", 3);
    nytp_calltree_end_profile(tree);
    begin_profile(tree, "1");
    return_from(tree, 1, "f", 5); /* no caller of the first profile's f */
    char *text = calltree_text(tree);
    assert_string_equal(text, "f\t2\t5300\t5300\n");
    g_free(text);
    uint64_t calls;
    double excl_ticks;
    nytp_calltree_totals(tree, &calls, &excl_ticks);
    assert_int_equal(calls, 2);
    assert_true(excl_ticks == 5300);
    nytp_calltree_free(tree);
}

/* A profile without the attribute has 10,000,000 ticks in a second, whatever the one before it had. */
static void the_first_profile_sets_the_unit(void **state)
{
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    (void)state;
    begin_profile(tree, "1e6");
    return_from(tree, 1, "f", 3);
    nytp_calltree_end_profile(tree);
    nytp_calltree_add(tree, &(nytp_chunk){.tag = NYTP_PID_START, .pid_start = {8, 1, 1.5}});
    return_from(tree, 1, "f", 20);
    char *text = calltree_text(tree);
    assert_string_equal(text, "f\t2\t5\t5\n");
    g_free(text);
    assert_true(nytp_calltree_ticks_per_sec(tree) == 1e6);
    nytp_calltree_free(tree);
}

static void other_chunks_are_passed_over(void **state)
{
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    (void)state;
    return_from(tree, 2, "f", 1);
    nytp_calltree_add(tree, &(nytp_chunk){.tag = NYTP_PID_END});
    nytp_calltree_add(tree, &(nytp_chunk){.tag = NYTP_SUB_ENTRY, .sub_entry = {.fid = 1, .line = 1}});
    nytp_calltree_add(tree, &(nytp_chunk){.tag = NYTP_TIME_LINE, .time = {.ticks = 1, .fid = 1, .line = 1}});
    return_from(tree, 1, "g", 2);
    char *text = calltree_text(tree);
    assert_string_equal(text, "g\t1\t2\t3\ng" NAIVE_SEPARATOR "f\t1\t1\t1\n");
    g_free(text);
    assert_int_equal(nytp_calltree_tags(NULL), nytp_tag_bit(NYTP_SUB_RETURN) | nytp_tag_bit(NYTP_PID_START) |
                                                   nytp_tag_bit(NYTP_ATTRIBUTE));
    nytp_calltree_free(tree);
}

/* ---- numbers that no clock gives ---- */

static void times_that_are_no_numbers_count_as_none(void **state)
{
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    (void)state;
    return_from(tree, 1, "f", (double)NAN);
    return_from(tree, 1, "f", (double)INFINITY);
    return_from(tree, 1, "f", -(double)INFINITY);
    return_from(tree, 1, "f", -7);
    return_from(tree, 1, "f", 1.7e308); /* a number, but no time */
    return_from(tree, 1, "f", -1e16);
    nytp_calltree_set_scale(tree, 1e300);
    return_from(tree, 1, "f", 1e15); /* scaled, it is none either */
    char *text = calltree_text(tree);
    assert_string_equal(text, "f\t7\t-7\t-7\n");
    g_free(text);
    nytp_calltree_free(tree);
}

static void scales_that_are_no_numbers_make_no_times(void **state)
{
    const double scales[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 0};
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    (void)state;
    for (size_t i = 0; i < COUNT(scales); i++) {
        nytp_calltree_set_scale(tree, scales[i]);
        return_from(tree, 1, "f", 3);
        return_from(tree, 1, "f", 0);
    }
    nytp_calltree_set_scale(tree, -2);
    return_from(tree, 1, "f", 3);
    char *text = calltree_text(tree);
    assert_string_equal(text, "f\t9\t-6\t-6\n");
    g_free(text);
    nytp_calltree_free(tree);
}

/* The most ticks that a scale leaves finite, and the next number: where that is is rounded. */
static void no_time_is_infinite(void **state)
{
    uint64_t random = 1, calls;
    double ticks;
    (void)state;
    for (int i = 0; i < 1000; i++) {
        const double scale = 1e293 + 1e278 * (double)(random_next(&random) >> 12), most = DBL_MAX / scale;
        const double tried[] = {nextafter(most, 0), most, nextafter(most, HUGE_VAL)};
        for (size_t k = 0; k < COUNT(tried); k++) {
            nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
            nytp_calltree_set_scale(tree, scale);
            return_from(tree, 1, "f", tried[k]);
            nytp_calltree_totals(tree, &calls, &ticks);
            assert_true(calls == 1 && isfinite(ticks));
            nytp_calltree_free(tree);
        }
    }
}

/* Sums of finite times may still be none. They must not make calls vanish. */
static void sums_that_overflow_keep_their_calls(void **state)
{
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    uint64_t calls;
    double excl_ticks;
    (void)state;
    nytp_calltree_set_scale(tree, 1e293);
    for (int i = 0; i < 2; i++) {
        return_from(tree, 2, "up", 1.7e15);
        return_from(tree, 2, "down", -1.7e15);
        return_from(tree, 1, "f", 0);
    }
    char *text = calltree_text(tree);
    assert_contains(text, "f" NAIVE_SEPARATOR "down\t2\t-inf");
    assert_contains(text, "f" NAIVE_SEPARATOR "up\t2\tinf");
    g_free(text);
    nytp_calltree_totals(tree, &calls, &excl_ticks);
    assert_int_equal(calls, 6);
    nytp_calltree_free(tree);
}

/* ---- size ---- */

static void deep_recursion_is_one_stack_a_level(void **state)
{
    enum { DEEP = 50000, ROUNDS = 5 };
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    size_t stacks, subs;
    (void)state;
    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t depth = DEEP; depth > 0; depth--)
            return_from(tree, depth, depth % 2 > 0 ? "odd" : "even", 1);
    nytp_calltree_end_stack(tree);
    nytp_calltree_size(tree, &stacks, &subs);
    assert_int_equal(stacks, DEEP);
    assert_int_equal(subs, 2);
    nytp_calltree *shallow = nytp_calltree_reverse(tree, 2);
    nytp_calltree_size(shallow, &stacks, &subs);
    assert_int_equal(stacks, 4); /* odd; even;odd; even; odd;even */
    nytp_calltree_prune(tree, DEEP * ROUNDS, 1, "other");
    char *text = calltree_text(tree);
    assert_string_equal(text, "odd\t250000\t250000\t250000\n");
    g_free(text);
    nytp_calltree_free(shallow);
    nytp_calltree_free(tree);
}

static void a_sub_may_call_a_hundred_thousand(void **state)
{
    enum { MANY = 100000, ROUNDS = 3 };
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    size_t stacks, subs;
    char name[32];
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < MANY; i++) {
            g_snprintf(name, sizeof name, "sub%" PRIu64, (uint64_t)i * 7919 % MANY);
            return_from(tree, 2, name, 1);
        }
        return_from(tree, 1, "main", 1);
    }
    nytp_calltree_end_stack(tree);
    nytp_calltree_size(tree, &stacks, &subs);
    assert_int_equal(stacks, MANY + 1);
    char *text = calltree_text(tree);
    assert_contains(text, "main\t3\t3\t300003\n");
    assert_contains(text, "main" NAIVE_SEPARATOR "sub99999\t3\t3\t3\n");
    g_free(text);
    nytp_calltree_free(tree);
}

/* Subs of a few names, seven deep and in ever other orders; some rounds are cut. */
enum { LEVELS = 6, MIDDLES = 3, LEAVES = 5 };

static void one_round(nytp_calltree *tree, uint64_t *random)
{
    static const char *const leaves[LEAVES] = {"l1", "l2", "l3", "l4", "l5"};
    static const char *const middles[MIDDLES] = {"m1", "m2", "m3"};
    for (uint32_t depth = LEVELS; depth > 0; depth--) {
        for (uint64_t leaf = random_next(random) % 8; leaf > 0; leaf--)
            return_from(tree, depth + 1, leaves[random_next(random) % LEAVES], 1);
        return_from(tree, depth, middles[random_next(random) % MIDDLES], 1);
        if (random_next(random) % 1000 == 0)
            new_process(tree);
    }
}

static void memory_grows_with_stacks_and_not_with_calls(void **state)
{
    enum { CALLS = 10000000, BEFORE = CALLS / 10, SLACK_BYTES = 65536 };
    enum { MIDDLE_STACKS = 3 + 9 + 27 + 81 + 243 + 729 };
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    uint64_t random = 5, calls = 0;
    size_t stacks, subs, before_bytes = 0;
    double excl_ticks;
    (void)state;
    while (calls < CALLS) {
        one_round(tree, &random);
        nytp_calltree_totals(tree, &calls, &excl_ticks);
        if (calls < BEFORE)
            before_bytes = mallinfo2().uordblks;
    }
    assert_in_range(mallinfo2().uordblks, 0, before_bytes + SLACK_BYTES);
    assert_true(excl_ticks == (double)calls);
    nytp_calltree_end_stack(tree);
    nytp_calltree_size(tree, &stacks, &subs);
    assert_int_equal(stacks, MIDDLE_STACKS * (1 + LEAVES));
    assert_int_equal(subs, MIDDLES + LEAVES);
    nytp_calltree_free(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_of_a_program_folds_to_its_stacks),
        cmocka_unit_test(long_programs_fold_to_their_stacks),
        cmocka_unit_test(returns_at_any_depth_go_by_the_rule),
        cmocka_unit_test(what_a_tree_is_to_be_is_said_before_the_first_call),
        cmocka_unit_test(two_profiles_add_up_in_the_same_unit),
        cmocka_unit_test(the_first_profile_sets_the_unit),
        cmocka_unit_test(other_chunks_are_passed_over),
        cmocka_unit_test(times_that_are_no_numbers_count_as_none),
        cmocka_unit_test(scales_that_are_no_numbers_make_no_times),
        cmocka_unit_test(no_time_is_infinite),
        cmocka_unit_test(sums_that_overflow_keep_their_calls),
        cmocka_unit_test(deep_recursion_is_one_stack_a_level),
        cmocka_unit_test(a_sub_may_call_a_hundred_thousand),
        cmocka_unit_test(memory_grows_with_stacks_and_not_with_calls),
    };
    return cmocka_run_group_tests_name("calltree", tests, NULL, NULL);
}
