/* Hash tables of numbers: open addressing, linear probing, a load factor of at most 3/4.
 *
 * The owner keeps its entries in an array, in order of first sight, and their hashes or a way to compute
 * them; the table only finds the number of an entry. The owner also allocates the memory, because owners
 * differ in what they do when memory runs out: base, bytes and format report it, model ends the program. All
 * functions are inlined with their callbacks.
 *
 *     uint32_t *slot = nytp_slots_find(&slots, hash, is_same, &key);
 *     if (*slot == 0) {
 *         *slot = ++count;          // entry count - 1 is the new one
 *         if (nytp_slots_full(&slots, count))
 *             ...nytp_slots_fill() with memory for twice as many
 *     }
 *     number = *slot - 1;
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct nytp_slots {
    uint32_t *at; /* number of an entry + 1; 0: the slot is free */
    size_t mask;  /* the number of slots, a power of two, less one */
} nytp_slots;

typedef bool nytp_slots_same_fn(const void *key, uint32_t number);
typedef uint64_t nytp_slots_hash_fn(const void *entries, uint32_t number);

/* Returns the slot of the entry for which same(key, number) is true, or the free slot where it belongs. */
__attribute__((always_inline)) static inline uint32_t *
nytp_slots_find(const nytp_slots *s, uint64_t hash, nytp_slots_same_fn *same, const void *key)
{
    size_t i = (size_t)hash & s->mask;
    while (s->at[i] != 0 && !same(key, s->at[i] - 1))
        i = (i + 1) & s->mask;
    return &s->at[i];
}

/* Returns the free slot for an entry that differs from all others. */
static inline uint32_t *nytp_slots_free_for(const nytp_slots *s, uint64_t hash)
{
    size_t i = (size_t)hash & s->mask;
    while (s->at[i] != 0)
        i = (i + 1) & s->mask;
    return &s->at[i];
}

/* Returns whether the table is too small for count entries. */
static inline bool nytp_slots_full(const nytp_slots *s, uint32_t count)
{
    return count > s->mask - s->mask / 4;
}

/* Makes `slots`, slot_count zeros, the table of the entries 0 to count - 1, which differ from one
 * another. slot_count is a power of two. The owner frees those that the table had before. */
__attribute__((always_inline)) static inline void nytp_slots_fill(nytp_slots *s, uint32_t *slots,
                                                                  size_t slot_count, uint32_t count,
                                                                  nytp_slots_hash_fn *hash_of,
                                                                  const void *entries)
{
    s->at = slots;
    s->mask = slot_count - 1;
    for (uint32_t n = 0; n < count; n++)
        *nytp_slots_free_for(s, hash_of(entries, n)) = n + 1;
}
