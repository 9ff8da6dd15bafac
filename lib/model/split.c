#include "model/split.h"

#include "base/order.h"

#include <glib.h>
#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

typedef struct remainder_of {
    wide remainder;
    size_t index;
} remainder_of;

static int largest_first(const void *a, const void *b)
{
    const remainder_of *x = a, *y = b;
    return nytp_order2(NYTP_ORDER(y->remainder, x->remainder), NYTP_ORDER(x->index, y->index));
}

static void hand_out(uint64_t left, remainder_of *remainders, uint64_t *shares, size_t count)
{
    if (left == 0)
        return;
    qsort(remainders, count, sizeof *remainders, largest_first);
    for (size_t i = 0; i < left; i++)
        shares[remainders[i].index]++;
}

bool nytp_split_by_weight(uint64_t total, const uint64_t *weights, uint64_t *shares, size_t count)
{
    wide sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += weights[i];
    if (sum == 0)
        return false;
    g_autofree remainder_of *remainders = g_new(remainder_of, count);
    uint64_t left = total;
    for (size_t i = 0; i < count; i++) {
        wide product = (wide)total * weights[i];
        shares[i] = (uint64_t)(product / sum);
        remainders[i] = (remainder_of){product % sum, i};
        left -= shares[i];
    }
    hand_out(left, remainders, shares, count);
    return true;
}

uint64_t nytp_scale_next(nytp_scale *scale, uint64_t weight)
{
    scale->weights += weight;
    uint64_t until = scale->from > 0 ? (uint64_t)((wide)scale->weights * scale->to / scale->from) : scale->to;
    uint64_t share = until - scale->shares;
    scale->shares = until;
    return share;
}
