#include "cli/unit.h"

#include <stddef.h>

#define OF_TIME                                                                                              \
    [NYTP_UNIT_S] = "s", [NYTP_UNIT_MS] = "ms", [NYTP_UNIT_US] = "us", [NYTP_UNIT_NS] = "ns",                \
    [NYTP_UNIT_TICKS] = "ticks"

const char *const nytp_time_units[] = {OF_TIME, NULL};
const char *const nytp_units[] = {
    OF_TIME, [NYTP_UNIT_B] = "B", [NYTP_UNIT_KIB] = "KiB", [NYTP_UNIT_MIB] = "MiB", [NYTP_UNIT_GIB] = "GiB",
    NULL};

double nytp_unit_per_s(enum nytp_unit_word unit)
{
    static const double per_s[] = {
        [NYTP_UNIT_S] = 1, [NYTP_UNIT_MS] = 1e3, [NYTP_UNIT_US] = 1e6, [NYTP_UNIT_NS] = 1e9};
    return unit < NYTP_UNIT_TICKS ? per_s[unit] : 0;
}

double nytp_unit_bytes(enum nytp_unit_word unit)
{
    return unit < NYTP_UNIT_B ? 0 : (double)(1 << 10 * (unit - NYTP_UNIT_B));
}
