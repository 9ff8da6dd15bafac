/* Times and counts as text. */
#pragma once

#include "view.h"

typedef struct tree_time_format {
    double unit_ticks; /* ticks in one unit */
    int decimals;
    const char *unit;
} tree_time_format;

/* Returns the format of the view's unit, with enough decimals to show one tick, or the time of one sample. */
tree_time_format tree_time_format_of(const tree_view *view);

/* Writes a time without a terminating NUL, and returns its length. Negative times are written as 0: the
 * overhead was overestimated, or the clock stepped back. */
enum { TREE_TIME_MAX = 400 }; /* bytes; more than the digits of the largest double */
size_t tree_time_write(char text[TREE_TIME_MAX], const tree_time_format *format, double ticks);

/* The same for a count. */
enum { TREE_COUNT_MAX = 20 }; /* bytes */
size_t tree_count_write(char text[TREE_COUNT_MAX], uint64_t count);
