/* Dividing a total into whole numbers. */
#include "model/split.h"
#include "test/unit/support.h"

static void shares_add_up_by_largest_remainder(void **state)
{
    static const struct {
        uint64_t total, weights[4], shares[4];
    } cases[] = {
        {10, {1, 1, 1, 1}, {3, 3, 2, 2}}, /* the first of equal ones */
        {10, {3, 0, 3, 1}, {4, 0, 4, 2}},
        {7, {0, 0, 5, 0}, {0, 0, 7, 0}},
        {0, {1, 2, 3, 4}, {0, 0, 0, 0}},
        {2, {1, 1, 4, 0}, {1, 0, 1, 0}},
        {UINT64_MAX, {UINT64_MAX, 0, 0, 0}, {UINT64_MAX, 0, 0, 0}},
        {UINT64_MAX, {UINT64_MAX, UINT64_MAX, 0, 0}, {UINT64_MAX / 2 + 1, UINT64_MAX / 2, 0, 0}},
    };
    uint64_t shares[4];
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_true(nytp_split_by_weight(cases[i].total, cases[i].weights, shares, 4));
        assert_memory_equal(shares, cases[i].shares, sizeof shares);
    }
    assert_false(nytp_split_by_weight(5, (const uint64_t[]){0, 0, 0, 0}, shares, 4));
    assert_false(nytp_split_by_weight(5, NULL, NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_add_up_by_largest_remainder),
    };
    return cmocka_run_group_tests_name("split", tests, NULL, NULL);
}
