/* Lines of an old text in a new one: by example, and what holds for all texts. */
#include "compare/match.h"
#include "test/unit/support.h"

#include <glib.h>
#include <string.h>

/* Each letter is a line. expected has, by old line, the new line as a digit, or "-". */
static void assert_aligned(const char *old, const char *new, const char *expected)
{
    uint64_t hashes[2][64];
    const char *const texts[] = {old, new};
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < strlen(texts[side]); i++)
            hashes[side][i] = (unsigned char)texts[side][i];
    uint32_t *new_of = nytp_align(hashes[0], (uint32_t)strlen(old), hashes[1], (uint32_t)strlen(new));
    char found[65] = "";
    for (size_t i = 0; i < strlen(old); i++)
        found[i] = (char)(new_of[i] == NYTP_NO_LINE ? '-' : '0' + new_of[i]);
    assert_string_equal(found, expected);
    g_free(new_of);
}

static void examples(void **state)
{
    (void)state;
    assert_aligned("", "", "");
    assert_aligned("abc", "", "---");
    assert_aligned("", "abc", "");
    assert_aligned("abc", "abc", "012");
    assert_aligned("abc", "xabc", "123");
    assert_aligned("abc", "axbxc", "024");
    assert_aligned("axbxc", "abc", "0-1-2");
    assert_aligned("abc", "aXc", "012");  /* edited */
    assert_aligned("abc", "aXYc", "0-3"); /* which of the two it was is not known */
    assert_aligned("a}b}c}", "a}X}b}c}", "014567");
    assert_aligned("abcd", "cdab", "--01"); /* moved: only one of two blocks keeps its order */
    assert_aligned("}}}}", "}}", "01--");
}

/* What is aligned ascends and, unless as many lines replaced them, is equal; and a text equals itself. */
static void properties(void **state)
{
    enum { ROUNDS = 2000, MOST = 200 };
    GRand *random = g_rand_new_with_seed(1);
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t old[MOST], new[2 * MOST];
        const uint32_t count = (uint32_t)g_rand_int_range(random, 0, MOST);
        const gint32 kinds = g_rand_int_range(random, 1, 2 * MOST);
        uint32_t kept = 0, new_count = 0;
        for (uint32_t i = 0; i < count; i++) {
            old[i] = (uint64_t)g_rand_int_range(random, 0, kinds);
            if (g_rand_int_range(random, 0, 10) == 0)
                new[new_count++] = 1000000 + i;
            if (g_rand_int_range(random, 0, 10) > 0)
                new[new_count++] = old[i], kept++;
        }
        uint32_t *new_of = nytp_align(old, count, new, new_count);
        uint32_t least = 0, equal = 0;
        for (uint32_t i = 0; i < count; i++)
            if (new_of[i] != NYTP_NO_LINE) {
                assert_in_range(new_of[i], least, new_count - 1);
                least = new_of[i] + 1;
                equal += old[i] == new[new_of[i]];
            }
        if (kinds > MOST)
            assert_true(equal * 2 >= kept); /* most lines occur once, and are found */
        g_free(new_of);
        new_of = nytp_align(old, count, old, count);
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(new_of[i], i);
        g_free(new_of);
    }
    g_rand_free(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples),
        cmocka_unit_test(properties),
    };
    return cmocka_run_group_tests_name("align", tests, NULL, NULL);
}
