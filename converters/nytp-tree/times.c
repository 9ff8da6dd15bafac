#include "times.h"

#include <math.h>
#include <string.h>

tree_time_format tree_time_format_of(const tree_view *view)
{
    /* How many decimals fewer than seconds a unit needs. */
    static const int fewer[] = {
        [NYTP_UNIT_S] = 0, [NYTP_UNIT_MS] = 3, [NYTP_UNIT_US] = 6, [NYTP_UNIT_NS] = 9};
    const enum nytp_unit unit = view->options->unit;
    if (unit == NYTP_UNIT_TICKS)
        return (tree_time_format){1, 0, " ticks"};
    int decimals = (int)ceil(log10(view->ticks_per_s)) - fewer[unit];
    if (view->sampled_hz > 0)
        decimals = nytp_sampled_decimals(view->sampled_hz, nytp_unit_per_s(unit));
    return (tree_time_format){view->ticks_per_s / nytp_unit_per_s(unit), MAX(decimals, 0), nytp_units[unit]};
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
    size_t length = (size_t)(digits + sizeof digits - at);
    memcpy(text, at, length);
    return length;
}

size_t tree_count_write(char text[TREE_COUNT_MAX], uint64_t count)
{
    return write_digits(text, count, 0);
}

/* Whether write_digits() gives the same digits as printf(), which is slower: not for a number that printf()
 * might round as a tie, nor for one with too many digits. */
static bool is_simple(double scaled)
{
    const double most = 1e15;
    return scaled < most && fabs(scaled - floor(scaled) - 0.5) > 1e-4;
}

size_t tree_time_write(char text[TREE_TIME_MAX], const tree_time_format *format, double ticks)
{
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    double value = ticks > 0 ? ticks / format->unit_ticks : 0;
    double scaled =
        format->decimals < (int)G_N_ELEMENTS(powers) ? value * powers[format->decimals] : HUGE_VAL;
    if (!is_simple(scaled))
        return (size_t)MIN(snprintf(text, TREE_TIME_MAX, "%.*f", format->decimals, value), TREE_TIME_MAX - 1);
    return write_digits(text, (uint64_t)(scaled + 0.5), format->decimals);
}
