/* Several measurements of two things: the middle, the spread, and whether they differ by more than chance. */
#pragma once

#include <stddef.h>

/* The median of count values, at least one, and their spread: half of the range in which the middle half of
 * them is, or of the whole range for fewer than four. Sorts the values. */
typedef struct nytp_middle {
    double median, spread;
} nytp_middle;
nytp_middle nytp_middle_of(double *values, size_t count);

/* Mann-Whitney U test. Returns the probability that two sets of values from one distribution, whatever that
 * is, have ranks that differ at least as much as these (two-sided); 1 if one set is empty. Exact up to 24
 * values in all, with ties, too; above, by the normal distribution with corrections for ties and continuity.
 */
double nytp_rank_test(const double *a, size_t a_count, const double *b, size_t b_count);
