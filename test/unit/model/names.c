/* Names as numbers: each its own, in order of first sight, however many and whatever their bytes. */
#include "model/names.h"
#include "model/package.h"
#include "nytprof-model.h"
#include "test/unit/support.h"

#include <glib.h>
#include <string.h>

static void assert_is(nytp_str got, nytp_str expected)
{
    assert_int_equal(got.length, expected.length);
    if (expected.length > 0)
        assert_memory_equal(got.bytes, expected.bytes, expected.length);
}

static void numbers_are_dense_and_stay(void **state)
{
    const nytp_str all[] = {STR("main::f"), STR("main::g"), STR(""), STR("a\0b"), STR("a\0c"), STR("a")};
    nytp_names *names = nytp_names_new();
    bool added;
    (void)state;
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < COUNT(all); i++) {
            assert_int_equal(nytp_names_intern(names, &all[i], &added), i);
            assert_int_equal(added, round == 0);
            assert_is(nytp_names_get(names, i), all[i]);
        }
        assert_int_equal(nytp_names_count(names), COUNT(all));
    }
    nytp_names_free(names);
    nytp_names_free(NULL);
}

/* Strings of no bytes may come without an address. */
static void no_name_is_a_name(void **state)
{
    nytp_names *names = nytp_names_new();
    const nytp_str empty = {NULL, 0, false}, another = STR("");
    (void)state;
    assert_int_equal(nytp_names_intern(names, &empty, NULL), 0);
    assert_int_equal(nytp_names_intern(names, &another, NULL), 0);
    assert_int_equal(nytp_names_get(names, 0).length, 0);
    uint32_t *ranks = nytp_names_ranks(names);
    assert_int_equal(ranks[0], 0);
    g_free(ranks);
    nytp_names_free(names);
}

/* Every length has its own way through the hash; every byte must count in each. */
static void names_that_differ_in_one_byte_differ(void **state)
{
    enum { LONGEST = NYTP_RECENT_LONGEST + 6 };
    nytp_names *names = nytp_names_new();
    uint32_t count = 0;
    bool added;
    (void)state;
    for (int round = 0; round < 2; round++) {
        for (size_t length = 1; length <= LONGEST; length++) {
            for (size_t at = 0; at <= length; at++) { /* at length: no byte differs */
                char *exact = g_malloc(length);       /* so that a sanitizer notices reads past the end */
                memset(exact, 'x', length);
                if (at < length)
                    exact[at] = 'y';
                nytp_names_intern(names, &(nytp_str){exact, length, false}, &added);
                count += added;
                g_free(exact);
            }
        }
    }
    assert_int_equal(count, LONGEST * (LONGEST + 1) / 2 + LONGEST);
    assert_int_equal(nytp_names_count(names), count);
    nytp_names_free(names);
}

/* Names such as main::f and main::g have recent names of their own, wherever their bytes differ. */
static void recent_names_are_in_many_slots(void **state)
{
    static nytp_recent_name slots[NYTP_RECENT_NAMES];
    char name[NYTP_RECENT_LONGEST];
    (void)state;
    memset(name, 'a', sizeof name);
    for (size_t length = NYTP_RECENT_SHORTEST; length <= NYTP_RECENT_LONGEST - 1; length++) {
        unsigned used = 0;
        memset(slots, 0, sizeof slots);
        for (int letter = 'a'; letter <= 'z'; letter++) {
            nytp_str text = {name, length, false};
            name[length - 1] = (char)letter;
            nytp_recent_name *slot = nytp_recent_name_slot(slots, &text);
            used += slot->length == 0;
            nytp_recent_name_set(slot, &text, 0);
        }
        name[length - 1] = 'a';
        assert_in_range(used, 18, 26); /* by chance, 25 of them */
    }
}

static nytp_str numbered(char text[32], uint32_t i)
{
    int length = g_snprintf(text, 32, "Some::Package%u::sub_%u", i % 97, i);
    return (nytp_str){text, (size_t)length, i % 2 > 0};
}

static void a_hundred_thousand_names_are_found_again(void **state)
{
    enum { MANY = 100000 };
    nytp_names *names = nytp_names_new();
    char text[32];
    (void)state;
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < MANY; i++) {
            nytp_str name = numbered(text, i);
            assert_int_equal(nytp_names_intern(names, &name, NULL), i);
        }
    }
    for (uint32_t i = 0; i < MANY; i++) {
        nytp_str name = numbered(text, i), got = nytp_names_get(names, i);
        assert_is(got, name);
        assert_int_equal(got.utf8, name.utf8);
    }
    nytp_names_free(names);
}

static void the_first_sight_tells_utf8(void **state)
{
    nytp_names *names = nytp_names_new();
    const nytp_str bytes = STR("\xc3\xa4"), utf8 = UTF8("\xc3\xa4");
    (void)state;
    assert_int_equal(nytp_names_intern(names, &utf8, NULL), 0);
    assert_int_equal(nytp_names_intern(names, &bytes, NULL), 0);
    assert_true(nytp_names_get(names, 0).utf8);
    nytp_names_free(names);
}

static void ranks_go_by_bytes_and_shorter_first(void **state)
{
    const nytp_str sorted[] = {STR(""),   STR("\0"), STR("A"),  STR("a"),        STR("a\0"),
                               STR("a:"), STR("aa"), STR("ab"), STR("\x7f\x7f"), STR("\xff")};
    nytp_names *names = nytp_names_new();
    (void)state;
    for (size_t i = 0; i < COUNT(sorted); i++)
        nytp_names_intern(names, &sorted[i * 7 % COUNT(sorted)], NULL);
    assert_int_equal(nytp_names_count(names), COUNT(sorted));
    uint32_t *ranks = nytp_names_ranks(names);
    for (uint32_t i = 0; i < COUNT(sorted); i++)
        assert_int_equal(ranks[nytp_names_intern(names, &sorted[i], NULL)], i);
    g_free(ranks);
    nytp_names_free(names);
}

static void names_are_shown_as_utf8_on_one_line(void **state)
{
    const struct {
        nytp_str raw;
        const char *shown;
    } cases[] = {
        {STR(""), ""},
        {STR("main::f"), "main::f"},
        {STR("a\nb\rc\td\0e\x1b\x7f"), "a\\nb\\rc\\td\\0e\\x1b\\x7f"},
        {STR(" a b "), "\\x20a b"},
        {STR("try {...}  "), "try {...}"},
        {STR("  "), "\\x20\\x20"},
        {UTF8("a\xe2\x80\x8b\xc2\xad\xef\xbb\xbf\xf3\xa0\x80\xa1z"), "a\\x{200b}\\xad\\x{feff}\\x{e0021}z"},
        {STR("gr\xf6\xdf"), "gr\xc3\xb6\xc3\x9f"},
        {UTF8("\xe2\x82\xac"), "\xe2\x82\xac"},
        {STR("\xe2\x82\xac"), "\xe2\x82\xac"},
        {STR("\xe2\x82"), "\xc3\xa2\\x82"},
        {STR("\xc2\x9b\x9b"), "\xc3\x82\\x9b\\x9b"},
        {UTF8("\xc2\x9b[1m\xe2\x80\xae\xd8\x9c"), "\\x9b[1m\\x{202e}\\x{61c}"},
        {STR("\0\xe2\x82\xac\0"), "\\0\xe2\x82\xac\\0"},
        {STR("\0\xff"), "\\0\xc3\xbf"},
        {STR("(1) x"), "(1) x"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *exact = g_memdup2(cases[i].raw.bytes, cases[i].raw.length), /* for the sanitizer */
            *got = nytp_name_clean((nytp_str){exact, cases[i].raw.length, cases[i].raw.utf8});
        assert_string_equal(got, cases[i].shown);
        g_free(got);
        g_free(exact);
    }
}

static void packages_end_at_the_last_colons(void **state)
{
    const struct {
        const char *name;
        size_t length;
    } cases[] = {
        {"main::f", 4},
        {"A::B::c", 4},
        {"f", 0},
        {"", 0},
        {"::f", 0},
        {"A::", 1},
        {"A::__ANON__[B::c.pl:1]", 1},
        {"[A::b]", 0},
        {"::", 0},
        {":", 0},
        {"A:b", 0},
        {"A::B::", 4},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(nytp_package_length_of(cases[i].name), cases[i].length);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packages_end_at_the_last_colons),
        cmocka_unit_test(numbers_are_dense_and_stay),
        cmocka_unit_test(no_name_is_a_name),
        cmocka_unit_test(names_that_differ_in_one_byte_differ),
        cmocka_unit_test(recent_names_are_in_many_slots),
        cmocka_unit_test(a_hundred_thousand_names_are_found_again),
        cmocka_unit_test(the_first_sight_tells_utf8),
        cmocka_unit_test(ranks_go_by_bytes_and_shorter_first),
        cmocka_unit_test(names_are_shown_as_utf8_on_one_line),
    };
    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
