/* Requests, as the attribute `request` joins their parts. */
#include "test/unit/support.h"

#include "events/events.h"
#include "events/requests.h"

#include <string.h>

static void parts_are_one_request(void **state)
{
    (void)state;
    nytp_request ended;
    nytp_requests r = nytp_requests_new();
    nytp_requests_add(&r, 9, 1, 50, 10, true);
    nytp_requests_add(&r, 2, 4, 70, 3, false); /* its begin is in another file */
    nytp_requests_add(&r, 9, 5, 90, 20, false);
    nytp_requests_add(&r, 9, 6, 95, -4, false);
    assert_int_equal(r.open->len, 2);
    assert_int_equal(g_array_index(r.open, nytp_request, 0).id, 2);
    assert_true(g_array_index(r.open, nytp_request, 0).begin_ticks == 0);
    assert_true(g_array_index(r.open, nytp_request, 1).begin_ticks == 50);
    assert_false(
        nytp_requests_end(&r, &(nytp_mark){.kind = NYTP_MARK_REQUEST, .count = 3, .request.id = 3}, &ended));
    const nytp_mark end = {.kind = NYTP_MARK_REQUEST, .count = 3, .request = {9, 49, 200}};
    assert_true(nytp_requests_end(&r, &end, &ended));
    assert_int_equal(ended.sub, 6);
    assert_int_equal(ended.parts, 3);
    assert_true(ended.ticks == 30);
    assert_true(ended.begin_ticks == 49);
    assert_true(ended.end_ticks == 200);
    assert_true(ended.has_ended);
    assert_false(nytp_requests_end(&r, &end, &ended));
    nytp_requests_clear(&r);
}

static void count_request(void *sink, const nytp_request *request)
{
    *(double *)sink += request->ticks;
}

static void count_call(void *sink, const nytp_call_event *call)
{
    *(double *)sink += call->incl_ticks;
}

static void any_number_of_sinks_takes_them(void **state)
{
    enum { SINKS = 40 };
    static const nytp_sink type = {.on_call = count_call, .on_request = count_request};
    const nytp_chunk chunks[] = {
        {.tag = NYTP_ATTRIBUTE, .attribute = {STR("request"), STR("1")}},
        {.tag = NYTP_SUB_RETURN, .sub_return = {1, 5, 5, STR("main::f")}},
        {.tag = NYTP_ATTRIBUTE, .attribute = {STR("request"), STR("1 0 9")}},
    };
    double ticks[SINKS] = {0};
    nytp_names *names = nytp_names_new();
    nytp_events *events = nytp_events_new(names);
    (void)state;
    for (size_t i = 0; i < SINKS; i++)
        nytp_events_add_sink(events, &type, &ticks[i]);
    for (size_t i = 0; i < COUNT(chunks); i++)
        nytp_events_add(events, &chunks[i]);
    for (size_t i = 0; i < SINKS; i++)
        assert_true(ticks[i] == 10);
    nytp_events_free(events);
    nytp_names_free(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_one_request),
        cmocka_unit_test(any_number_of_sinks_takes_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
