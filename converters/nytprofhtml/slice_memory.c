#include "core.h"

#include "base/ticks.h"
#include "model/grow.h"

#include <math.h>

/* Slices from..end - 1, in which a process had that much. */
typedef struct run {
    uint32_t process, from, end;
    int64_t bytes;
} run;

/* A process while its points are gone through, in the order of time. */
typedef struct course {
    GArray *runs; /* run */
    uint32_t process, slice;
    double most, last; /* bytes in the slice */
} course;

static const nytp_memory_point *point_at(const GArray *points, guint i)
{
    return &g_array_index(points, nytp_memory_point, i);
}

/* Points that are in no slice count in the nearest one. */
static uint32_t slice_of(const nytp_slice_grid *grid, double s)
{
    const double slice = floor(s / grid->width_s) - (double)grid->first;
    return (uint32_t)fmin(fmax(slice, 0), grid->count - 1);
}

static void add_run(const course *c, uint32_t from, uint32_t end, double bytes)
{
    const run added = {c->process, from, end, llround(bytes)};
    run *last = c->runs->len > 0 ? &g_array_index(c->runs, run, c->runs->len - 1) : NULL;
    if (from >= end)
        return;
    if (last != NULL && last->process == added.process && last->end == from && last->bytes == added.bytes)
        last->end = end;
    else
        g_array_append_val(c->runs, added);
}

/* A slice has the most of its points. Until the next one with a point the process has what it had last. */
static void end_slice(course *c, uint32_t next)
{
    add_run(c, c->slice, c->slice + 1, c->most);
    add_run(c, c->slice + 1, next, c->last);
}

static void add_point(course *c, const nytp_memory_point *p, uint32_t slice, bool is_first)
{
    if (!is_first && slice > c->slice)
        end_slice(c, slice);
    if (is_first || slice > c->slice) {
        c->slice = slice;
        c->most = 0;
    }
    c->process = p->process;
    c->most = fmax(c->most, p->rss_bytes);
    c->last = p->last_bytes;
}

/* Returns the runs of all processes. */
static GArray *runs_of(const html_slices *slices)
{
    const GArray *points = slices->memory;
    course c = {.runs = NYTP_ARRAY(run)};
    for (guint i = 0; i < points->len; i++) {
        const nytp_memory_point *p = point_at(points, i);
        const bool is_first = i == 0 || p->process != c.process;
        if (is_first && i > 0)
            end_slice(&c, c.slice + 1);
        add_point(&c, p, slice_of(&slices->grid, p->s), is_first);
    }
    if (points->len > 0)
        end_slice(&c, c.slice + 1);
    return c.runs;
}

void html_slice_memory_write(html_json *j, const char *key, const html_slices *slices)
{
    g_autoptr(GArray) runs = runs_of(slices);
    g_autofree int64_t *bytes = g_new0(int64_t, slices->grid.count);
    NYTP_EACH(const run, r, runs)
        for (uint32_t slice = r->from; slice < r->end; slice++)
            bytes[slice] = nytp_add_ticks(bytes[slice], r->bytes);
    if (runs->len > 0)
        HTML_COLUMN(j, key, slices->grid.count, i, bytes[i]);
}

void html_slice_memory_write_processes(html_json *j, const char *key, const html_slices *slices)
{
    g_autoptr(GArray) runs = runs_of(slices);
    html_json_open(j, key, '{');
    HTML_COLUMN(j, "process", runs->len, i, g_array_index(runs, run, i).process);
    HTML_COLUMN(j, "from", runs->len, i, g_array_index(runs, run, i).from);
    HTML_COLUMN(j, "end", runs->len, i, g_array_index(runs, run, i).end);
    HTML_COLUMN(j, "bytes", runs->len, i, g_array_index(runs, run, i).bytes);
    html_json_close(j, '}');
}
