/* Processes that cannot be sampled: which are looked at again. */
#include "nytp-record/sampler/clock.h"
#include "nytp-record/sampler/rejected.h"

#include "test/unit/support.h"

#define BEGIN RECORD_SECOND_NS
#define LATER (3 * RECORD_SECOND_NS)

static const record_process old = {.pid = 4711, .start_ticks = 1};

static void what_has_another_layout_is_rejected(void **state)
{
    (void)state;
    record_rejected *r = record_rejected_new();
    assert_null(record_rejected_find(r, &old, "/perl", BEGIN));
    record_rejected_add(r, &old, "/perl", RECORD_NO_LAYOUT, "no layout", BEGIN);
    const record_rejection *rejection = record_rejected_find(r, &old, "/perl", BEGIN);
    assert_non_null(rejection);
    assert_int_equal(rejection->found, RECORD_NO_LAYOUT);
    assert_string_equal(rejection->why, "no layout");
    record_rejected_free(r);
}

static void what_may_become_a_perl_is_not(void **state)
{
    (void)state;
    record_rejected *r = record_rejected_new();
    record_rejected_add(r, &old, "/perl", RECORD_NOT_STARTED, "not started", BEGIN);
    assert_null(record_rejected_find(r, &old, "/perl", BEGIN));
    record_rejected_add(r, &old, "/perl", RECORD_NOT_READABLE, "not readable", BEGIN);
    assert_null(record_rejected_find(r, &old, "/perl", BEGIN));
    record_rejected_free(r);
}

static void what_executes_something_else_is_looked_at_again(void **state)
{
    (void)state;
    record_rejected *r = record_rejected_new();
    record_rejected_add(r, &old, "/bin/sh", RECORD_NOT_PERL, "not a perl", BEGIN);
    assert_non_null(record_rejected_find(r, &old, "/bin/sh", LATER));
    assert_null(record_rejected_find(r, &old, "/perl", LATER));
    /* It has executed /perl between the two looks, and may not have mapped libperl. */
    record_rejected_add(r, &old, "/perl", RECORD_NOT_PERL, "not a perl", LATER);
    assert_null(record_rejected_find(r, &old, "/perl", LATER));
    record_rejected_add(r, &old, "/perl", RECORD_NO_LAYOUT, "no layout", LATER);
    assert_non_null(record_rejected_find(r, &old, "/perl", LATER));
    record_rejected_free(r);
}

static void what_is_no_perl_is_looked_at_for_a_second(void **state)
{
    (void)state;
    record_rejected *r = record_rejected_new();
    int64_t at = BEGIN;
    for (; at <= BEGIN + RECORD_SECOND_NS; at += RECORD_SECOND_NS / 10) {
        assert_null(record_rejected_find(r, &old, "/bin/sh", at));
        record_rejected_add(r, &old, "/bin/sh", RECORD_NOT_PERL, "not a perl", at);
    }
    assert_non_null(record_rejected_find(r, &old, "/bin/sh", at));
    record_rejected_free(r);
}

static void another_process_with_the_pid_is_looked_at(void **state)
{
    (void)state;
    record_rejected *r = record_rejected_new();
    record_process later = {.pid = old.pid, .start_ticks = 2};
    record_rejected_add(r, &old, "/bin/sh", RECORD_NOT_PERL, "not a perl", BEGIN);
    assert_null(record_rejected_find(r, &later, "/bin/sh", LATER));
    record_rejected_add(r, &later, "/bin/sh", RECORD_NOT_PERL, "not a perl", BEGIN);
    assert_null(record_rejected_find(r, &old, "/bin/sh", LATER));
    record_rejected_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_another_layout_is_rejected),
        cmocka_unit_test(what_may_become_a_perl_is_not),
        cmocka_unit_test(what_executes_something_else_is_looked_at_again),
        cmocka_unit_test(what_is_no_perl_is_looked_at_for_a_second),
        cmocka_unit_test(another_process_with_the_pid_is_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
