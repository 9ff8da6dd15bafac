/* Times and numbers as people read them. */
#pragma once

#include <stdint.h>

enum { NYTP_AMOUNT_MAX = 48 };
typedef struct nytp_amount {
    char text[NYTP_AMOUNT_MAX];
} nytp_amount;

/* "1.23 s", "842 ms", "12.3 us", "350 ns": three digits, in the largest unit of which it is at least one. */
nytp_amount nytp_amount_time(double seconds);

/* "1,272"; the second one rounds. */
nytp_amount nytp_amount_whole(uint64_t number);
nytp_amount nytp_amount_count(double value);

/* "1 sample", "1,272 samples": the thing's plural adds an s. */
nytp_amount nytp_amount_of(double value, const char *thing);
