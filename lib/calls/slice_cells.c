#include "calls/time_slices.h"

#include "base/order.h"
#include "model/grow.h"

#include <stdlib.h>
#include <string.h>

nytp_slice_cells nytp_slice_cells_new(void)
{
    return (nytp_slice_cells){NYTP_ARRAY(nytp_slice_cell), NYTP_ZEROED_ARRAY(uint32_t)};
}

void nytp_slice_cells_free(nytp_slice_cells *cells)
{
    g_array_unref(cells->all);
    g_array_free(cells->last, TRUE);
}

static nytp_slice_cell *cell_at(const GArray *cells, guint i)
{
    return &g_array_index(cells, nytp_slice_cell, i);
}

/* Adds a cell to another one if both are of the same; returns whether it did. */
static bool join(nytp_slice_cell *into, const nytp_slice_cell *cell)
{
    const bool is_same = into->of == cell->of && into->process == cell->process && into->slice == cell->slice;
    if (is_same) {
        into->count += cell->count;
        into->s += cell->s;
        into->asleep_s += cell->asleep_s;
        into->queued_s += cell->queued_s;
    }
    return is_same;
}

/* Returns where the number of the last cell of the same is, + 1; 0: there is none. NULL: the cell was added
 * to it. */
static uint32_t *join_last(nytp_slice_cells *cells, const nytp_slice_cell *cell)
{
    uint32_t *last = &g_array_index(cells->last, uint32_t, cell->of);
    return *last > 0 && join(cell_at(cells->all, *last - 1), cell) ? NULL : last;
}

void nytp_slice_cells_add(nytp_slice_cells *cells, nytp_slice_cell cell)
{
    if (cell.of >= cells->last->len)
        g_array_set_size(cells->last, cell.of + 1);
    uint32_t *last = join_last(cells, &cell);
    if (last == NULL)
        return;
    g_array_append_val(cells->all, cell);
    *last = cells->all->len;
}

/* Cells only move to lower places. */
void nytp_slice_cells_halve(nytp_slice_cells *cells)
{
    guint kept = 0;
    if (cells->last->len > 0) /* an empty array has no data */
        memset(cells->last->data, 0, cells->last->len * sizeof(uint32_t));
    for (guint i = 0; i < cells->all->len; i++) {
        nytp_slice_cell cell = *cell_at(cells->all, i);
        cell.slice = nytp_slice_of_two(cell.slice);
        uint32_t *last = join_last(cells, &cell);
        if (last == NULL)
            continue;
        *cell_at(cells->all, kept++) = cell;
        *last = kept;
    }
    g_array_set_size(cells->all, kept);
}

static int compare_times(const void *x, const void *y)
{
    const nytp_slice_cell *a = x, *b = y;
    return nytp_order2(NYTP_ORDER(a->process, b->process), NYTP_ORDER(a->slice, b->slice));
}

/* The cells of one number are in the order of time already, but for few. */
static void sort_by_time(GArray *cells, guint from, guint to)
{
    guint i = from + 1;
    while (i < to && compare_times(cell_at(cells, i - 1), cell_at(cells, i)) <= 0)
        i++;
    if (i < to)
        qsort(cell_at(cells, from), to - from, sizeof(nytp_slice_cell), compare_times);
}

/* Makes one cell of those of the same, which follow one another. */
static void join_sorted(GArray *cells)
{
    guint used = 0;
    for (guint i = 1; i < cells->len; i++)
        if (!join(cell_at(cells, used), cell_at(cells, i)))
            *cell_at(cells, ++used) = *cell_at(cells, i);
    g_array_set_size(cells, MIN(cells->len, used + 1));
}

void nytp_slice_cells_halve_sorted(GArray *cells)
{
    NYTP_EACH(nytp_slice_cell, cell, cells)
        cell->slice = nytp_slice_of_two(cell->slice);
    join_sorted(cells);
}

GArray *nytp_slice_cells_of_rows(const GArray *cells, const uint32_t *row_of, uint32_t rows)
{
    g_autofree uint32_t *ends =
        g_new0(uint32_t, rows + 1); /* where the cells of a row begin, until they are added */
    GArray *sorted = NYTP_ARRAY(nytp_slice_cell);
    NYTP_EACH(const nytp_slice_cell, cell, cells)
        if (row_of[cell->of] < rows)
            ends[row_of[cell->of] + 1]++;
    for (uint32_t row = 0; row < rows; row++)
        ends[row + 1] += ends[row];
    g_array_set_size(sorted, ends[rows]);
    NYTP_EACH(const nytp_slice_cell, cell, cells) {
        const uint32_t row = row_of[cell->of];
        if (row >= rows)
            continue;
        nytp_slice_cell *to = cell_at(sorted, ends[row]++);
        *to = *cell;
        to->of = row;
    }
    for (uint32_t row = 0; row < rows; row++)
        sort_by_time(sorted, row > 0 ? ends[row - 1] : 0, ends[row]);
    join_sorted(sorted);
    return sorted;
}
