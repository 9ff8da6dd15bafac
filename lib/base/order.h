/* How two records compare, for sorting. */
#pragma once

/* Returns -1, 0 or 1: a comes before b, is equal, or comes after it. */
#define NYTP_ORDER(a, b) (((a) > (b)) - ((a) < (b)))

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
