/* Which name of OLD is which of NEW. */
#include "compare/match.h"
#include "test/unit/support.h"

#include <string.h>

enum { MOST = 8 };

/* Writes the rows as "old>new", "-" for a name that a side does not have, and sums as "=group", in order. */
static void assert_matches(const char *const *old, const char *const *new, bool subs, const char *expected)
{
    nytp_names *names = nytp_names_new();
    uint8_t sides[2 * MOST] = {0};
    const char *const *const lists[] = {[NYTP_OLD] = old, [NYTP_NEW] = new};
    for (int side = 0; side < NYTP_SIDES; side++)
        for (const char *const *name = lists[side]; *name != NULL; name++)
            sides[nytp_names_intern(names, &(nytp_str){*name, strlen(*name), false}, NULL)] |=
                (uint8_t)(1 << side);
    GArray *rows = nytp_match_names(names, sides, subs);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < rows->len; i++) {
        const nytp_match *row = &g_array_index(rows, nytp_match, i);
        g_string_append(text, i > 0 ? " " : "");
        if (row->sum_name != NULL)
            g_string_append_printf(text, "=%s", row->sum_name);
        for (int side = 0; side < NYTP_SIDES && row->sum_name == NULL; side++) {
            const nytp_str none = STR("-");
            const nytp_str name =
                row->key[side] != NYTP_NO_KEY ? nytp_names_get(names, row->key[side]) : none;
            g_string_append_printf(text, "%s%.*s", side == NYTP_NEW ? ">" : "", (int)name.length, name.bytes);
        }
    }
    assert_string_equal(text->str, expected);
    g_string_free(text, TRUE);
    g_array_unref(rows);
    nytp_names_free(names);
}

#define LIST(...) ((const char *const[]){__VA_ARGS__})

static void equal_names_are_the_same(void **state)
{
    (void)state;
    assert_matches(LIST("A::f", "A::g", NULL), LIST("A::g", "A::h", NULL), true, "A::f>- A::g>A::g ->A::h");
    assert_matches(LIST("A::f1", NULL), LIST("A::f2", NULL), true, "A::f1>- ->A::f2");
}

static void moved_lines_are_matched_in_order(void **state)
{
    (void)state;
    assert_matches(LIST("m::__ANON__[a.pl:9]", "m::__ANON__[a.pl:10]", NULL),
                   LIST("m::__ANON__[a.pl:12]", "m::__ANON__[a.pl:11]", NULL), true,
                   "m::__ANON__[a.pl:9]>m::__ANON__[a.pl:11] m::__ANON__[a.pl:10]>m::__ANON__[a.pl:12]");
    assert_matches(LIST("m::BEGIN@3", NULL), LIST("m::BEGIN@4", NULL), true, "m::BEGIN@3>m::BEGIN@4");
    assert_matches(LIST("m::__ANON__[(eval 0)[a.pl:5]:1]", NULL),
                   LIST("m::__ANON__[(eval 0)[a.pl:7]:2]", NULL), true,
                   "m::__ANON__[(eval 0)[a.pl:5]:1]>m::__ANON__[(eval 0)[a.pl:7]:2]");
}

/* Where all moved by the distance of two, one name is on both sides, and means two subs. */
static void a_name_by_chance_does_not_decide(void **state)
{
    (void)state;
    assert_matches(LIST("m::__ANON__[a:1]", "m::__ANON__[a:4]", "m::__ANON__[a:9]", NULL),
                   LIST("m::__ANON__[a:4]", "m::__ANON__[a:7]", "m::__ANON__[a:12]", NULL), true,
                   "m::__ANON__[a:1]>m::__ANON__[a:4] m::__ANON__[a:4]>m::__ANON__[a:7] "
                   "m::__ANON__[a:9]>m::__ANON__[a:12]");
}

static void equal_lines_are_the_same_if_most_stayed(void **state)
{
    (void)state;
    assert_matches(LIST("m::__ANON__[a:1]", "m::__ANON__[a:5]", "m::__ANON__[a:9]", NULL),
                   LIST("m::__ANON__[a:5]", "m::__ANON__[a:9]", "m::__ANON__[a:20]", NULL), true,
                   "m::__ANON__[a:5]>m::__ANON__[a:5] m::__ANON__[a:9]>m::__ANON__[a:9] "
                   "m::__ANON__[a:1]>m::__ANON__[a:20]");
}

static void what_cannot_be_matched_has_a_sum(void **state)
{
    (void)state;
    assert_matches(LIST("m::__ANON__[a:1]", "m::__ANON__[a:5]", NULL),
                   LIST("m::__ANON__[a:2]", "m::__ANON__[a:5]", "m::__ANON__[a:7]", NULL), true,
                   "m::__ANON__[a:5]>m::__ANON__[a:5] =m::__ANON__[a:#] m::__ANON__[a:1]>- "
                   "->m::__ANON__[a:2] ->m::__ANON__[a:7]");
    assert_matches(LIST(NULL), LIST("m::__ANON__[a:1]", NULL), true, "->m::__ANON__[a:1]");
}

static void checkouts_do_not_matter(void **state)
{
    (void)state;
    assert_matches(LIST("/home/a/x.pl", "lib/A.pm", NULL), LIST("/srv/b/x.pl", "lib/A.pm", NULL), false,
                   "lib/A.pm>lib/A.pm /home/a/x.pl>/srv/b/x.pl");
    assert_matches(LIST("A/x.pl", NULL), LIST("B/x.pl", NULL), false, "A/x.pl>- ->B/x.pl");
    assert_matches(LIST("m::__ANON__[/home/a/x.pl:3]", NULL), LIST("m::__ANON__[/srv/b/x.pl:3]", NULL), true,
                   "m::__ANON__[/home/a/x.pl:3]>m::__ANON__[/srv/b/x.pl:3]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_names_are_the_same),
        cmocka_unit_test(moved_lines_are_matched_in_order),
        cmocka_unit_test(a_name_by_chance_does_not_decide),
        cmocka_unit_test(equal_lines_are_the_same_if_most_stayed),
        cmocka_unit_test(what_cannot_be_matched_has_a_sum),
        cmocka_unit_test(checkouts_do_not_matter),
    };
    return cmocka_run_group_tests_name("match", tests, NULL, NULL);
}
