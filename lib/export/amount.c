#include "export/amount.h"

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

double nytp_ties_up(double value)
{
    return value * (1 + 1e-12);
}

nytp_amount nytp_amount_count(double value)
{
    const nytp_amount size = nytp_amount_whole((uint64_t)fmin(fabs(round(value)), 1e18));
    nytp_amount a;
    snprintf(a.text, sizeof a.text, "%s%.*s", round(value) < 0 ? "-" : "", NYTP_AMOUNT_MAX - 2, size.text);
    return a;
}

nytp_amount nytp_amount_short(double value)
{
    static const char prefixes[] = "MGTPE";
    const double thousand = 1e3, most = 999999.5, three_digits = 999.5;
    nytp_amount a;
    if (value < most)
        return nytp_amount_count(value);
    size_t i = 0;
    for (value = nytp_ties_up(value / (thousand * thousand));
         value >= three_digits && prefixes[i + 1] != '\0'; i++)
        value /= thousand;
    snprintf(a.text, sizeof a.text, "%.*f %c", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, prefixes[i]);
    return a;
}

nytp_amount nytp_amount_percent(double share)
{
    const double percent = nytp_ties_up(100 * share), whole = 0.95;
    nytp_amount text;
    snprintf(text.text, sizeof text.text, "%.*f %%", percent < whole ? 1 : 0, percent);
    return text;
}

nytp_amount nytp_amount_of_things(nytp_amount number, const char *thing, bool is_one)
{
    const size_t length = strlen(number.text);
    const char *end = is_one ? "" : "s";
    size_t letters = strlen(thing);
    if (!is_one && letters > 1 && strcmp(thing + letters - 2, "ry") == 0) {
        letters--;
        end = "ies";
    } else if (!is_one && letters > 0 && thing[letters - 1] == 's') {
        end = "es";
    }
    snprintf(number.text + length, sizeof number.text - length, " %.*s%s", (int)letters, thing, end);
    return number;
}

nytp_amount nytp_amount_of(double value, const char *thing)
{
    return nytp_amount_of_things(nytp_amount_count(value), thing, round(value) == 1);
}

size_t nytp_exact_write(char text[NYTP_EXACT_MAX], uint64_t number, unsigned decimals)
{
    char digits[32], *at = digits + sizeof digits;
    for (unsigned place = 0; number > 0 || place <= decimals; place++, number /= 10) {
        if (place == decimals && place > 0)
            *--at = '.';
        *--at = (char)('0' + number % 10);
    }
    const size_t length = (size_t)(digits + sizeof digits - at);
    memcpy(text, at, length);
    return length;
}

/* Whether nytp_exact_write() gives the digits that printf() gives, which is slower: not for a number that
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
        return nytp_exact_write(text, (uint64_t)(scaled + 0.5), (unsigned)decimals);
    const int length = snprintf(text, NYTP_NUMBER_MAX, "%.*f", decimals, number);
    return (size_t)(length < NYTP_NUMBER_MAX ? length : NYTP_NUMBER_MAX - 1);
}

/* The largest unit of which size is at least one; otherwise the smallest. */
static const nytp_unit *unit_for(const nytp_measure *measure, double size, bool of_average)
{
    const nytp_unit *units = measure->units;
    size_t u = 0;
    while (u + 1 < NYTP_MEASURE_UNITS && units[u + 1].name != NULL &&
           (of_average || !units[u + 1].for_averages) && size * units[u].per_base < 0.9995)
        u++;
    return &units[u];
}

static nytp_amount three_digits(const nytp_measure *measure, double amount, bool of_average)
{
    const nytp_unit *unit = unit_for(measure, fabs(amount), of_average);
    const double number = nytp_ties_up(amount * unit->per_base), size = fabs(number);
    int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    if (!nytp_measure_is_time(measure) || (nytp_measure_is_sampled(measure) && !of_average))
        decimals = (int)fmin(decimals, nytp_measure_decimals(measure, unit));
    char text[NYTP_NUMBER_MAX];
    const size_t length = nytp_number_write(text, number, decimals);
    nytp_amount a;
    snprintf(a.text, sizeof a.text, "%.*s %s", (int)length, text, unit->name);
    return a;
}

nytp_amount nytp_amount_measured(const nytp_measure *measure, double amount)
{
    static const nytp_amount none = {"0"};
    return amount == 0 ? none : three_digits(measure, amount, true);
}

nytp_amount nytp_amount_ticks(const nytp_measure *measure, double ticks)
{
    return three_digits(measure, ticks / measure->ticks_per_base, false);
}
