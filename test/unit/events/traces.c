/* The ids of spans, as the attribute `trace_context` has them. */
#include "test/unit/support.h"

#include "events/traces.h"

#include <string.h>

#define TRACE "0123456789abcdef0123456789abcdef"
#define SPAN  "fedcba9876543210"

static void note(nytp_traces *traces, const char *value)
{
    const nytp_chunk chunk = {.tag = NYTP_ATTRIBUTE,
                              .attribute = {STR("trace_context"), {value, strlen(value), false}}};
    nytp_mark mark;
    if (nytp_mark_read(&chunk, &mark))
        nytp_traces_note(traces, &mark);
}

/* A return at that depth; 0 is one of a damaged profile. */
static const nytp_trace *leave(nytp_traces *traces, const char *name, uint32_t depth, bool is_part)
{
    const nytp_return returned = {.name = {name, strlen(name), false}, .depth = depth, .is_part = is_part};
    return depth <= traces->deepest ? nytp_traces_leave(traces, &returned) : NULL;
}

static void spans_have_the_ids_of_their_depth(void **state)
{
    (void)state;
    nytp_traces t = nytp_traces_new();
    assert_null(leave(&t, "NYTProf::span x", 0, false));
    note(&t, "2 " TRACE " " SPAN);
    assert_int_equal(t.deepest, 2);
    note(&t, "5 " TRACE " aaaaaaaaaaaaaaaa");
    assert_null(leave(&t, "main::f", 6, false));
    assert_string_equal(leave(&t, "NYTProf::span x", 5, true)->span, "aaaaaaaaaaaaaaaa");
    assert_string_equal(leave(&t, "NYTProf::span x", 5, false)->span, "aaaaaaaaaaaaaaaa");
    assert_null(leave(&t, "NYTProf::span x", 5, false));
    assert_string_equal(leave(&t, "NYTProf::span y", 2, false)->trace, TRACE);
    assert_int_equal(t.deepest, 0);
    nytp_traces_clear(&t);
}

static void ids_are_forgotten(void **state)
{
    (void)state;
    nytp_traces t = nytp_traces_new();
    note(&t, "2 " TRACE " " SPAN);
    note(&t, "2"); /* another span, without ids */
    assert_null(leave(&t, "NYTProf::span x", 2, false));
    note(&t, "2 " TRACE " " SPAN);
    nytp_traces_switch(&t, 1);
    nytp_traces_switch(&t, 2); /* whose calls at the same depth are others */
    assert_null(leave(&t, "NYTProf::span x", 2, false));
    nytp_traces_switch(&t, 1);
    assert_non_null(leave(&t, "NYTProf::span x", 2, false));
    note(&t, "2 " TRACE " " SPAN);
    assert_null(leave(&t, "main::f", 1, false)); /* its caller returns: a damaged profile */
    assert_null(leave(&t, "NYTProf::span x", 2, false));
    note(&t, "2 " TRACE " " SPAN);
    assert_null(leave(&t, "main::f", 2, false)); /* not a span */
    nytp_traces_clear(&t);
}

static void other_values_are_no_ids(void **state)
{
    static const char *const values[] = {
        "",
        "0 " TRACE " " SPAN,
        "x " TRACE " " SPAN,
        "-1 " TRACE " " SPAN,
        "99999999999999999999 " TRACE " " SPAN,
        "1  " TRACE " " SPAN,
        "1 " TRACE,
        "1 " TRACE " fedcba987654321",
        "1 " TRACE " " SPAN "0",
        "1 " TRACE "0 " SPAN,
        "1 g123456789abcdef0123456789abcdef " SPAN,
    };
    (void)state;
    nytp_traces t = nytp_traces_new();
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        note(&t, values[i]);
        assert_int_equal(t.deepest, 0);
    }
    nytp_traces_clear(&t);
}

static void names_have_ids(void **state)
{
    (void)state;
    nytp_traces t = nytp_traces_new();
    nytp_names *names = nytp_names_new();
    nytp_str name = {"NYTProf::span x", 15, false}, trace, span;
    const uint32_t plain = nytp_names_intern(names, &name, NULL);
    assert_false(nytp_trace_of_name(&name, &trace, &span));
    note(&t, "1 " TRACE " " SPAN);
    leave(&t, "NYTProf::span x", 1, false);
    assert_int_equal(nytp_traces_sub(&t, names, plain), plain);
    t.names_subs = true;
    const uint32_t named = nytp_traces_sub(&t, names, plain);
    assert_int_not_equal(named, plain);
    name = nytp_names_get(names, named);
    assert_true(nytp_trace_of_name(&name, &trace, &span));
    assert_int_equal(name.length, 15);
    assert_memory_equal(trace.bytes, TRACE, trace.length);
    assert_memory_equal(span.bytes, SPAN, span.length);
    t.named = 20000;
    assert_int_equal(nytp_traces_sub(&t, names, plain), plain);
    nytp_names_free(names);
    nytp_traces_clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_have_the_ids_of_their_depth),
        cmocka_unit_test(ids_are_forgotten),
        cmocka_unit_test(other_values_are_no_ids),
        cmocka_unit_test(names_have_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
