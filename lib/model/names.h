/* Names by number: base/stringtable.h with a cache of recent ones, since a name is looked up for every call.
 * Ends the program when memory is exhausted. */
#pragma once

#include "nytprof.h"

#include "base/hash.h"

#include <glib.h>

/* A cache of names that were looked up recently, in front of a hash table of names.
 *
 * Programs repeat themselves, so most names of returns are found here, by comparing a few words. Without the
 * cache nytprofcalls takes 5 % more processor time on json_pp's profile of 0.7 million calls, and 14 % more
 * instructions (medians of 41 interleaved runs; valgrind --tool=callgrind).
 */

enum {
    NYTP_RECENT_NAMES_BITS = 8,
    NYTP_RECENT_NAMES = 1 << NYTP_RECENT_NAMES_BITS,
    NYTP_RECENT_SHORTEST = 4,
    NYTP_RECENT_LONGEST = 128
};

/* The first and last sixteen bytes of a name, as words that may overlap. */
typedef struct nytp_name_words {
    uint64_t words[4];
} nytp_name_words;

typedef struct nytp_recent_name {
    nytp_name_words ends;
    const char *bytes;
    uint32_t length; /* 0: the slot is free */
    uint32_t number;
} nytp_recent_name;

static inline nytp_name_words nytp_name_words_of(const nytp_str *name)
{
    const char *bytes = name->bytes, *end = bytes + name->length;
    if (name->length < 8) {
        const uint64_t word = (uint64_t)nytp_load32(bytes) << 32 | nytp_load32(end - 4);
        return (nytp_name_words){{word, word, word, word}};
    }
    const bool is_long = name->length >= 16;
    return (nytp_name_words){{nytp_load64(bytes), nytp_load64(is_long ? bytes + 8 : bytes),
                              nytp_load64(is_long ? end - 16 : bytes), nytp_load64(end - 8)}};
}

/* Returns the only slot that the name can be in; NULL if it is too short or too long for all. */
static inline nytp_recent_name *nytp_recent_name_slot(nytp_recent_name slots[NYTP_RECENT_NAMES],
                                                      const nytp_str *name)
{
    if (name->length < NYTP_RECENT_SHORTEST || name->length > NYTP_RECENT_LONGEST)
        return NULL;
    const nytp_name_words w = nytp_name_words_of(name);
    const uint64_t hash = (w.words[2] * 5 + w.words[3]) * UINT64_C(0x9E3779B97F4A7C15);
    return &slots[hash >> (64 - NYTP_RECENT_NAMES_BITS)]; /* all bits of a product reach its highest ones */
}

/* Returns whether the bytes between the words of two names of that length are the same. */
static inline bool nytp_same_between_ends(const char *a, const char *b, size_t length)
{
    uint64_t differ = 0;
    for (size_t i = 16; i + 16 < length; i += 8)
        differ |= nytp_load64(a + i) ^ nytp_load64(b + i);
    return differ == 0;
}

static inline bool nytp_recent_name_is(const nytp_recent_name *slot, const nytp_str *name)
{
    if (slot->length != name->length)
        return false;
    nytp_name_words w = nytp_name_words_of(name);
    const uint64_t *x = slot->ends.words;
    return ((x[0] ^ w.words[0]) | (x[1] ^ w.words[1]) | (x[2] ^ w.words[2]) | (x[3] ^ w.words[3])) == 0 &&
           nytp_same_between_ends(slot->bytes, name->bytes, name->length);
}

/* The bytes of the name must stay where they are as long as the slot is used. */
static inline void nytp_recent_name_set(nytp_recent_name *slot, const nytp_str *name, uint32_t number)
{
    *slot = (nytp_recent_name){nytp_name_words_of(name), name->bytes, (uint32_t)name->length, number};
}

typedef struct nytp_names nytp_names;

nytp_names *nytp_names_new(void);
void nytp_names_free(nytp_names *names); /* NULL is fine */

/* Returns the number of the name, counted from 0 in order of first sight. Keeps a copy of a new name. Sets
 * *added (added may be NULL) to whether it is new. Names are the same if their bytes are; utf8 is that of the
 * first. */
uint32_t nytp_names_intern(nytp_names *names, const nytp_str *name, bool *added);

/* Returns the number of the name, or -1 if it has none. */
int64_t nytp_names_find(const nytp_names *names, const nytp_str *name);

/* Returns the number of the sub with that name, or UINT32_MAX, and sets *why to a message, which the caller
 * must g_free(): the profile has none, but perhaps one whose name is close. */
uint32_t nytp_names_find_sub(const nytp_names *names, const char *name, char **why);

/* Returns the name with that number, which belongs to names. */
nytp_str nytp_names_get(const nytp_names *names, uint32_t number);

uint32_t nytp_names_count(const nytp_names *names);

/* Returns an array: ranks[n] is the position of name n in byte order. The caller must g_free() it. */
uint32_t *nytp_names_ranks(const nytp_names *names);
