/* Requests, as the attribute `request` joins their parts. */
#include "test/unit/support.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_one_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
