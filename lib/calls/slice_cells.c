#include "calls/slice_cells.h"

#include "base/order.h"

#include <string.h>

nytp_slice_cells nytp_slice_cells_new(void)
{
    return (nytp_slice_cells){g_array_new(FALSE, FALSE, sizeof(nytp_slice_cell)),
                              g_array_new(FALSE, TRUE, sizeof(uint32_t))};
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
    }
    return is_same;
}

void nytp_slice_cells_add(nytp_slice_cells *cells, nytp_slice_cell cell)
{
    if (cell.of >= cells->last->len)
        g_array_set_size(cells->last, cell.of + 1);
    uint32_t *last = &g_array_index(cells->last, uint32_t, cell.of);
    if (*last > 0 && join(cell_at(cells->all, *last - 1), &cell))
        return;
    g_array_append_val(cells->all, cell);
    *last = cells->all->len;
}

/* Cells only move to lower places. */
void nytp_slice_cells_halve(nytp_slice_cells *cells)
{
    const guint count = cells->all->len;
    g_array_set_size(cells->all, 0);
    if (cells->last->len > 0) /* an empty array has no data */
        memset(cells->last->data, 0, cells->last->len * sizeof(uint32_t));
    for (guint i = 0; i < count; i++) {
        nytp_slice_cell cell = *cell_at(cells->all, i);
        cell.slice = nytp_slice_of_two(cell.slice);
        nytp_slice_cells_add(cells, cell);
    }
}

static gint compare_cells(gconstpointer x, gconstpointer y)
{
    const nytp_slice_cell *a = x, *b = y;
    return nytp_order3(NYTP_ORDER(a->of, b->of), NYTP_ORDER(a->process, b->process),
                       NYTP_ORDER(a->slice, b->slice));
}

static bool is_sorted(const GArray *cells)
{
    guint i = 1;
    while (i < cells->len && compare_cells(cell_at(cells, i - 1), cell_at(cells, i)) <= 0)
        i++;
    return i >= cells->len;
}

/* Sorting needs room for as many cells again. */
void nytp_slice_cells_join(GArray *cells)
{
    guint used = 0;
    if (!is_sorted(cells))
        g_array_sort(cells, compare_cells);
    for (guint i = 1; i < cells->len; i++)
        if (!join(cell_at(cells, used), cell_at(cells, i)))
            *cell_at(cells, ++used) = *cell_at(cells, i);
    g_array_set_size(cells, MIN(cells->len, used + 1));
}
