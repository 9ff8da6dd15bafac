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
static void similar_keys_go_to_different_places(void **state)
{
    make_key *const kinds[] = {line, file, arc, arc_of_its_own, short_name, name, long_name, eval};
    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        bool taken[PLACES] = {false};
        unsigned count = 0;
        for (uint32_t i = 0; i < KEYS; i++) {
            char key[ROOM];
            size_t length = kinds[k](key, i);
            bool *place = &taken[nytp_hash_bytes(key, length) % PLACES];
            count += !*place;
            *place = true;
        }
        if (count < PLACES * 60 / 100)
            fail_msg("kind %zu: in %u places", k, count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(similar_keys_go_to_different_places),
    };
    return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
