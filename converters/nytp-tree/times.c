#include "times.h"

#include <math.h>

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
