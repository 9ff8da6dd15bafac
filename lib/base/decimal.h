/* Numbers as text, where printf() would take too long. */
#pragma once

#include <stdint.h>

enum { NYTP_DECIMAL_MAX = 20 }; /* digits of a uint64_t */

/* Writes the digits of a number at `at`. Returns their end. */
static inline char *nytp_put_decimal(char *at, uint64_t number)
{
    char digits[NYTP_DECIMAL_MAX];
    int first = NYTP_DECIMAL_MAX;
    do
        digits[--first] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (first < NYTP_DECIMAL_MAX)
        *at++ = digits[first++];
    return at;
}
