/* The hash of the library's tables spreads keys that are much alike, as those of profiles are. */
#include "base/hash.h"
#include "test/unit/support.h"

#include <stdbool.h>
#include <stdio.h>

enum { KEYS = 4096, PLACES = 4096, ROOM = 64 };

typedef size_t make_key(char *key, uint32_t i);

static size_t numbers(char *key, const uint32_t *values, size_t count)
{
    memcpy(key, values, count * sizeof *values);
    return count * sizeof *values;
}

static size_t line(char *key, uint32_t i)
{
    return numbers(key, (uint32_t[]){1, i}, 2);
}

static size_t file(char *key, uint32_t i)
{
    return numbers(key, (uint32_t[]){i, 1}, 2);
}

static size_t arc(char *key, uint32_t i)
{
    return numbers(key, (uint32_t[]){1, i, 7}, 3);
}

static size_t arc_of_its_own(char *key, uint32_t i)
{
    return numbers(key, (uint32_t[]){1, i, 7, i + 1}, 4);
}

static size_t short_name(char *key, uint32_t i)
{
    return (size_t)snprintf(key, ROOM, "f%u", i);
}

static size_t name(char *key, uint32_t i)
{
    return (size_t)snprintf(key, ROOM, "main::f%u", i);
}

static size_t long_name(char *key, uint32_t i)
{
    return (size_t)snprintf(key, ROOM, "A::Package::With::A::Name::sub_%u", i);
}

static size_t eval(char *key, uint32_t i)
{
    return (size_t)snprintf(key, ROOM, "(eval %u)[/usr/share/perl5/A.pm:26]", i);
}

/* As many keys as places: with random keys, 63 % of the places would be taken. */
static unsigned places_of(make_key *make)
{
    bool taken[PLACES] = {false};
    unsigned count = 0;
    for (uint32_t i = 0; i < KEYS; i++) {
        char key[ROOM];
        size_t length = make(key, i);
        bool *place = &taken[nytp_hash_bytes(key, length) % PLACES];
        count += !*place;
        *place = true;
    }
    return count;
}

static void similar_keys_go_to_different_places(void **state)
{
    make_key *const kinds[] = {line, file, arc, arc_of_its_own, short_name, name, long_name, eval};
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) { /* the first is that of this process */
        for (size_t k = 0; k < COUNT(kinds); k++) {
            const unsigned count = places_of(kinds[k]);
            if (count < PLACES * 60 / 100)
                fail_msg("seed %llx %llx, kind %zu: in %u places", (unsigned long long)nytp_hash_seed[0],
                         (unsigned long long)nytp_hash_seed[1], k, count);
        }
        nytp_hash_seed[0] = nytp_hash_fold(seed + 1, UINT64_C(0xD6E8FEB86659FD93));
        nytp_hash_seed[1] = nytp_hash_fold(seed + 1, UINT64_C(0xA0761D6478BD642F)) | 1;
    }
}

/* Changes that cancel each other out in a sum of multiples: the top bits of both words, and words in another
 * order. */
static void keys_cannot_be_made_to_collide(void **state)
{
    const uint64_t top = UINT64_C(1) << 63;
    (void)state;
    for (uint64_t i = 0; i < KEYS; i++) {
        const uint64_t a = i * UINT64_C(0x0101010101010101), b = ~a + i;
        assert_int_not_equal(nytp_hash_mix(1, a, b), nytp_hash_mix(1, a ^ top, b ^ top));
        assert_int_not_equal(nytp_hash_mix(1, a, b), nytp_hash_mix(1, b, a));
        assert_int_not_equal(nytp_hash_mix(1, a, 0), nytp_hash_mix(1, a + 1, 0));
    }
}

static void seeds_differ(void **state)
{
    static const char name[] = "main::a_name_of_some_length";
    const uint64_t before = nytp_hash_bytes(name, sizeof name);
    (void)state;
    assert_int_not_equal(nytp_hash_seed[0], UINT64_C(0x9E3779B97F4A7C15));
    nytp_hash_seed[0]++;
    assert_int_not_equal(nytp_hash_bytes(name, sizeof name), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(similar_keys_go_to_different_places),
        cmocka_unit_test(keys_cannot_be_made_to_collide),
        cmocka_unit_test(seeds_differ),
    };
    return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
