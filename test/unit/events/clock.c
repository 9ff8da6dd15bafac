/* The clock of a process: when calls begin, by statements and by what returns between them. */
#include "events/clock.h"
#include "test/unit/support.h"

#define X NYTP_NO_STATEMENTS
#define P NYTP_HAS_STATEMENTS
#define U NYTP_STATEMENTS_UNKNOWN

typedef struct happened {
    double statement_ticks; /* > 0: a statement ends; else a call returns */
    uint32_t depth;
    double incl_ticks;
    enum nytp_own_statements sub;
    double begin_ticks;
} happened;

static void begins_are(const happened *events, size_t count)
{
    nytp_process_clock clock;
    nytp_clock_init(&clock, sizeof(nytp_clock_level), NULL);
    for (size_t i = 0; i < count; i++) {
        if (events[i].statement_ticks > 0)
            nytp_clock_add_statements(&clock, events[i].statement_ticks);
        else
            assert_float_equal(
                nytp_clock_leave(&clock, events[i].depth, events[i].incl_ticks, events[i].sub).begin_ticks,
                events[i].begin_ticks, 1e-9);
    }
    nytp_clock_clear(&clock);
}
#define BEGINS_ARE(events) begins_are(events, COUNT(events))

/* A statement of 100; one that calls sleep (50), then print (5), and ends; then f with a statement of 30. */
static void builtins_follow_one_another(void **state)
{
    const happened events[] = {{.statement_ticks = 100}, {0, 1, 50, X, 100}, {0, 1, 5, X, 150},
                               {.statement_ticks = 56},  {0, 1, 1, X, 156},  {.statement_ticks = 2},
                               {.statement_ticks = 30},  {0, 1, 30, P, 158}};
    (void)state;
    BEGINS_ARE(events);
}

/* An xsub of 40 calls another of 30; f, of 45, has called both in its first statement. */
static void callees_count_once(void **state)
{
    const happened events[] = {
        {.statement_ticks = 10}, {0, 3, 30, X, 10}, {0, 2, 40, X, 10}, {0, 1, 45, P, 5}, {0, 1, 7, X, 50}};
    (void)state;
    BEGINS_ARE(events);
}

/* A loop waits 300 until each of two callbacks, whose statement is 4. Its own last wait has not been counted.
 */
static void callbacks_of_a_loop_are_in_their_places(void **state)
{
    const happened events[] = {{.statement_ticks = 20}, {.statement_ticks = 300}, {0, 2, 4, P, 316},
                               {.statement_ticks = 4},  {.statement_ticks = 300}, {0, 2, 4, P, 620},
                               {.statement_ticks = 4},  {0, 1, 608, X, 20}};
    (void)state;
    BEGINS_ARE(events);
}

/* Stock says at the end what a sub is. A call longer than the statements since the last return has none. */
static void what_is_not_known_is_guessed(void **state)
{
    const happened events[] = {{.statement_ticks = 100},
                               {0, 1, 50, U, 50},
                               {0, 1, 60, U, 100},
                               {.statement_ticks = 70},
                               {0, 1, 60, U, 110}};
    (void)state;
    BEGINS_ARE(events);
}

/* A process is forked within calls, so its profile says at the end what their subs are. exit() ends them. */
static void calls_that_exit_leaves_count_once(void **state)
{
    const happened events[] = {
        {.statement_ticks = 1000}, {0, 3, 1000, P, 0}, {0, 2, 1001, U, 0}, {0, 1, 1004, U, 0}};
    (void)state;
    BEGINS_ARE(events);
}

/* Without statements, calls follow one another by their own times. */
static void without_statements_calls_follow_one_another(void **state)
{
    const happened events[] = {{0, 2, 10, P, 0}, {0, 2, 20, P, 10}, {0, 1, 35, P, 0}, {0, 1, 5, X, 35}};
    (void)state;
    BEGINS_ARE(events);
}

static nytp_call_time returns(nytp_process_clock *clock, uint32_t depth, double incl_ticks)
{
    return nytp_clock_leave(clock, depth, incl_ticks, P);
}

static void mark(nytp_process_clock *clock, const char *value)
{
    const nytp_chunk chunk = {.tag = NYTP_ATTRIBUTE,
                              .attribute = {{"clock", 5, false}, {value, strlen(value), false}}};
    nytp_mark read;
    if (nytp_mark_read(&chunk, &read))
        nytp_clock_mark(clock, &read);
}

static nytp_process_clock at_100(void)
{
    nytp_process_clock clock;
    nytp_clock_init(&clock, sizeof(nytp_clock_level), NULL);
    nytp_clock_add_statements(&clock, 100);
    return clock;
}

/* Marks say how much was counted. A call that went on at one adds nothing when it returns. */
static void without_statements_marks_say_when_calls_were(void **state)
{
    nytp_process_clock clock;
    nytp_clock_init(&clock, sizeof(nytp_clock_level), NULL);
    nytp_clock_note_option(&clock, (nytp_str){"stmts", 5, false}, (nytp_str){"0", 1, false});
    (void)state;
    assert_float_equal(returns(&clock, 3, 10).begin_ticks, 0, 1e-9);
    mark(&clock, "530 0 0 2 500"); /* the collector took 30 */
    assert_float_equal(returns(&clock, 3, 100).begin_ticks, 530, 1e-9);
    assert_float_equal(returns(&clock, 2, 610).begin_ticks, 0, 1e-9);
    assert_float_equal(returns(&clock, 2, 50).begin_ticks, 630, 1e-9);
    mark(&clock, "1030 300 0 1 700");
    assert_float_equal(nytp_clock_true_now(&clock), 1030, 1e-9);
    nytp_clock_clear(&clock);
}

/* The call of depth 3 contains the gap of 1000, and those around it, too; the one after it began after it. */
static void a_gap_is_within_the_calls_that_go_on(void **state)
{
    nytp_process_clock clock = at_100();
    (void)state;
    mark(&clock, "1100 1000 0 3");
    nytp_clock_add_statements(&clock, 10);
    const nytp_call_time inner = returns(&clock, 3, 30), next = returns(&clock, 3, 12),
                         outer = returns(&clock, 2, 100);
    assert_float_equal(inner.begin_ticks, 80, 1e-9);
    assert_float_equal(inner.own_uncounted_ticks, 1000, 1e-9);
    assert_float_equal(next.begin_ticks, 1100, 1e-9);
    assert_float_equal(next.uncounted_ticks, 0, 1e-9);
    assert_float_equal(outer.begin_ticks, 10, 1e-9);
    assert_float_equal(outer.uncounted_ticks, 1000, 1e-9);
    assert_float_equal(outer.own_uncounted_ticks, 0, 1e-9);
    nytp_clock_clear(&clock);
}

/* The profiler took as long as the program. */
static void what_did_not_pass_at_once_passes_evenly(void **state)
{
    nytp_process_clock clock = at_100();
    (void)state;
    mark(&clock, "200");
    const nytp_call_time call = returns(&clock, 1, 50);
    assert_float_equal(call.begin_ticks, 100, 1e-9);
    assert_float_equal(call.uncounted_ticks, 50, 1e-9);
    assert_float_equal(nytp_clock_true_now(&clock), 200, 1e-9);
    nytp_clock_add_statements(&clock, 10);
    assert_float_equal(nytp_clock_true_now(&clock), 210, 1e-9);
    nytp_clock_clear(&clock);
}

/* Inclusive times have the 40 in which recording was off. */
static void calls_go_on_while_recording_is_off(void **state)
{
    nytp_process_clock clock = at_100();
    (void)state;
    mark(&clock, "140 0 40 1");
    nytp_clock_add_statements(&clock, 10);
    const nytp_call_time call = returns(&clock, 1, 70);
    assert_float_equal(call.begin_ticks, 80, 1e-9);
    assert_float_equal(call.uncounted_ticks, 0, 1e-9);
    nytp_clock_clear(&clock);
}

static void marks_of_damaged_profiles_do_no_harm(void **state)
{
    static const char *const values[] = {"",           "x",          "-1",         "nan",       "inf",
                                         "1e300",      "10 5 5 5 5", "10 -5",      "10 5 1e17", "1 2 x",
                                         "0 0 0 1e99", "5",          "50 1e15 1 2"};
    (void)state;
    for (size_t i = 0; i < COUNT(values); i++) {
        nytp_process_clock clock = at_100();
        mark(&clock, values[i]);
        nytp_clock_add_statements(&clock, 1);
        mark(&clock, values[COUNT(values) - 1 - i]);
        const nytp_call_time call = returns(&clock, 0, 20);
        assert_true(call.begin_ticks >= 0 && call.begin_ticks <= nytp_clock_true_now(&clock));
        assert_true(call.uncounted_ticks >= 0 && call.own_uncounted_ticks >= 0);
        nytp_clock_clear(&clock);
    }
}

/* Of a hundred thousand marks some are forgotten; a call that began before all of them still did. */
static void marks_are_limited(void **state)
{
    nytp_process_clock clock = at_100();
    char value[64];
    (void)state;
    for (int i = 1; i <= 100000; i++) {
        snprintf(value, sizeof value, "%d 100 0 1", 200 * i);
        mark(&clock, value);
        nytp_clock_add_statements(&clock, 100);
    }
    assert_true(clock.time.knots->len <= 1 << 16);
    assert_float_equal(returns(&clock, 2, 100).begin_ticks, 2e7, 1e-6);
    assert_true(returns(&clock, 1, 1e7 + 50).begin_ticks <= 200);
    nytp_clock_clear(&clock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gap_is_within_the_calls_that_go_on),
        cmocka_unit_test(what_did_not_pass_at_once_passes_evenly),
        cmocka_unit_test(calls_go_on_while_recording_is_off),
        cmocka_unit_test(marks_of_damaged_profiles_do_no_harm),
        cmocka_unit_test(marks_are_limited),
        cmocka_unit_test(builtins_follow_one_another),
        cmocka_unit_test(callees_count_once),
        cmocka_unit_test(callbacks_of_a_loop_are_in_their_places),
        cmocka_unit_test(what_is_not_known_is_guessed),
        cmocka_unit_test(calls_that_exit_leaves_count_once),
        cmocka_unit_test(without_statements_calls_follow_one_another),
        cmocka_unit_test(without_statements_marks_say_when_calls_were),
    };
    return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
