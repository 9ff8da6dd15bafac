/* Dividing a total into whole numbers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Divides total into shares in proportion to weights. The shares add up to total: they are rounded down, and
 * the rest goes to those with the largest remainders, the first of equal ones. Returns false, and sets
 * nothing, if all weights are 0. */
bool nytp_split_by_weight(uint64_t total, const uint64_t *weights, uint64_t *shares, size_t count);

/* Multiplies weights, one after another, so that they add up to `to` instead of `from`. */
typedef struct nytp_scale {
    uint64_t from, to;
    uint64_t weights, shares; /* sums of those so far */
} nytp_scale;

/* Returns the share of the next weight. If from is 0, the first one gets all. */
uint64_t nytp_scale_next(nytp_scale *scale, uint64_t weight);
