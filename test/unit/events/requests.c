/* Requests, as the attribute `request` joins their parts. */
#include "test/unit/support.h"

#include "events/requests.h"

#include <string.h>

static nytp_request_mark mark_of(const char *value)
{
    const nytp_chunk chunk = {.tag = NYTP_ATTRIBUTE,
                              .attribute = {{"request", 7, false}, {value, strlen(value), false}}};
    nytp_request_mark mark;
    assert_true(nytp_request_mark_read(&chunk, &mark));
    return mark;
}

static void marks_are_read(void **state)
{
    (void)state;
    nytp_request_mark mark = mark_of("12");
    assert_int_equal(mark.id, 12);
    assert_false(mark.is_end);
    mark = mark_of("12 100 350");
    assert_int_equal(mark.id, 12);
    assert_true(mark.is_end);
    assert_true(mark.begin_ticks == 100);
    assert_true(mark.end_ticks == 350);
    assert_true(mark_of("1 9 3").end_ticks == 9); /* time does not go back */
    static const char *const none[] = {"", "x", "-1", "1 -2 3", "1 2 3 4", "nan", "1e300", " "};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(mark_of(none[i]).id, 0);
    const nytp_chunk other = {.tag = NYTP_ATTRIBUTE, .attribute = {{"requests", 8, false}, {"1", 1, false}}};
    assert_false(nytp_request_mark_read(&other, &mark));
}

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
    assert_false(nytp_requests_end(&r, &(nytp_request_mark){.id = 3, .is_end = true}, &ended));
    const nytp_request_mark end = {.id = 9, .is_end = true, .begin_ticks = 49, .end_ticks = 200};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_are_read),
        cmocka_unit_test(parts_are_one_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
