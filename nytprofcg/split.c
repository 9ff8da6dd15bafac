/* Whole shares of a total. */
#include "graph.h"

#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

typedef struct rest {
    wide remainder;
    size_t index;
} rest;

static int by_remainder(const void *a, const void *b)
{
    const rest *x = a, *y = b;
    if (x->remainder != y->remainder)
        return x->remainder > y->remainder ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* What rounding down left, one each to those who lost most by it. */
static void hand_out_rest(uint64_t left, rest *rests, uint64_t *shares, size_t count)
{
    if (left == 0)
        return;
    qsort(rests, count, sizeof *rests, by_remainder);
    for (size_t i = 0; i < left; i++)
        shares[rests[i].index]++;
}

bool split_by_weight(uint64_t total, const uint64_t *weights, uint64_t *shares, size_t count)
{
    wide sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += weights[i];
    if (sum == 0)
        return false;
    rest *rests = g_new(rest, count);
    uint64_t left = total;
    for (size_t i = 0; i < count; i++) {
        wide product = (wide)total * weights[i];
        shares[i] = (uint64_t)(product / sum);
        rests[i] = (rest){product % sum, i};
        left -= shares[i];
    }
    hand_out_rest(left, rests, shares, count);
    g_free(rests);
    return true;
}
