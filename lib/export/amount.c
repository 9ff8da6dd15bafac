#include "export/amount.h"

#include "model/sampled.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

nytp_amount nytp_amount_whole(uint64_t number)
{
    char digits[NYTP_AMOUNT_MAX];
    nytp_amount a = {""};
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    char *to = a.text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    return a;
}

nytp_amount nytp_amount_count(double value)
{
    const nytp_amount size = nytp_amount_whole((uint64_t)fmin(fabs(round(value)), 1e18));
    nytp_amount a;
    snprintf(a.text, sizeof a.text, "%s%.*s", round(value) < 0 ? "-" : "", NYTP_AMOUNT_MAX - 2, size.text);
    return a;
}

nytp_amount nytp_amount_of(double value, const char *thing)
{
    nytp_amount a = nytp_amount_count(value);
    const size_t length = strlen(a.text);
    snprintf(a.text + length, sizeof a.text - length, " %s%s", thing, round(value) == 1 ? "" : "s");
    return a;
}

/* Writes a number with a point before its last decimals digits. Returns the length. */
static size_t write_digits(char *text, uint64_t number, int decimals)
{
    char digits[32], *at = digits + sizeof digits;
    for (int place = 0; number > 0 || place <= decimals; place++, number /= 10) {
        if (place == decimals && place > 0)
            *--at = '.';
        *--at = (char)('0' + number % 10);
    }
    const size_t length = (size_t)(digits + sizeof digits - at);
    memcpy(text, at, length);
    return length;
}

size_t nytp_count_write(char text[NYTP_COUNT_MAX], uint64_t count)
{
    return write_digits(text, count, 0);
}

/* Whether write_digits() gives the digits that printf() gives, which is slower: not for a number that
 * printf() might round as a tie, nor for one that is negative or has too many digits. */
static bool is_simple(double scaled)
{
    const double most = 1e15;
    return scaled >= 0 && scaled < most && fabs(scaled - floor(scaled) - 0.5) > 1e-4;
}

size_t nytp_number_write(char text[NYTP_NUMBER_MAX], double number, int decimals)
{
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    const double scaled =
        decimals < (int)(sizeof powers / sizeof *powers) ? number * powers[decimals] : HUGE_VAL;
    if (is_simple(scaled))
        return write_digits(text, (uint64_t)(scaled + 0.5), decimals);
    const int length = snprintf(text, NYTP_NUMBER_MAX, "%.*f", decimals, number);
    return (size_t)(length < NYTP_NUMBER_MAX ? length : NYTP_NUMBER_MAX - 1);
}

static const struct {
    double per_s;
    const char *name;
} units[] = {{1, "s"}, {1e3, "ms"}, {1e6, "us"}, {1e9, "ns"}};

/* sampled_hz: 0 if times were measured. */
static nytp_amount three_digits(double seconds, size_t smallest_unit, double sampled_hz)
{
    char text[NYTP_NUMBER_MAX];
    nytp_amount a;
    size_t u = 0;
    while (u < smallest_unit && fabs(seconds) * units[u].per_s < 0.9995)
        u++;
    const double number = seconds * units[u].per_s, size = fabs(number);
    int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    if (sampled_hz > 0)
        decimals = (int)fmin(decimals, nytp_sampled_decimals(sampled_hz, units[u].per_s));
    const size_t length = nytp_number_write(text, number, decimals);
    snprintf(a.text, sizeof a.text, "%.*s %s", (int)length, text, units[u].name);
    return a;
}

nytp_amount nytp_amount_time(double seconds)
{
    return seconds == 0 ? (nytp_amount){"0"} : three_digits(seconds, 3, 0);
}

nytp_amount nytp_amount_sampled(double seconds, double sampled_hz)
{
    return three_digits(seconds, 2, sampled_hz);
}
