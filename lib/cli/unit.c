#include "cli/unit.h"

#include <stddef.h>

const char *const nytp_units[] = {[NYTP_UNIT_S] = "s",   [NYTP_UNIT_MS] = "ms",       [NYTP_UNIT_US] = "us",
                                  [NYTP_UNIT_NS] = "ns", [NYTP_UNIT_TICKS] = "ticks", NULL};

double nytp_unit_per_s(enum nytp_unit_word unit)
{
    static const double per_s[] = {[NYTP_UNIT_S] = 1,
                                   [NYTP_UNIT_MS] = 1e3,
                                   [NYTP_UNIT_US] = 1e6,
                                   [NYTP_UNIT_NS] = 1e9,
                                   [NYTP_UNIT_TICKS] = 0};
    return per_s[unit];
}
