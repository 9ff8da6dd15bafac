/* Which statements were seen to call which subs. */
#include "sampler/sample/consistency.h"

#include "test/unit/support.h"

static sampler_statement statement(uint64_t address)
{
    return (sampler_statement){.address = address, .sequence = 7};
}

static void callers_are_kept_for_each_sub(void **state)
{
    static sampler_known_callers seen;
    const sampler_codeid sub = {100, 1}, again = {100, 2}; /* other code at the same address */
    const sampler_statement first = statement(1), second = statement(2),
                            changed = {.address = 2, .sequence = 8};
    (void)state;
    assert_null(sampler_known_callers_of(&seen, sub, 0));
    sampler_known_callers_add(&seen, &first, sub);
    sampler_known_callers_add(&seen, &second, sub);
    assert_true(sampler_known_callers_has(&seen, &first, sub));
    assert_true(sampler_known_callers_has(&seen, &second, sub));
    assert_false(sampler_known_callers_has(&seen, &changed, sub));
    assert_false(sampler_known_callers_has(&seen, &first, again));
    assert_null(sampler_known_callers_of(&seen, again, 0));
    assert_int_equal(sampler_known_callers_of(&seen, sub, 0)->statement, 2);
    sampler_known_callers_add(&seen, &first, sub);
    assert_int_equal(sampler_known_callers_of(&seen, sub, 0)->statement, 1);
    assert_int_equal(sampler_known_callers_of(&seen, sub, 1)->statement, 2);
    assert_null(sampler_known_callers_of(&seen, sub, 2));
}

static void the_oldest_caller_is_forgotten(void **state)
{
    static sampler_known_callers seen;
    const sampler_codeid sub = {100, 1};
    (void)state;
    for (uint64_t n = 1; n <= SAMPLER_KNOWN_CALLERS + 1; n++) {
        sampler_statement caller = statement(n);
        sampler_known_callers_add(&seen, &caller, sub);
    }
    for (uint64_t n = 1; n <= SAMPLER_KNOWN_CALLERS + 1; n++) {
        sampler_statement caller = statement(n);
        assert_int_equal(sampler_known_callers_has(&seen, &caller, sub), n > 1);
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
