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

/* Wilcoxon's test of signed ranks. Returns the probability that differences which are as often above 0 as
 * below, whatever their size, have signed ranks whose sum is at least as far from 0 as that of these
 * (two-sided); 1 if all are 0. Those that are 0 are left out. Exact, with ties, too; takes time by the cube
 * of count. */
double nytp_signed_rank_test(const double *differences, size_t count);

/* Returns the smallest probability that the test can return for that many differences. */
double nytp_signed_rank_least(size_t count);
