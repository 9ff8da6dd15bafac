/* Whole shares of a total. */
#ifndef CG_SPLIT_H
#define CG_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Divides total in proportion to weights into whole shares that add up to it. What rounding down leaves
 * goes to the largest remainders, of equal ones to the first. Returns false, and sets nothing, if all weights
 * are 0. */
bool cg_split_by_weight(uint64_t total, const uint64_t *weights, uint64_t *shares, size_t count);

#endif
