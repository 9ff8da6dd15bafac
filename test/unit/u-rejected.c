/* Processes that cannot be sampled: which are looked at again. */
#include "nytp-record/sampler/rejected.h"

#include "test/unit/support.h"

/* One that started long ago. */
static const record_process old = {.pid = 4711, .start_ticks = 1};

static void what_has_another_layout_is_rejected(void **state)
{
    (void)state;
    record_rejected *r = record_rejected_new();
    assert_null(record_rejected_find(r, &old, "/perl"));
    record_rejected_add(r, &old, "/perl", RECORD_NO_LAYOUT, "no layout");
    const record_rejection *rejection = record_rejected_find(r, &old, "/perl");
    assert_non_null(rejection);
    assert_int_equal(rejection->found, RECORD_NO_LAYOUT);
    assert_string_equal(rejection->why, "no layout");
    record_rejected_free(r);
}

static void what_may_become_a_perl_is_not(void **state)
{
    (void)state;
    record_rejected *r = record_rejected_new();
    record_rejected_add(r, &old, "/perl", RECORD_NOT_STARTED, "not started");
    assert_null(record_rejected_find(r, &old, "/perl"));
    record_rejected_add(r, &old, "/perl", RECORD_NOT_READABLE, "not readable");
    assert_null(record_rejected_find(r, &old, "/perl"));
    record_rejected_free(r);
}

static void what_executes_something_else_is_looked_at_again(void **state)
{
    (void)state;
    record_rejected *r = record_rejected_new();
    record_rejected_add(r, &old, "/bin/sh", RECORD_NOT_PERL, "not a perl");
    assert_non_null(record_rejected_find(r, &old, "/bin/sh"));
    assert_null(record_rejected_find(r, &old, "/perl"));
    /* It has executed /perl between the two looks, and may not have mapped libperl. */
    record_rejected_add(r, &old, "/perl", RECORD_NOT_PERL, "not a perl");
    assert_null(record_rejected_find(r, &old, "/perl"));
    record_rejected_add(r, &old, "/perl", RECORD_NO_LAYOUT, "no layout");
    assert_non_null(record_rejected_find(r, &old, "/perl"));
    record_rejected_free(r);
}

static void another_process_with_the_pid_is_looked_at(void **state)
{
    (void)state;
    record_rejected *r = record_rejected_new();
    record_process later = {.pid = old.pid, .start_ticks = 2};
    record_rejected_add(r, &old, "/bin/sh", RECORD_NOT_PERL, "not a perl");
    assert_null(record_rejected_find(r, &later, "/bin/sh"));
    record_rejected_add(r, &later, "/bin/sh", RECORD_NOT_PERL, "not a perl");
    assert_null(record_rejected_find(r, &old, "/bin/sh"));
    record_rejected_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_another_layout_is_rejected),
        cmocka_unit_test(what_may_become_a_perl_is_not),
        cmocka_unit_test(what_executes_something_else_is_looked_at_again),
        cmocka_unit_test(another_process_with_the_pid_is_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
