/* Pairs of numbers by number, counted from 0 in order of first sight: a line of a file, a sub below a stack.
 */
#pragma once

#include "base/slots.h"

#include <glib.h>

typedef struct nytp_pair {
    uint32_t first, second;
} nytp_pair;

typedef struct nytp_pairs {
    GArray *all; /* nytp_pair */
    nytp_slots slots;
} nytp_pairs;

void nytp_pairs_init(nytp_pairs *pairs);
void nytp_pairs_clear(nytp_pairs *pairs);

/* Returns the number of a pair, which is added if it is new. */
uint32_t nytp_pairs_intern(nytp_pairs *pairs, nytp_pair pair);

/* Returns the number of a pair, or UINT32_MAX if there is no such pair. */
uint32_t nytp_pairs_find(const nytp_pairs *pairs, nytp_pair pair);

static inline nytp_pair nytp_pairs_get(const nytp_pairs *pairs, uint32_t number)
{
    return g_array_index(pairs->all, nytp_pair, number);
}
