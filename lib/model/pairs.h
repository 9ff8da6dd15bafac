/* Pairs of numbers by number, counted from 0 in order of first sight: a line of a file, a sub below a stack.
 */
#pragma once

#include "model/records.h"

typedef struct nytp_pair {
    uint32_t first, second;
} nytp_pair;

typedef nytp_records nytp_pairs;

static inline void nytp_pairs_init(nytp_pairs *pairs)
{
    nytp_records_init(pairs, sizeof(nytp_pair), sizeof(nytp_pair));
}

static inline void nytp_pairs_clear(nytp_pairs *pairs)
{
    nytp_records_clear(pairs);
}

/* Returns the number of a pair, which is added if it is new. */
static inline uint32_t nytp_pairs_intern(nytp_pairs *pairs, nytp_pair pair)
{
    return nytp_records_number(pairs, &pair, NULL);
}

/* Returns the number of a pair, or UINT32_MAX if there is no such pair. */
static inline uint32_t nytp_pairs_find(const nytp_pairs *pairs, nytp_pair pair)
{
    const nytp_pair *found = nytp_records_find(pairs, &pair);
    return found != NULL ? (uint32_t)(found - (const nytp_pair *)nytp_records_at(pairs, 0)) : UINT32_MAX;
}

static inline nytp_pair nytp_pairs_get(const nytp_pairs *pairs, uint32_t number)
{
    return *(const nytp_pair *)nytp_records_at(pairs, number);
}
