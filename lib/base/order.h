/* How two records compare, for sorting and searching. */
#pragma once

#include <stdint.h>

/* Returns -1, 0 or 1: a comes before b, is equal, or comes after it. */
#define NYTP_ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* Searches sorted records: sets `index`, a variable, to the first of 0 to count - 1 of which `precedes`, an
 * expression of index, is false, or to count. It must be true of all records before that one. */
#define NYTP_SEARCH(index, count, precedes)                                                                  \
    do {                                                                                                     \
        uint32_t least_ = 0, most_ = (count);                                                                \
        while (least_ < most_) {                                                                             \
            index = least_ + (most_ - least_) / 2;                                                           \
            if (precedes)                                                                                    \
                least_ = index + 1;                                                                          \
            else                                                                                             \
                most_ = index;                                                                               \
        }                                                                                                    \
        index = least_;                                                                                      \
    } while (0)

/* By several keys, the most important first: the first order that is not 0. */
static inline int nytp_order2(int first, int second)
{
    return first != 0 ? first : second;
}

static inline int nytp_order3(int first, int second, int third)
{
    return first != 0 ? first : nytp_order2(second, third);
}

static inline int nytp_order4(int first, int second, int third, int fourth)
{
    return first != 0 ? first : nytp_order3(second, third, fourth);
}
