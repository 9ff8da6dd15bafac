/* A table of slots finds the number of each entry, whatever the hashes are, and finds nothing else. */
#include "base/slots.h"
#include "base/stringtable.h"
#include "test/unit/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 3000, FIRST_SLOTS = 8 };

/* Entries are numbers. Their hashes have only the bits of mask: with 0, all are the same. */
typedef struct table {
    nytp_slots slots;
    uint32_t count;
    uint64_t mask;
    uint64_t keys[KEYS];
} table;

typedef struct wanted {
    const table *table;
    uint64_t key;
} wanted;

static uint64_t hash_of(const table *t, uint64_t key)
{
    return key * UINT64_C(0x9E3779B97F4A7C15) & t->mask;
}

static bool is_same(const void *key, uint32_t number)
{
    const wanted *w = key;
    assert_in_range(number, 0, w->table->count);
    return w->table->keys[number] == w->key;
}

static uint64_t hash_at(const void *entries, uint32_t number)
{
    const table *t = entries;
    return hash_of(t, t->keys[number]);
}

static uint32_t *find(const table *t, uint64_t key)
{
    return nytp_slots_find(&t->slots, hash_of(t, key), is_same, &(wanted){t, key});
}

static void resize(table *t, size_t slot_count)
{
    uint32_t *old = t->slots.at, *zeros = calloc(slot_count, sizeof *zeros);
    assert_non_null(zeros);
    nytp_slots_fill(&t->slots, zeros, slot_count, t->count, hash_at, t);
    free(old);
}

static void assert_finds_all(uint64_t mask, uint32_t keys)
{
    static table t;
    uint64_t random = mask;
    t.count = 0;
    t.mask = mask;
    t.slots = (nytp_slots){0};
    resize(&t, FIRST_SLOTS);
    while (t.count < keys) {
        uint64_t key = random_next(&random);
        uint32_t *slot = find(&t, key);
        assert_int_equal(*slot, 0);
        t.keys[t.count] = key;
        *slot = ++t.count;
        if (nytp_slots_full(&t.slots, t.count))
            resize(&t, (t.slots.mask + 1) * 2);
        assert_true(t.count < t.slots.mask + 1); /* so that searching ends */
    }
    for (uint32_t n = 0; n < keys; n++) {
        assert_int_equal(*find(&t, t.keys[n]), n + 1);
        assert_int_equal(*find(&t, random_next(&random)), 0);
    }
    free(t.slots.at);
}

static void every_entry_is_found_whatever_the_hashes_are(void **state)
{
    (void)state;
    assert_finds_all(UINT64_MAX, KEYS);
    assert_finds_all(0xFF, KEYS);
    assert_finds_all(7, 500);
    assert_finds_all(0, 300);                       /* all in one run of slots */
    assert_finds_all(UINT64_MAX << 60, 300);        /* the bits that matter are all 0 */
    assert_finds_all(UINT64_MAX - 0xFFFF + 7, 300); /* some of them */
}

static void strings_are_numbered_in_order_of_first_sight(void **state)
{
    nytp_strings *strings = nytp_strings_new();
    char text[32];
    size_t length;
    (void)state;
    assert_non_null(strings);
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t n = 0; n < KEYS; n++) {
            length = (size_t)snprintf(text, sizeof text, "main::f%u", n);
            assert_int_equal(nytp_strings_find(strings, text, length),
                             round == 0 ? NYTP_STRINGS_NONE : (int64_t)n);
            assert_int_equal(nytp_strings_intern(strings, text, length), n);
        }
    assert_int_equal(nytp_strings_count(strings), KEYS);
    assert_string_equal(nytp_strings_get(strings, 17, &length), "main::f17");
    assert_int_equal(length, strlen("main::f17"));
    nytp_strings_free(strings);
}

static void strings_may_be_empty_or_hold_any_byte(void **state)
{
    nytp_strings *strings = nytp_strings_new();
    size_t length = 1;
    (void)state;
    assert_int_equal(nytp_strings_intern(strings, NULL, 0), 0);
    assert_int_equal(nytp_strings_intern(strings, "\0", 1), 1);
    assert_int_equal(nytp_strings_intern(strings, "\0\0", 2), 2);
    assert_int_equal(nytp_strings_intern(strings, "", 0), 0);
    assert_int_equal(nytp_strings_find(strings, "\0", 1), 1);
    assert_string_equal(nytp_strings_get(strings, 0, &length), "");
    assert_int_equal(length, 0);
    nytp_strings_free(strings);
    nytp_strings_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_entry_is_found_whatever_the_hashes_are),
        cmocka_unit_test(strings_are_numbered_in_order_of_first_sight),
        cmocka_unit_test(strings_may_be_empty_or_hold_any_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
