/* Processes that cannot be sampled: which are looked at again. */
#include "sampler/process/process.h"
#include "sampler/sample/hunt.h"

#include "test/unit/in_use.h"
#include "test/unit/support.h"

#define BEGIN SAMPLER_SECOND_NS
#define LATER (3 * SAMPLER_SECOND_NS)

static const sampler_process old = {.id = {4711, 1}};

static int make_empty(void **state)
{
    *state = sampler_rejected_new();
    return 0;
}

static int free_all(void **state)
{
    sampler_rejected_free(*state);
    return 0;
}

static void what_has_another_layout_is_rejected(void **state)
{
    sampler_rejected *r = *state;
    assert_null(sampler_rejected_find(r, &old, "/perl", BEGIN));
    sampler_rejected_add(r, &old, "/perl", SAMPLER_NO_LAYOUT, "no layout", BEGIN);
    const sampler_rejection *rejection = sampler_rejected_find(r, &old, "/perl", BEGIN);
    assert_non_null(rejection);
    assert_int_equal(rejection->found, SAMPLER_NO_LAYOUT);
    assert_string_equal(rejection->why, "no layout");
}

static void what_may_become_a_perl_is_not(void **state)
{
    sampler_rejected *r = *state;
    sampler_rejected_add(r, &old, "/perl", SAMPLER_NOT_STARTED, "not started", BEGIN);
    assert_null(sampler_rejected_find(r, &old, "/perl", BEGIN));
    sampler_rejected_add(r, &old, "/perl", SAMPLER_NOT_READABLE, "not readable", BEGIN);
    assert_null(sampler_rejected_find(r, &old, "/perl", BEGIN));
}

static void what_executes_something_else_is_looked_at_again(void **state)
{
    sampler_rejected *r = *state;
    sampler_rejected_add(r, &old, "/bin/sh", SAMPLER_NOT_PERL, "not a perl", BEGIN);
    assert_non_null(sampler_rejected_find(r, &old, "/bin/sh", LATER));
    assert_null(sampler_rejected_find(r, &old, "/perl", LATER));
    /* It has executed /perl between the two looks, and may not have mapped libperl. */
    sampler_rejected_add(r, &old, "/perl", SAMPLER_NOT_PERL, "not a perl", LATER);
    assert_null(sampler_rejected_find(r, &old, "/perl", LATER));
    sampler_rejected_add(r, &old, "/perl", SAMPLER_NO_LAYOUT, "no layout", LATER);
    assert_non_null(sampler_rejected_find(r, &old, "/perl", LATER));
}

static void what_is_no_perl_is_looked_at_for_a_second(void **state)
{
    sampler_rejected *r = *state;
    int64_t at = BEGIN;
    for (; at <= BEGIN + SAMPLER_SECOND_NS; at += SAMPLER_SECOND_NS / 10) {
        assert_null(sampler_rejected_find(r, &old, "/bin/sh", at));
        sampler_rejected_add(r, &old, "/bin/sh", SAMPLER_NOT_PERL, "not a perl", at);
    }
    assert_non_null(sampler_rejected_find(r, &old, "/bin/sh", at));
}

static void another_process_with_the_pid_is_looked_at(void **state)
{
    sampler_rejected *r = *state;
    sampler_process later = {.id = {old.id.pid, 2}};
    sampler_rejected_add(r, &old, "/bin/sh", SAMPLER_NOT_PERL, "not a perl", BEGIN);
    assert_null(sampler_rejected_find(r, &later, "/bin/sh", LATER));
    sampler_rejected_add(r, &later, "/bin/sh", SAMPLER_NOT_PERL, "not a perl", BEGIN);
    assert_null(sampler_rejected_find(r, &old, "/bin/sh", LATER));
}

static void what_is_gone_is_forgotten(void **state)
{
    sampler_rejected *r = *state;
    sampler_rejected_add(r, &old, "/perl", SAMPLER_NO_LAYOUT, "no layout", BEGIN);
    sampler_rejected_end_look(r);
    assert_non_null(sampler_rejected_find(r, &old, "/perl", LATER));
    sampler_rejected_end_look(r);
    sampler_rejected_end_look(r); /* a look that has not met it */
    assert_null(sampler_rejected_find(r, &old, "/perl", LATER));
}

static void a_million_processes_take_no_more_memory(void **state)
{
    enum { PROCESSES = 1000000, AT_ONCE = 100 };
    sampler_rejected *r = sampler_rejected_new();
    in_use kept = in_use_begin();
    (void)state;
    for (int n = 0; n < PROCESSES; n += AT_ONCE) {
        for (int one = n; one < n + AT_ONCE; one++) {
            sampler_process p = {.id = {one % 4000000, (uint64_t)one}};
            assert_null(sampler_rejected_find(r, &p, "/bin/sh", one));
            sampler_rejected_add(r, &p, "/bin/sh", SAMPLER_NOT_PERL, "/bin/sh is not a perl", one);
        }
        sampler_rejected_end_look(r);
        in_use_measure(&kept);
    }
    sampler_rejected_free(r);
    assert_true(kept.more < 1 << 20);
}

#define with_none(test) cmocka_unit_test_setup_teardown(test, make_empty, free_all)

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_none(what_has_another_layout_is_rejected),
        with_none(what_may_become_a_perl_is_not),
        with_none(what_executes_something_else_is_looked_at_again),
        with_none(what_is_no_perl_is_looked_at_for_a_second),
        with_none(another_process_with_the_pid_is_looked_at),
        with_none(what_is_gone_is_forgotten),
        cmocka_unit_test(a_million_processes_take_no_more_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
