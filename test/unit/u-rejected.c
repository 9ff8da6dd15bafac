/* Processes that cannot be sampled: which are looked at again. */
#include "nytp-record/sampler/clock.h"
#include "nytp-record/sampler/rejected.h"

#include "test/unit/support.h"

#define BEGIN RECORD_SECOND_NS
#define LATER (3 * RECORD_SECOND_NS)

static const record_process old = {.id = {4711, 1}};

static int make_empty(void **state)
{
    *state = record_rejected_new();
    return 0;
}

static int free_all(void **state)
{
    record_rejected_free(*state);
    return 0;
}

static void what_has_another_layout_is_rejected(void **state)
{
    record_rejected *r = *state;
    assert_null(record_rejected_find(r, &old, "/perl", BEGIN));
    record_rejected_add(r, &old, "/perl", RECORD_NO_LAYOUT, "no layout", BEGIN);
    const record_rejection *rejection = record_rejected_find(r, &old, "/perl", BEGIN);
    assert_non_null(rejection);
    assert_int_equal(rejection->found, RECORD_NO_LAYOUT);
    assert_string_equal(rejection->why, "no layout");
}

static void what_may_become_a_perl_is_not(void **state)
{
    record_rejected *r = *state;
    record_rejected_add(r, &old, "/perl", RECORD_NOT_STARTED, "not started", BEGIN);
    assert_null(record_rejected_find(r, &old, "/perl", BEGIN));
    record_rejected_add(r, &old, "/perl", RECORD_NOT_READABLE, "not readable", BEGIN);
    assert_null(record_rejected_find(r, &old, "/perl", BEGIN));
}

static void what_executes_something_else_is_looked_at_again(void **state)
{
    record_rejected *r = *state;
    record_rejected_add(r, &old, "/bin/sh", RECORD_NOT_PERL, "not a perl", BEGIN);
    assert_non_null(record_rejected_find(r, &old, "/bin/sh", LATER));
    assert_null(record_rejected_find(r, &old, "/perl", LATER));
    /* It has executed /perl between the two looks, and may not have mapped libperl. */
    record_rejected_add(r, &old, "/perl", RECORD_NOT_PERL, "not a perl", LATER);
    assert_null(record_rejected_find(r, &old, "/perl", LATER));
    record_rejected_add(r, &old, "/perl", RECORD_NO_LAYOUT, "no layout", LATER);
    assert_non_null(record_rejected_find(r, &old, "/perl", LATER));
}

static void what_is_no_perl_is_looked_at_for_a_second(void **state)
{
    record_rejected *r = *state;
    int64_t at = BEGIN;
    for (; at <= BEGIN + RECORD_SECOND_NS; at += RECORD_SECOND_NS / 10) {
        assert_null(record_rejected_find(r, &old, "/bin/sh", at));
        record_rejected_add(r, &old, "/bin/sh", RECORD_NOT_PERL, "not a perl", at);
    }
    assert_non_null(record_rejected_find(r, &old, "/bin/sh", at));
}

static void another_process_with_the_pid_is_looked_at(void **state)
{
    record_rejected *r = *state;
    record_process later = {.id = {old.id.pid, 2}};
    record_rejected_add(r, &old, "/bin/sh", RECORD_NOT_PERL, "not a perl", BEGIN);
    assert_null(record_rejected_find(r, &later, "/bin/sh", LATER));
    record_rejected_add(r, &later, "/bin/sh", RECORD_NOT_PERL, "not a perl", BEGIN);
    assert_null(record_rejected_find(r, &old, "/bin/sh", LATER));
}

static void what_is_gone_is_forgotten(void **state)
{
    record_rejected *r = *state;
    record_rejected_add(r, &old, "/perl", RECORD_NO_LAYOUT, "no layout", BEGIN);
    record_rejected_end_look(r);
    assert_non_null(record_rejected_find(r, &old, "/perl", LATER));
    record_rejected_end_look(r);
    record_rejected_end_look(r); /* a look that has not met it */
    assert_null(record_rejected_find(r, &old, "/perl", LATER));
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
