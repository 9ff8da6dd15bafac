/* Calls of coroutines, which return in parts. */
#include "events/state.h"
#include "test/unit/support.h"

static double part(nytp_coroutines *c, uint32_t depth, double ticks)
{
    return nytp_coroutines_leave(c, depth, ticks, true);
}

static double whole(nytp_coroutines *c, uint32_t depth, double ticks)
{
    return nytp_coroutines_leave(c, depth, ticks, false);
}

/* Two coroutines have a call at depth 2 each, of 10 + 20 + 30 and 1 + 2; the first one's is within another.
 */
static void parts_are_those_of_their_coroutine(void **state)
{
    nytp_coroutines c = nytp_coroutines_new();
    (void)state;
    nytp_coroutines_switch(&c, 1);
    part(&c, 2, 10);
    part(&c, 1, 15);
    nytp_coroutines_switch(&c, 2);
    part(&c, 2, 1);
    nytp_coroutines_switch(&c, 1);
    part(&c, 2, 20);
    part(&c, 1, 25);
    nytp_coroutines_switch(&c, 2);
    assert_float_equal(whole(&c, 2, 2), 1, 0);
    assert_float_equal(whole(&c, 2, 7), 0, 0); /* the next one is whole */
    nytp_coroutines_switch(&c, 1);
    assert_float_equal(whole(&c, 2, 30), 30, 0);
    assert_float_equal(whole(&c, 1, 30), 40, 0);
    nytp_coroutines_clear(&c);
}

/* A part of a request, or of an async sub, is not one of a call that a coroutine leaves. */
static void other_parts_are_no_part_of_the_next_call(void **state)
{
    nytp_coroutines c = nytp_coroutines_new();
    (void)state;
    nytp_coroutines_switch(&c, 1);
    part(&c, 2, 10);
    whole(&c, 1, 12);
    nytp_coroutines_switch(&c, 2);
    nytp_coroutines_switch(&c, 1);
    assert_float_equal(whole(&c, 2, 5), 0, 0);
    nytp_coroutines_clear(&c);
}

static void a_process_begins_without_any(void **state)
{
    nytp_coroutines c = nytp_coroutines_new();
    (void)state;
    nytp_coroutines_switch(&c, 1);
    part(&c, 1, 10);
    nytp_coroutines_switch(&c, 2);
    nytp_coroutines_reset(&c);
    nytp_coroutines_switch(&c, 1);
    assert_float_equal(whole(&c, 1, 5), 0, 0);
    nytp_coroutines_clear(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_those_of_their_coroutine),
        cmocka_unit_test(other_parts_are_no_part_of_the_next_call),
        cmocka_unit_test(a_process_begins_without_any),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
