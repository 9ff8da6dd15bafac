#include "times.h"

tree_time_format tree_time_format_of(const tree_view *view)
{
    const nytp_measure *measure = &view->measure;
    const nytp_unit unit = nytp_measure_unit(measure, nytp_units[view->options->unit]);
    if (view->options->unit == NYTP_UNIT_TICKS)
        return (tree_time_format){1, 0, " ticks"};
    return (tree_time_format){nytp_measure_ticks(measure, &unit), nytp_measure_decimals(measure, &unit),
                              unit.name};
}
