/* The ends of slices of time that the clock of a process has passed, in order. */
#pragma once

#include "events/divide_calls.h"

#include <math.h>

typedef struct nytp_slice_ends {
    GArray *ticks;   /* double: what the clock said */
    GArray *times_s; /* double: when that was, since the origin of the slices */
} nytp_slice_ends;

static inline nytp_slice_ends nytp_slice_ends_new(void)
{
    return (nytp_slice_ends){g_array_new(FALSE, FALSE, sizeof(double)),
                             g_array_new(FALSE, FALSE, sizeof(double))};
}

static inline void nytp_slice_ends_free(nytp_slice_ends *ends)
{
    g_array_free(ends->ticks, TRUE);
    g_array_free(ends->times_s, TRUE);
}

/* A process begins. */
static inline void nytp_slice_ends_reset(nytp_slice_ends *ends)
{
    g_array_set_size(ends->ticks, 0);
    g_array_set_size(ends->times_s, 0);
}

static inline void nytp_slice_ends_add(nytp_slice_ends *ends, double ticks, double time_s)
{
    g_array_append_val(ends->ticks, ticks);
    g_array_append_val(ends->times_s, time_s);
}

static inline guint nytp_slice_ends_count(const nytp_slice_ends *ends)
{
    return ends->ticks->len;
}

/* Returns how many of them are before a time, which usually is after the last one. */
static inline guint nytp_slice_ends_before(const nytp_slice_ends *ends, double ticks)
{
    const guint count = nytp_slice_ends_count(ends);
    return count == 0 || nytp_end_at(ends->ticks, count - 1) < ticks ? count
                                                                     : nytp_ends_before(ends->ticks, ticks);
}

/* Returns the slice before an end. Several slices may have become one since it was passed. */
static inline int64_t nytp_slice_before(const nytp_slice_ends *ends, guint end, double width_s)
{
    return (int64_t)ceil(g_array_index(ends->times_s, double, end) / width_s) - 1;
}
