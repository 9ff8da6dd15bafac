/* String evals: the calls that a filter makes of their marks, and the marks that other filters leave. */
#include "test/unit/chunk_text.h"
#include "test/unit/filtered.h"
#include "test/unit/support.h"

#include "lib/events/filters.h"

#include <stdlib.h>
#include <string.h>

#define FID(f, n)                                                                                            \
    {                                                                                                        \
        .tag = NYTP_NEW_FID, .new_fid = {.fid = (f), .name = STR(n) }                                        \
    }
#define TIME(t)                                                                                              \
    {                                                                                                        \
        .tag = NYTP_TIME_LINE, .time = {.ticks = (t), .fid = 1, .line = 1 }                                  \
    }
#define RETURN(d, i, e, name)                                                                                \
    {                                                                                                        \
        .tag = NYTP_SUB_RETURN, .sub_return = {(d), (i), (e), STR(name) }                                    \
    }
#define ENTRY(l)                                                                                             \
    {                                                                                                        \
        .tag = NYTP_SUB_ENTRY, .sub_entry = {.fid = 1, .line = (l) }                                         \
    }
#define ATTRIBUTE(k, v)                                                                                      \
    {                                                                                                        \
        .tag = NYTP_ATTRIBUTE, .attribute = { STR(k), STR(v) }                                               \
    }
#define PART     ATTRIBUTE("parts", "1")
#define BEGIN(v) ATTRIBUTE("eval_begin", v)
#define ENDS(v)  ATTRIBUTE("eval_end", v)
#define PROCESS(t)                                                                                           \
    {                                                                                                        \
        .tag = NYTP_PID_START, .pid_start = { 7, 1, (t) }                                                    \
    }
#define FINISH                                                                                               \
    {                                                                                                        \
        .tag = NYTP_PID_END, .pid_end = { 7, 1 }                                                             \
    }

static const nytp_filter_options evals = {.evals = true}, no_wait = {.no_wait = true};

#define IS_LEFT(options, chunks, left) chunks_are_left(&(options), chunks, COUNT(chunks), left, COUNT(left))

/* Two evals of a sub, the first of which runs another one, and one outside of subs. */
static void evals_become_calls(void **state)
{
    const nytp_chunk chunks[] = {
        FID(1, "a.pl"),
        FID(2, "(eval 9)[a.pl:3]"),
        PROCESS(0),
        BEGIN("1 1 3"),
        RETURN(2, 5, 5, "m::g"),
        BEGIN("1 2 1"),
        RETURN(2, 4, 4, "m::g"),
        ENDS("1 6"),
        ENDS("1 20"),
        RETURN(2, 3, 3, "m::g"),
        BEGIN("1 1 4"),
        ENDS("1 2"),
        RETURN(1, 50, 38, "m::f"),
        BEGIN("0 1 9"),
        RETURN(1, 1, 1, "m::g"),
        ENDS("0 5"),
        RETURN(1, 7, 7, "m::f"),
        FINISH,
    };
    const nytp_chunk left[] = {
        FID(1, "a.pl"),
        FID(2, "(eval 9)[a.pl:3]"),
        PROCESS(0),
        RETURN(3, 5, 5, "m::g"),
        RETURN(4, 4, 4, "m::g"),
        RETURN(3, 6, 2, "string eval at (eval 0)[a.pl:3]:1"),
        RETURN(2, 20, 9, "string eval at a.pl:3"),
        RETURN(2, 3, 3, "m::g"),
        RETURN(2, 2, 2, "string eval at a.pl:4"),
        RETURN(1, 50, 25, "m::f"),
        RETURN(2, 1, 1, "m::g"),
        RETURN(1, 5, 4, "string eval at a.pl:9"),
        RETURN(1, 7, 7, "m::f"),
        FINISH,
    };
    (void)state;
    IS_LEFT(evals, chunks, left);
}

/* The sub returns, or the process ends, without the end of its evals; an end has no begin. */
static void ends_may_be_missing(void **state)
{
    const nytp_chunk chunks[] = {
        FID(1, "a.pl"),
        PROCESS(0),
        BEGIN("1 1 3"),
        RETURN(3, 2, 2, "m::h"),
        RETURN(2, 5, 3, "m::g"),
        RETURN(1, 50, 45, "m::f"),
        ENDS("1 20"),
        ENDS("4 1"),
        BEGIN("2 1 5"),
        BEGIN("0 1 6"),
        RETURN(1, 3, 3, "m::g"),
        FINISH,
    };
    const nytp_chunk left[] = {
        FID(1, "a.pl"),
        PROCESS(0),
        RETURN(4, 2, 2, "m::h"),
        RETURN(3, 5, 3, "m::g"),
        PART,
        RETURN(2, 5, 0, "string eval at a.pl:3"),
        RETURN(1, 50, 45, "m::f"),
        PART,
        RETURN(3, 0, 0, "string eval at a.pl:5"),
        RETURN(2, 3, 3, "m::g"),
        PART,
        RETURN(1, 3, 0, "string eval at a.pl:6"),
        FINISH,
    };
    (void)state;
    IS_LEFT(evals, chunks, left);
}

static void marks_that_make_no_sense_are_left_out(void **state)
{
    const nytp_chunk chunks[] = {
        PROCESS(0),
        BEGIN(""),
        BEGIN("x"),
        BEGIN("-1 1 1"),
        BEGIN("1e300 1 1"),
        BEGIN("0 1.5 1"),
        BEGIN("0 1 99999999999"),
        BEGIN("nan 1 1"),
        ENDS(""),
        ENDS("0 nan"),
        ENDS("0 -5"),
        ENDS("0 1 2 3 4"),
        ENDS("5000000000 1"),
        BEGIN("0 4 2"),
        ENDS("0 8"),
        FINISH,
    };
    const nytp_chunk left[] = {PROCESS(0), RETURN(1, 8, 8, "string eval at ?:2"), FINISH};
    (void)state;
    IS_LEFT(evals, chunks, left);
}

/* What follows goes by the depths that it sees. */
static void depths_of_other_attributes_are_those_of_the_stack(void **state)
{
    const nytp_chunk chunks[] = {
        FID(1, "a.pl"),
        PROCESS(0),
        {.tag = NYTP_OPTION, .attribute = {STR("calls"), STR("2")}},
        ENTRY(8),
        ATTRIBUTE("waited", "1 1 0"),
        BEGIN("1 1 3"),
        ATTRIBUTE("waited", "1 2 0"),
        ENTRY(3),
        ATTRIBUTE("trace_context", "1 a b"),
        ATTRIBUTE("trace_context", "2 c d"),
        ATTRIBUTE("waited", "2 3 0"),
        ATTRIBUTE("clock", "9 1 0 2"),
        ATTRIBUTE("clock", "9"),
        ATTRIBUTE("clock", "9 1 0 "),
        RETURN(2, 5, 5, "m::g"),
        ENDS("1 6"),
        ATTRIBUTE("trace_context", "2 c d"),
        RETURN(1, 9, 4, "m::f"),
        FINISH,
    };
    const nytp_chunk left[] = {
        FID(1, "a.pl"),
        PROCESS(0),
        {.tag = NYTP_OPTION, .attribute = {STR("calls"), STR("2")}},
        ENTRY(8),
        ATTRIBUTE("waited", "1 1 0"),
        ENTRY(3),
        ATTRIBUTE("waited", "2 2 0"), /* the eval's own */
        ENTRY(3),
        ATTRIBUTE("trace_context", "1 a b"),
        ATTRIBUTE("trace_context", "3 c d"),
        ATTRIBUTE("waited", "3 3 0"),
        ATTRIBUTE("clock", "9 1 0 3"),
        ATTRIBUTE("clock", "9"),
        ATTRIBUTE("clock", "9 1 0 "),
        RETURN(3, 5, 5, "m::g"),
        RETURN(2, 6, 1, "string eval at a.pl:3"),
        ATTRIBUTE("trace_context", "2 c d"),
        RETURN(1, 9, 3, "m::f"),
        FINISH,
    };
    (void)state;
    IS_LEFT(evals, chunks, left);
}

/* From 10 to 30 us: an eval that begins before, one that has nothing there, and one that ends after it. */
static void a_range_divides_evals(void **state)
{
    static const nytp_filter_options range = {
        .range = {{NYTP_SINCE_BEGIN, 10e-6}, {NYTP_SINCE_BEGIN, 30e-6}, "x"}};
    const nytp_chunk chunks[] = {
        FID(1, "a.pl"), PROCESS(0), BEGIN("0 1 2"), TIME(50),       ENDS("0 50"),
        BEGIN("0 1 3"), TIME(100),  ENDS("0 100"),  BEGIN("0 1 4"), RETURN(1, 100, 100, "m::g"),
        TIME(100),      TIME(150),  ENDS("0 250"),  FINISH,
    };
    const nytp_chunk left[] = {
        FID(1, "a.pl"),
        {.tag = NYTP_PID_START, .pid_start = {7, 1, 10e-6}},
        TIME(50),
        BEGIN("0 1 3"),
        ENDS("0 50"),
        BEGIN("0 1 4"),
        RETURN(1, 50, 50, "m::g"),
        TIME(100),
        {.tag = NYTP_DISCOUNT},
        TIME(50),
        ENDS("0 150 1"),
        {.tag = NYTP_PID_END, .pid_end = {7, 30e-6}},
    };
    (void)state;
    IS_LEFT(range, chunks, left);
}

static void evals_do_not_wait(void **state)
{
    const nytp_chunk chunks[] = {
        FID(1, "a.pl"),
        PROCESS(0),
        RETURN(1, 9, 9, "m::CORE:sleep"),
        BEGIN("0 1 2"),
        BEGIN("0 1 3"),
        RETURN(1, 30, 30, "m::CORE:sleep"),
        ENDS("0 40"),
        RETURN(1, 20, 20, "m::g"),
        ENDS("0 100"),
        FINISH,
    };
    const nytp_chunk left[] = {
        FID(1, "a.pl"),
        PROCESS(0),
        RETURN(1, 0, 0, "m::CORE:sleep"),
        BEGIN("0 1 2"),
        BEGIN("0 1 3"),
        RETURN(1, 0, 0, "m::CORE:sleep"),
        ENDS("0 10"),
        RETURN(1, 20, 20, "m::g"),
        ENDS("0 70"),
        FINISH,
    };
    (void)state;
    IS_LEFT(no_wait, chunks, left);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evals_become_calls),
        cmocka_unit_test(ends_may_be_missing),
        cmocka_unit_test(marks_that_make_no_sense_are_left_out),
        cmocka_unit_test(depths_of_other_attributes_are_those_of_the_stack),
        cmocka_unit_test(a_range_divides_evals),
        cmocka_unit_test(evals_do_not_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
