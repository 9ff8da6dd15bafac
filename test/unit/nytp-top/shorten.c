/* Texts that are too long for a terminal. */
#include "nytp-top/view.h"

#include "test/unit/support.h"

#include <glib.h>

#define CJK "\xe6\x97\xa5" /* takes two columns */

static void check(char *(*shorten)(const char *text, size_t columns), const char *text, size_t columns,
                  const char *expected)
{
    g_autofree char *got = shorten(text, columns);
    assert_string_equal(got, expected);
}

static void the_end_of_a_name_stays(void **state)
{
    (void)state;
    check(top_shorten, "lib/A.pm:12", 11, "lib/A.pm:12");
    check(top_shorten, "lib/A.pm:12", 10, "...A.pm:12");
    check(top_shorten, "lib/A.pm:12", 4, "...2");
    check(top_shorten, "lib/A.pm:12", 3, "...");
    check(top_shorten, "lib/A.pm:12", 1, ".");
    check(top_shorten, "lib/A.pm:12", 0, "");
}

static void columns_are_counted(void **state)
{
    (void)state;
    check(top_shorten, CJK CJK CJK, 6, CJK CJK CJK);
    check(top_shorten, CJK CJK CJK, 5, "..." CJK);
    check(top_shorten, CJK CJK CJK, 4, "...");
}

static void a_call_and_its_place_share_a_line(void **state)
{
    (void)state;
    check(top_shorten_call, "A::b  lib/A.pm:12", 17, "A::b  lib/A.pm:12");
    check(top_shorten_call, "A::b  lib/A.pm:12", 16, "A::b  ...A.pm:12");
    check(top_shorten_call, "A::B::C::long_name  A.pm:1", 18, "...ng_name  A.pm:1");
    check(top_shorten_call, "A::B::C::long_name  /usr/lib/A.pm:1", 22, "...ng_name  .../A.pm:1");
    check(top_shorten_call, "A::b  lib/A.pm:12", 2, "  ");
    check(top_shorten_call, "A::b  lib/A.pm:12", 1, ".");
    check(top_shorten_call, "-e (process 12)", 8, "...s 12)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_of_a_name_stays),
        cmocka_unit_test(columns_are_counted),
        cmocka_unit_test(a_call_and_its_place_share_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
