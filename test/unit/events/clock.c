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
    nytp_clock_init(&clock);
    for (size_t i = 0; i < count; i++) {
        if (events[i].statement_ticks > 0)
            nytp_clock_add_statements(&clock, events[i].statement_ticks);
        else
            assert_float_equal(
                nytp_clock_return(&clock, events[i].depth, events[i].incl_ticks, events[i].sub),
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

/* Without statements, calls follow one another by their own times. */
static void without_statements_calls_follow_one_another(void **state)
{
    const happened events[] = {{0, 2, 10, P, 0}, {0, 2, 20, P, 10}, {0, 1, 35, P, 0}, {0, 1, 5, X, 35}};
    (void)state;
    BEGINS_ARE(events);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builtins_follow_one_another),
        cmocka_unit_test(callees_count_once),
        cmocka_unit_test(callbacks_of_a_loop_are_in_their_places),
        cmocka_unit_test(what_is_not_known_is_guessed),
        cmocka_unit_test(without_statements_calls_follow_one_another),
    };
    return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
