/* Filters: the chunks that are left of a profile. */
#include "test/unit/chunk_text.h"
#include "test/unit/filtered.h"
#include "test/unit/support.h"

#include "lib/events/filters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TIME(t, l)                                                                                           \
    {                                                                                                        \
        .tag = NYTP_TIME_LINE, .time = {.ticks = (t), .fid = 1, .line = (l) }                                \
    }
#define DISCOUNT                                                                                             \
    {                                                                                                        \
        .tag = NYTP_DISCOUNT                                                                                 \
    }
#define ENTRY(l)                                                                                             \
    {                                                                                                        \
        .tag = NYTP_SUB_ENTRY, .sub_entry = {.fid = 1, .line = (l) }                                         \
    }
#define RETURN(d, i, e, name)                                                                                \
    {                                                                                                        \
        .tag = NYTP_SUB_RETURN, .sub_return = {(d), (i), (e), STR(name) }                                    \
    }
#define BEGIN(p)                                                                                             \
    {                                                                                                        \
        .tag = NYTP_PID_START, .pid_start = {(p), 1, 0 }                                                     \
    }
#define END(p)                                                                                               \
    {                                                                                                        \
        .tag = NYTP_PID_END, .pid_end = {(p), 1 }                                                            \
    }
#define ATTRIBUTE(k, v)                                                                                      \
    {                                                                                                        \
        .tag = NYTP_ATTRIBUTE, .attribute = { STR(k), STR(v) }                                               \
    }
#define CALLERS(name, n)                                                                                     \
    {                                                                                                        \
        .tag = NYTP_SUB_CALLERS, .sub_callers = {                                                            \
            .caller = STR("main::f"),                                                                        \
            .count = (n),                                                                                    \
            .called = STR(name)                                                                              \
        }                                                                                                    \
    }
#define MARK(name)                                                                                           \
    {                                                                                                        \
        .tag = NYTP_SUB_CALLERS, .sub_callers = {.called = STR(name) }                                       \
    }

#define IS_LEFT(options, chunks, left) chunks_are_left(&(options), chunks, COUNT(chunks), left, COUNT(left))

static const nytp_filter_options nothing, no_wait = {.no_wait = true}, second = {.process = 8};

static void without_options_there_are_none(void **state)
{
    (void)state;
    const nytp_filter_options no_labels = {.no_labels = true};
    assert_false(nytp_filters_leave_out_events(&nothing));
    assert_false(nytp_filters_leave_out_events(&no_labels));
    assert_true(nytp_filters_leave_out_events(&no_wait));
}

/* f, in line 3, sleeps in line 5 and calls g in line 6. */
static void a_call_that_waits_has_no_time(void **state)
{
    const nytp_chunk chunks[] = {
        BEGIN(7),
        TIME(10, 3),
        RETURN(2, 1000, 1000, "main::CORE:sleep"),
        TIME(1020, 5),
        RETURN(2, 7, 7, "main::g"),
        TIME(9, 7),
        DISCOUNT,
        TIME(4, 6),
        RETURN(1, 1050, 43, "main::f"),
        DISCOUNT,
        TIME(1, 3),
        CALLERS("main::g", 1),
        MARK("main::CORE:sleep"),
        END(7),
    };
    const nytp_chunk left[] = {
        BEGIN(7),
        TIME(10, 3),
        RETURN(2, 0, 0, "main::CORE:sleep"),
        TIME(20, 5),
        RETURN(2, 7, 7, "main::g"),
        TIME(9, 7),
        DISCOUNT,
        TIME(4, 6),
        RETURN(1, 50, 43, "main::f"),
        DISCOUNT,
        TIME(1, 3),
        MARK("main::CORE:sleep"),
        END(7),
    };
    (void)state;
    IS_LEFT(no_wait, chunks, left);
}

/* A loop stays with the time of what handles events. Its line has several times, of which the last becomes
 * negative. */
static void a_loop_keeps_its_callees(void **state)
{
    const nytp_chunk chunks[] = {
        BEGIN(7),    TIME(500, 3), RETURN(2, 20, 20, "main::on_event"), TIME(20, 9),
        DISCOUNT,    TIME(400, 3), RETURN(1, 925, 905, "EV::run"),      DISCOUNT,
        TIME(10, 3), END(7),
    };
    const nytp_chunk left[] = {
        BEGIN(7),      TIME(500, 3), RETURN(2, 20, 20, "main::on_event"), TIME(20, 9),
        DISCOUNT,      TIME(400, 3), RETURN(1, 20, 0, "EV::run"),         DISCOUNT,
        TIME(-895, 3), END(7),
    };
    (void)state;
    IS_LEFT(no_wait, chunks, left);
}

/* Returns the sum of the ticks of statements that --no-wait leaves, and how many there are, of which
 * *executions count. */
static double sum_without_waits(const nytp_chunk *chunks, size_t count, unsigned *times, unsigned *executions)
{
    char *got = text_of_left(&no_wait, chunks, count);
    double sum = 0;
    unsigned discounts = 0;
    *times = 0;
    for (char *line = strtok(got, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        int ticks = 0;
        *times += sscanf(line, "TIME_LINE\t%d", &ticks) == 1;
        sum += ticks;
        discounts += strcmp(line, "DISCOUNT") == 0;
    }
    *executions = *times - discounts;
    free(got);
    return sum;
}

/* The collector writes a time that does not fit into a chunk in several. */
static void a_wait_may_last_hours(void **state)
{
    enum { PARTS = 8 };
    const double wait_ticks = (double)PARTS * INT32_MAX - 3;
    nytp_chunk chunks[2 * PARTS + 4] = {BEGIN(7), RETURN(1, wait_ticks, wait_ticks, "main::CORE:accept")};
    size_t count = 2;
    unsigned times, executions;
    (void)state;
    for (int i = 0; i < PARTS; i++) {
        if (i > 0)
            chunks[count++] = (nytp_chunk)DISCOUNT;
        chunks[count++] = (nytp_chunk)TIME(INT32_MAX, 3);
    }
    chunks[count++] = (nytp_chunk)TIME(6, 4);
    assert_true(sum_without_waits(chunks, count, &times, &executions) == 3 + 6);
    assert_int_equal(executions, 2);
}

/* Each return would be two million statements. */
static void no_more_is_waited_than_has_passed(void **state)
{
    const double ticks[] = {4e15, 1e300, -1e300, INFINITY, -INFINITY, NAN, 4e15, -4e15};
    nytp_chunk chunks[1 + 2 * COUNT(ticks)] = {BEGIN(7)};
    unsigned times, executions;
    (void)state;
    for (size_t i = 0; i < COUNT(ticks); i++) {
        chunks[2 * i + 1] = (nytp_chunk)RETURN(1, ticks[i], ticks[i], "main::CORE:sleep");
        chunks[2 * i + 2] = (nytp_chunk)TIME(10, 3);
    }
    assert_true(sum_without_waits(chunks, COUNT(chunks), &times, &executions) == 0);
    assert_int_equal(times, COUNT(ticks));
}

/* f sleeps for a half of one sample, and My::wait whose name does not say so. CORE:sleep waits for a
 * processor in its end. */
static void what_slept_is_left_out_by_states(void **state)
{
    const nytp_chunk chunks[] = {
        ATTRIBUTE("sampled_hz", "100"),
        BEGIN(7),
        ATTRIBUTE("state", "0 0 10000"),
        TIME(100, 1),
        ENTRY(2),
        ENTRY(3),
        ATTRIBUTE("state", "10000 0 0"),
        TIME(100, 5),
        ATTRIBUTE("state", "3000 2000 5000"),
        TIME(200, 5),
        ENTRY(7),
        ATTRIBUTE("state", "0 30000 0"),
        TIME(300, 7),
        RETURN(3, 300, 300, "main::CORE:sleep"),
        RETURN(2, 600, 300, "main::f"),
        ENTRY(4),
        ATTRIBUTE("state", "0 0 90000"),
        TIME(900, 6),
        ATTRIBUTE("state", "0 0 0"),
        TIME(0, 6),
        RETURN(2, 900, 900, "My::wait"),
        RETURN(1, 1500, 0, "main::loop"),
        END(7),
    };
    const nytp_chunk left[] = {
        ATTRIBUTE("sampled_hz", "100"),
        BEGIN(7),
        ATTRIBUTE("state", "0 0 0"),
        ENTRY(2),
        ENTRY(3),
        ATTRIBUTE("state", "10000 0 0"),
        TIME(100, 5),
        ATTRIBUTE("state", "3000 2000 0"),
        TIME(100, 5),
        ENTRY(7),
        ATTRIBUTE("state", "0 30000 0"),
        TIME(300, 7),
        RETURN(3, 300, 300, "main::CORE:sleep"),
        RETURN(2, 500, 200, "main::f"),
        ENTRY(4),
        ATTRIBUTE("state", "0 0 0"),
        ATTRIBUTE("state", "0 0 0"),
        RETURN(2, 0, 0, "My::wait"),
        RETURN(1, 500, 0, "main::loop"),
        END(7),
    };
    (void)state;
    IS_LEFT(no_wait, chunks, left);
}

static void one_process_is_left(void **state)
{
    const nytp_chunk chunks[] = {
        ATTRIBUTE("application", "a"),
        BEGIN(7),
        TIME(1, 1),
        RETURN(1, 1, 1, "main::f"),
        ATTRIBUTE("process_cut", "1"),
        ATTRIBUTE("wait_for_cpu", "1"),
        ATTRIBUTE("clock", "9"),
        ATTRIBUTE("memory_at", "9 4096 5"),
        ATTRIBUTE("coroutine", "1"),
        END(7),
        BEGIN(8),
        ATTRIBUTE("memory_at", "0 8192 5"),
        DISCOUNT,
        TIME(2, 1),
        ENTRY(1),
        RETURN(1, 1, 1, "main::g"),
        ATTRIBUTE("process_cpu_s", "1"),
        END(8),
        BEGIN(9),
        TIME(3, 1),
        END(9),
        CALLERS("main::g", 1),
        MARK("main::g"),
    };
    const nytp_chunk left[] = {
        ATTRIBUTE("application", "a"),
        BEGIN(8),
        ATTRIBUTE("memory_at", "0 8192 5"),
        DISCOUNT,
        TIME(2, 1),
        ENTRY(1),
        RETURN(1, 1, 1, "main::g"),
        ATTRIBUTE("process_cpu_s", "1"),
        END(8),
        MARK("main::g"),
    };
    (void)state;
    IS_LEFT(second, chunks, left);
}

/* From 5 to 25 us. A mark of memory says itself when it was. What makes no sense is left out. */
static void memory_of_a_range(void **state)
{
    static const nytp_filter_options range = {
        .range = {{NYTP_SINCE_BEGIN, 5e-6}, {NYTP_SINCE_BEGIN, 25e-6}, "x"}};
    const nytp_chunk chunks[] = {
        BEGIN(7),
        ATTRIBUTE("memory_at", "0 4096 1"),
        TIME(100, 1),
        ATTRIBUTE("memory_at", "170 8192 2"),
        ATTRIBUTE("clock", "100"),
        TIME(100, 2),
        ATTRIBUTE("memory_at", "230 12288 3"),
        ATTRIBUTE("memory_at", "what"),
        ATTRIBUTE("memory_at", "231 0 3"),
        ATTRIBUTE("memory_at", "231 -4096 3"),
        ATTRIBUTE("memory_at", "260 4096 4"),
        TIME(100, 3),
        ATTRIBUTE("memory_at", "300 4096 5"),
        END(7),
    };
    const nytp_chunk left[] = {
        {.tag = NYTP_PID_START, .pid_start = {7, 1, 5e-6}},
        TIME(50, 1),
        ATTRIBUTE("memory_at", "120 8192 2"),
        ATTRIBUTE("clock", "50 0 0 0"),
        TIME(100, 2),
        ATTRIBUTE("memory_at", "180 12288 3"),
        DISCOUNT,
        TIME(50, 3),
        {.tag = NYTP_PID_END, .pid_end = {7, 25e-6}},
    };
    (void)state;
    IS_LEFT(range, chunks, left);
}

/* f goes on at a gap from 10 to 40 us, and returns after another mark. The range ends within the gap. */
static void a_range_ends_within_a_gap(void **state)
{
    static const nytp_filter_options range = {
        .range = {{NYTP_SINCE_BEGIN, 0}, {NYTP_SINCE_BEGIN, 25e-6}, "x"}};
    const nytp_chunk chunks[] = {
        BEGIN(7),
        TIME(100, 1),
        ATTRIBUTE("clock", "400 300 0 1"),
        TIME(50, 2),
        ATTRIBUTE("clock", "460"),
        TIME(10, 2),
        RETURN(1, 80, 80, "main::f"),
        END(7),
    };
    const nytp_chunk left[] = {
        BEGIN(7),
        TIME(100, 1),
        ATTRIBUTE("clock", "250 150 0 1"),
        ATTRIBUTE("parts", "1"),
        RETURN(1, 20, 20, "main::f"),
        {.tag = NYTP_PID_END, .pid_end = {7, 25e-6}},
    };
    (void)state;
    IS_LEFT(range, chunks, left);
}

/* f allocates strings and calls g, which allocates code in two chunks; outside of both is what has no kind.
 */
static void kinds_become_calls(void **state)
{
    static const nytp_filter_options kinds = {.kinds = true};
    const nytp_chunk chunks[] = {
        BEGIN(7),
        ENTRY(3),
        ATTRIBUTE("memory", "4 strings"),
        TIME(100, 5),
        ENTRY(6),
        ATTRIBUTE("memory", "2 code"),
        TIME(50, 9),
        DISCOUNT,
        TIME(25, 9),
        RETURN(2, 75, 75, "main::g"),
        RETURN(1, 175, 100, "main::f"),
        TIME(30, 1),
        CALLERS("main::g", 1),
        END(7),
    };
    const nytp_chunk left[] = {
        BEGIN(7),
        ENTRY(3),
        ENTRY(5),
        ATTRIBUTE("memory", "4 strings"),
        TIME(100, 5),
        RETURN(2, 100, 100, "[strings]"),
        ENTRY(6),
        ENTRY(9),
        ATTRIBUTE("memory", "2 code"),
        TIME(50, 9),
        RETURN(3, 50, 50, "[code]"),
        ENTRY(9),
        DISCOUNT,
        TIME(25, 9),
        RETURN(3, 25, 25, "[code]"),
        RETURN(2, 75, 0, "main::g"),
        RETURN(1, 175, 0, "main::f"),
        ENTRY(1),
        TIME(30, 1),
        RETURN(1, 30, 30, "[other]"),
        END(7),
    };
    (void)state;
    IS_LEFT(kinds, chunks, left);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_options_there_are_none),
        cmocka_unit_test(a_call_that_waits_has_no_time),
        cmocka_unit_test(a_loop_keeps_its_callees),
        cmocka_unit_test(a_wait_may_last_hours),
        cmocka_unit_test(no_more_is_waited_than_has_passed),
        cmocka_unit_test(what_slept_is_left_out_by_states),
        cmocka_unit_test(one_process_is_left),
        cmocka_unit_test(memory_of_a_range),
        cmocka_unit_test(a_range_ends_within_a_gap),
        cmocka_unit_test(kinds_become_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
