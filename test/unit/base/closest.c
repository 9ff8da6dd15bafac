/* The name that is closest to one that is wrong. */
#include "base/closest.h"

#include "test/unit/support.h"

#include <string.h>

static void assert_hint(const char *wrong, const char *hint)
{
    static const char *const names[] = {"report", "tree", "top", "main::store", "Shop::Cart::total",
                                        "p50",    "p95"};
    nytp_closest closest = {.wrong = wrong};
    for (size_t i = 0; i < COUNT(names); i++)
        nytp_closest_try(&closest, names[i], strlen(names[i]));
    assert_string_equal(nytp_closest_hint(&closest), hint);
}

static void two_letters_may_differ(void **state)
{
    (void)state;
    assert_hint("tre", ": tree?");
    assert_hint("repotr", ": report?");
    assert_hint("tops", ": top?");
    assert_hint("p59", ": p50?");
    assert_hint("reprot-it", "");
    assert_hint("x", "");
    assert_hint("", "");
}

static void the_part_after_the_last_colons_is_enough(void **state)
{
    (void)state;
    assert_hint("store", ": main::store?");
    assert_hint("total", ": Shop::Cart::total?");
    assert_hint("stors", ": main::store?");
    assert_hint("sotre", ": main::store?");
    assert_hint("Cart::totel", ": Shop::Cart::total?");
    assert_hint("Cart", "");
}

static void long_names_are_not_close(void **state)
{
    char wrong[2 * NYTP_CLOSEST_MAX];
    (void)state;
    memset(wrong, 'x', sizeof wrong);
    wrong[sizeof wrong - 1] = '\0';
    nytp_closest closest = {.wrong = wrong};
    nytp_closest_try(&closest, wrong, strlen(wrong));
    assert_string_equal(nytp_closest_hint(&closest), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_letters_may_differ),
        cmocka_unit_test(the_part_after_the_last_colons_is_enough),
        cmocka_unit_test(long_names_are_not_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
