/* What can be a time, and what only damage makes. */
#ifndef NYTP_TICKS_H
#define NYTP_TICKS_H

#include <math.h>
#include <stdbool.h>

/* Beyond 2^53 a double holds no whole ticks: some 28 years of 100 ns. NaN is none, either. */
static inline bool nytp_is_ticks(double ticks)
{
    return fabs(ticks) <= 0x1p53;
}

#endif
