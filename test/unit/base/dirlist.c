/* Lists of directories in attributes. */
#include "base/dirlist.h"
#include "test/unit/support.h"

static void any_name_comes_back(void **state)
{
    static const char *const names[] = {"/usr/share/perl/5.36", "/a:b", ":", "\\", "/a\\", "\\n", "\n",
                                        "/a\n\n:\\:",           "n"};
    char text[256], *end = text, name[256];
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        if (i > 0)
            *end++ = ':';
        end = nytp_dirlist_put(end, names[i], strlen(names[i]));
    }
    assert_null(memchr(text, '\n', (size_t)(end - text)));
    nytp_str list = {text, (size_t)(end - text), false}, part = {"", 0, false};
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_true(nytp_dirlist_next(&list, &part));
        *nytp_dirlist_get(name, part) = '\0';
        assert_string_equal(name, names[i]);
    }
    assert_false(nytp_dirlist_next(&list, &part));
}

static void odd_lists_end(void **state)
{
    const struct {
        nytp_str list;
        const char *first;
        int count;
    } cases[] = {
        {STR(""), "", 0},       {STR(":"), "", 0},     {STR("::a::b::"), "a", 2}, {STR("\\"), "\\", 1},
        {STR("a\\"), "a\\", 1}, {STR("a:\\"), "a", 2}, {STR("\\x:b"), "x", 2},    {{NULL, 0, false}, "", 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        nytp_str list = cases[i].list, part;
        char first[8] = "";
        int count = 0;
        for (; nytp_dirlist_next(&list, &part); count++)
            if (count == 0)
                *nytp_dirlist_get(first, part) = '\0';
        assert_int_equal(count, cases[i].count);
        assert_string_equal(first, cases[i].first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_name_comes_back),
                                       cmocka_unit_test(odd_lists_end)};
    return cmocka_run_group_tests_name("dirlist", tests, NULL, NULL);
}
