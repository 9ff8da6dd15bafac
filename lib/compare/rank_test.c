#include "compare/rank_test.h"

#include "base/order.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static int compare_doubles(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return NYTP_ORDER(a, b);
}

/* Returns the value at that share of the sorted values, interpolated between neighbours. */
static double quantile(const double *sorted, size_t count, double share)
{
    const double at = share * (double)(count - 1);
    const size_t below = (size_t)at;
    const double rest = at - (double)below;
    return rest > 0 ? sorted[below] * (1 - rest) + sorted[below + 1] * rest : sorted[below];
}

nytp_middle nytp_middle_of(double *values, size_t count)
{
    enum { FEW = 4 };
    const double margin = count < FEW ? 0 : 0.25;
    qsort(values, count, sizeof *values, compare_doubles);
    return (nytp_middle){quantile(values, count, 0.5),
                         (quantile(values, count, 1 - margin) - quantile(values, count, margin)) / 2};
}

typedef struct ranked {
    double value;
    bool in_a;        /* of signed ranks: its difference is above 0 */
    uint32_t doubled; /* twice its rank, which is a half between ties */
} ranked;

static int compare_ranked(const void *x, const void *y)
{
    return compare_doubles(&((const ranked *)x)->value, &((const ranked *)y)->value);
}

/* Sorts the values and ranks them, ties by their mean. Returns the sum of t^3 - t over groups of t ties. */
static double rank(ranked *all, size_t count)
{
    double ties = 0;
    qsort(all, count, sizeof *all, compare_ranked);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && all[to].value == all[from].value;)
            to++;
        for (size_t i = from; i < to; i++)
            all[i].doubled = (uint32_t)(from + 1 + to);
        const double t = (double)(to - from);
        ties += t * t * t - t;
    }
    return ties;
}

/* Counts, for each sum, the ways to choose a_count of the ranks, rank by rank. Returns the share of the ways
 * whose sum is as far from the mean as that of a, or farther. */
static double exact(const ranked *all, size_t count, size_t a_count, uint32_t a_sum)
{
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++)
        most += all[i].doubled;
    const size_t sums = (size_t)most + 1;
    g_autofree double *ways = g_new0(double, (a_count + 1) * sums); /* of choosing k ranks with that sum */
    ways[0] = 1;
    for (size_t i = 0; i < count; i++)
        for (size_t k = MIN(a_count, i + 1); k > 0; k--)
            for (size_t sum = most; sum >= all[i].doubled; sum--)
                ways[k * sums + sum] += ways[(k - 1) * sums + sum - all[i].doubled];
    const double mean = (double)most * (double)a_count / (double)count, far = fabs(a_sum - mean);
    double as_far = 0, total = 0;
    for (size_t sum = 0; sum < sums; sum++) {
        const double n = ways[a_count * sums + sum];
        total += n;
        if (fabs((double)sum - mean) >= far - 1e-9 * mean)
            as_far += n;
    }
    return as_far / total;
}

static double by_normal_distribution(double a_count, double b_count, double a_sum, double ties)
{
    const double n = a_count + b_count;
    const double u = a_sum / 2 - a_count * (a_count + 1) / 2;
    const double variance = a_count * b_count / 12 * (n + 1 - ties / (n * (n - 1)));
    if (!(variance > 0))
        return 1;
    const double z = fmax(fabs(u - a_count * b_count / 2) - 0.5, 0) / sqrt(variance);
    return erfc(z / sqrt(2));
}

double nytp_rank_test(const double *a, size_t a_count, const double *b, size_t b_count)
{
    enum { MOST_EXACT = 24 };
    if (a_count == 0 || b_count == 0)
        return 1;
    g_autofree ranked *all = g_new(ranked, a_count + b_count);
    for (size_t i = 0; i < a_count + b_count; i++)
        all[i] = (ranked){i < a_count ? a[i] : b[i - a_count], i < a_count, 0};
    const double ties = rank(all, a_count + b_count);
    uint32_t a_sum = 0;
    for (size_t i = 0; i < a_count + b_count; i++)
        a_sum += all[i].in_a ? all[i].doubled : 0;
    return a_count + b_count <= MOST_EXACT
               ? exact(all, a_count + b_count, a_count, a_sum)
               : by_normal_distribution((double)a_count, (double)b_count, a_sum, ties);
}

/* Returns the probability that a sum of some of the ranks, each of which is in it or not by chance, is as far
 * from the mean as the sum that is given, or farther. */
static double signed_exact(const ranked *all, size_t count, uint32_t above)
{
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++)
        most += all[i].doubled;
    g_autofree double *share = g_new0(double, (size_t)most + 1); /* by sum: of all ways to choose */
    share[0] = 1;
    for (size_t i = 0; i < count; i++)
        for (size_t sum = (size_t)most + 1; sum-- > 0;)
            share[sum] = (share[sum] + (sum >= all[i].doubled ? share[sum - all[i].doubled] : 0)) / 2;
    const double far = fabs(above - most / 2.0);
    double as_far = 0;
    for (size_t sum = 0; sum <= most; sum++)
        as_far += fabs((double)sum - most / 2.0) >= far ? share[sum] : 0;
    return fmin(as_far, 1);
}

double nytp_signed_rank_test(const double *differences, size_t count)
{
    g_autofree ranked *all = g_new(ranked, count);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (differences[i] != 0)
            all[kept++] = (ranked){fabs(differences[i]), differences[i] > 0, 0};
    if (kept == 0)
        return 1;
    rank(all, kept);
    uint32_t above = 0;
    for (size_t i = 0; i < kept; i++)
        above += all[i].in_a ? all[i].doubled : 0;
    return signed_exact(all, kept, above);
}

double nytp_signed_rank_least(size_t count)
{
    return fmin(ldexp(2, -(int)count), 1);
}
