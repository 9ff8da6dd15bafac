/* Which statements were seen to call which subs. */
#include "nytp-record/sampler/seencalls.h"

#include "test/unit/support.h"

static record_statement statement(uint64_t address)
{
    return (record_statement){.address = address, .sequence = 7};
}

static void callers_are_kept_for_each_sub(void **state)
{
    static record_seen_calls seen;
    const record_codeid sub = {100, 1}, again = {100, 2}; /* other code at the same address */
    const record_statement first = statement(1), second = statement(2),
                           changed = {.address = 2, .sequence = 8};
    (void)state;
    assert_null(record_seen_calls_of(&seen, sub, 0));
    record_seen_calls_add(&seen, &first, sub);
    record_seen_calls_add(&seen, &second, sub);
    assert_true(record_seen_calls_has(&seen, &first, sub));
    assert_true(record_seen_calls_has(&seen, &second, sub));
    assert_false(record_seen_calls_has(&seen, &changed, sub));
    assert_false(record_seen_calls_has(&seen, &first, again));
    assert_null(record_seen_calls_of(&seen, again, 0));
    assert_int_equal(record_seen_calls_of(&seen, sub, 0)->statement, 2);
    record_seen_calls_add(&seen, &first, sub);
    assert_int_equal(record_seen_calls_of(&seen, sub, 0)->statement, 1);
    assert_int_equal(record_seen_calls_of(&seen, sub, 1)->statement, 2);
    assert_null(record_seen_calls_of(&seen, sub, 2));
}

static void the_oldest_caller_is_forgotten(void **state)
{
    static record_seen_calls seen;
    const record_codeid sub = {100, 1};
    (void)state;
    for (uint64_t n = 1; n <= RECORD_SEEN_CALLERS + 1; n++) {
        record_statement caller = statement(n);
        record_seen_calls_add(&seen, &caller, sub);
    }
    for (uint64_t n = 1; n <= RECORD_SEEN_CALLERS + 1; n++) {
        record_statement caller = statement(n);
        assert_int_equal(record_seen_calls_has(&seen, &caller, sub), n > 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callers_are_kept_for_each_sub),
        cmocka_unit_test(the_oldest_caller_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
