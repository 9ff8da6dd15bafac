#include "calls/time_slices.h"

#include "base/order.h"
#include "model/grow.h"

#include <stdlib.h>
#include <string.h>

nytp_slice_cells nytp_slice_cells_new(void)
{
    return (nytp_slice_cells){.last = NYTP_ZEROED_ARRAY(uint32_t)};
}

void nytp_slice_cells_free(nytp_slice_cells *cells)
{
    free(cells->all);
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
    return *last > 0 && join(&cells->all[*last - 1], cell) ? NULL : last;
}

void nytp_slice_cells_add(nytp_slice_cells *cells, nytp_slice_cell cell)
{
    if (cell.of >= cells->last->len)
        g_array_set_size(cells->last, cell.of + 1);
    uint32_t *last = join_last(cells, &cell);
    if (last == NULL)
        return;
    cells->all = nytp_grown(cells->all, &cells->capacity, (size_t)cells->count + 1, sizeof cell);
    cells->all[cells->count++] = cell;
    *last = cells->count;
}

/* Cells only move to lower places. */
void nytp_slice_cells_halve(nytp_slice_cells *cells)
{
    uint32_t kept = 0;
    if (cells->last->len > 0) /* an empty array has no data */
        memset(cells->last->data, 0, cells->last->len * sizeof(uint32_t));
    for (uint32_t i = 0; i < cells->count; i++) {
        nytp_slice_cell cell = cells->all[i];
        cell.slice = nytp_slice_of_two(cell.slice);
        uint32_t *last = join_last(cells, &cell);
        if (last == NULL)
            continue;
        cells->all[kept++] = cell;
        *last = kept;
    }
    cells->count = kept;
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

GArray *nytp_slice_cells_of_rows(const nytp_slice_cells *cells, const uint32_t *row_of, uint32_t rows)
{
    g_autofree uint32_t *ends =
        g_new0(uint32_t, rows + 1); /* where the cells of a row begin, until they are added */
    GArray *sorted = NYTP_ARRAY(nytp_slice_cell);
    for (uint32_t i = 0; i < cells->count; i++)
        if (row_of[cells->all[i].of] < rows)
            ends[row_of[cells->all[i].of] + 1]++;
    for (uint32_t row = 0; row < rows; row++)
        ends[row + 1] += ends[row];
    g_array_set_size(sorted, ends[rows]);
    for (uint32_t i = 0; i < cells->count; i++) {
        const uint32_t row = row_of[cells->all[i].of];
        if (row >= rows)
            continue;
        nytp_slice_cell *to = cell_at(sorted, ends[row]++);
        *to = cells->all[i];
        to->of = row;
    }
    for (uint32_t row = 0; row < rows; row++)
        sort_by_time(sorted, row > 0 ? ends[row - 1] : 0, ends[row]);
    join_sorted(sorted);
    return sorted;
}
