/* How much memory the processes had over time, as points.
 *
 * Memory is limited: among many points, those of one process that are near each other become one, which is
 * the one with the most RSS.
 */
#pragma once

#include "events/clock.h"

#include <glib.h>
#include <stdint.h>

typedef struct nytp_memory_point {
    uint32_t process; /* a number of the caller's */
    double s;         /* seconds since a moment of the caller's */
    double rss_bytes, values;
    double last_bytes; /* RSS of the last one of those that became this point */
} nytp_memory_point;

typedef struct nytp_memory_curve {
    GArray *points; /* nytp_memory_point, those of a process in the order of time */
    double apart_s; /* two points that are this near each other may be one */
    guint most;     /* how many points are kept */
} nytp_memory_curve;

/* Keeps at most that many points, and at least one of each process. */
nytp_memory_curve nytp_memory_curve_new(guint most);
void nytp_memory_curve_free(nytp_memory_curve *curve);

/* Adds a point of a process, s seconds after that moment. The points of a process come one after the other.
 */
void nytp_memory_curve_add(nytp_memory_curve *curve, uint32_t process, double s,
                           const nytp_memory_at *memory);
