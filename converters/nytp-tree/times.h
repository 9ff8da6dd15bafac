/* Times as text. */
#pragma once

#include "view.h"

typedef struct tree_time_format {
    double unit_ticks; /* ticks in one unit */
    int decimals;
    const char *unit;
} tree_time_format;

/* Returns the format of the view's unit, with enough decimals to show one tick, or the time of one sample. */
tree_time_format tree_time_format_of(const tree_view *view);
