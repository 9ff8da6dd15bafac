/* What a run did in each slice of its time: calls by stack, and statements by line; and how much memory it
 * had.
 *
 * Slices are equally long and at most some hundred. How long a run takes is not known before its end, so they
 * are short at first, and whenever there are too many, two become one. A statement or call that an end of a
 * slice divides is divided as by a filter (events/within.h): it counts where it ends, and a request where it
 * begins.
 */
#pragma once

#include "calls/memory_curve.h"
#include "calls/slice_cells.h"
#include "calls/slice_places.h"
#include "calls/slice_stacks.h"
#include "events/events.h"

typedef struct nytp_time_slices nytp_time_slices;

/* Slice n begins n widths after the origin. */
typedef struct nytp_slice_grid {
    double origin_s; /* since 1970 */
    double width_s;  /* a power of 2 */
    int64_t first;   /* the number of the first one; it may be negative */
    uint32_t count;  /* 0: it is not known when something happened */
} nytp_slice_grid;

nytp_time_slices *nytp_time_slices_new(void);
void nytp_time_slices_free(nytp_time_slices *slices); /* NULL is fine */

/* Takes these events from here on, each profile of which must be read in the same pass. names are theirs. */
void nytp_time_slices_take(nytp_time_slices *slices, nytp_names *names, nytp_events *events);

/* Call it at the begin of each profile, which must live until the end of it. */
void nytp_time_slices_begin_profile(nytp_time_slices *slices, nytp_profile *profile);

/* Call it at the end of each profile, before its events have ended. */
void nytp_time_slices_note_end(nytp_time_slices *slices);

/* Call it at the end of each profile. */
void nytp_time_slices_end_profile(nytp_time_slices *slices);

/* Then call this, as nytp_slice_places_end_profile(). */
void nytp_time_slices_place_files(nytp_time_slices *slices, nytp_slice_fid_fn *fid_of, const void *context);

/* Call it when all profiles have ended: frees what reading alone needs. */
void nytp_time_slices_end(nytp_time_slices *slices);

/* What is known then. Cells are in no order, and there may be several of the same
 * slice. */
typedef struct nytp_slices {
    nytp_slice_grid grid;
    double end_s;         /* the last moment of any process, since 1970 */
    GArray *calls;        /* nytp_slice_cell: own time and calls of nodes */
    const GArray *nodes;  /* nytp_slice_node */
    GArray *statements;   /* nytp_slice_cell: time and statements of places */
    const GArray *places; /* nytp_slice_place */
    GArray *memory;       /* nytp_memory_point, since the origin */
} nytp_slices;

/* Returns what is known. The arrays belong to slices. */
nytp_slices nytp_time_slices_get(const nytp_time_slices *slices);
