#include "calls.h"

#include <math.h>
#include <string.h>

/* As many decimals as tell one tick. */
time_format time_format_of(const call_stacks *stacks)
{
    static const struct {
        double per_s;
        int decimals;
        const char *name;
    } units[] = {[UNIT_S] = {1, 0, "s"},
                 [UNIT_MS] = {1e3, 3, "ms"},
                 [UNIT_US] = {1e6, 6, "us"},
                 [UNIT_NS] = {1e9, 9, "ns"},
                 [UNIT_TICKS] = {0, 0, " ticks"}};
    enum dump_unit unit = stacks->options->unit;
    if (unit == UNIT_TICKS)
        return (time_format){1, 0, units[unit].name};
    int decimals = (int)ceil(log10(stacks->ticks_per_s)) - units[unit].decimals;
    return (time_format){stacks->ticks_per_s / units[unit].per_s, MAX(decimals, 0), units[unit].name};
}

/* number with its last decimals digits behind a point; returns the length. */
static size_t digits_write(char *text, uint64_t number, int decimals)
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

size_t count_write(char text[COUNT_ROOM], uint64_t count)
{
    return digits_write(text, count, 0);
}

/* Exact where printf() might see a tie, or there are too many digits; elsewhere the same, and faster. */
static bool is_simple(double scaled)
{
    const double most = 1e15;
    return scaled < most && fabs(scaled - floor(scaled) - 0.5) > 1e-4;
}

size_t time_write(char text[TIME_ROOM], const time_format *format, double ticks)
{
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    double value = ticks > 0 ? ticks / format->unit_ticks : 0;
    double scaled =
        format->decimals < (int)G_N_ELEMENTS(powers) ? value * powers[format->decimals] : HUGE_VAL;
    if (!is_simple(scaled))
        return (size_t)MIN(snprintf(text, TIME_ROOM, "%.*f", format->decimals, value), TIME_ROOM - 1);
    return digits_write(text, (uint64_t)(scaled + 0.5), format->decimals);
}
