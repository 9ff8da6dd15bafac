#include "calls.h"

#include <math.h>

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

double shown_time(const time_format *format, double ticks)
{
    return ticks > 0 ? ticks / format->unit_ticks : 0;
}
