/* What something has in each of the slices of time into which a run is cut (time_slices.h): a table of cells,
 * of which only those are there that have something.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct nytp_slice_cell {
    uint32_t of; /* whose it is: a number of the caller's */
    uint32_t process;
    int64_t slice;
    int64_t count;
    double s; /* seconds */
} nytp_slice_cell;

typedef struct nytp_slice_cells {
    GArray *all;  /* nytp_slice_cell */
    GArray *last; /* uint32_t, by `of`: the index of its cell that came last, + 1 */
} nytp_slice_cells;

/* Returns which slice of twice the length has a slice. */
static inline int64_t nytp_slice_of_two(int64_t slice)
{
    return slice >= 0 ? slice / 2 : -((1 - slice) / 2);
}

nytp_slice_cells nytp_slice_cells_new(void);
void nytp_slice_cells_free(nytp_slice_cells *cells);

/* Adds to a cell. There may be several of the same slice, unless they are added one after the other. */
void nytp_slice_cells_add(nytp_slice_cells *cells, nytp_slice_cell cell);

/* Makes one slice of two, 2n and 2n + 1. */
void nytp_slice_cells_halve(nytp_slice_cells *cells);

/* Sorts cells by what they are of, process and slice, and makes one of those of the same. */
void nytp_slice_cells_join(GArray *cells);
