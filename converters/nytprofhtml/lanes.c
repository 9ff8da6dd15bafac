#include "core.h"

#include "base/order.h"
#include "model/grow.h"
#include "overview.h"

#include <math.h>
#include <string.h>

enum { MOST_LANES = 12 };

/* The processes with most work. */
typedef struct lanes {
    guint count;
    uint32_t process[MOST_LANES];
} lanes;

static gint most_first(gconstpointer a, gconstpointer b, gpointer work)
{
    const uint32_t *x = a, *y = b;
    const double *of = work;
    return nytp_order3(NYTP_ORDER(of[*y], of[*x]), NYTP_ORDER(*x, *y), 0);
}

/* Those of all processes if that are not too many, or else one less, since a lane is for the others. */
static void choose_lanes(lanes *l, const html_report *r)
{
    const size_t count = nytp_profile_process_count(r->profile);
    g_autofree double *work = g_new(double, count);
    g_autofree uint32_t *order = g_new(uint32_t, count);
    for (size_t i = 0; i < count; i++) {
        work[i] = (double)html_process_work_ticks(html_process_ticks(r, i));
        order[i] = (uint32_t)i;
    }
    g_qsort_with_data(order, (gint)count, sizeof *order, most_first, work);
    l->count = count <= MOST_LANES ? (guint)count : MOST_LANES - 1;
    memcpy(l->process, order, l->count * sizeof *order);
}

/* Returns how much of a slice seconds of work are, in thousandths. */
static int64_t part_of_slice(double work_s, const html_slices *s)
{
    return (int64_t)rint(CLAMP(work_s / s->grid.width_s, 0, 1) * 1000);
}

static void add_to_lanes(const lanes *l, const html_slices *s, double *times, const nytp_slice_cell *cell,
                         double seconds)
{
    for (guint i = 0; i < l->count; i++)
        if (l->process[i] == cell->process)
            times[(size_t)i * s->grid.count + (size_t)(cell->slice - s->grid.first)] += seconds;
}

void html_lanes_write(html_json *j, const char *key, const html_report *r, const html_slices *s)
{
    const guint count = s->grid.count;
    lanes l = {0};
    if (nytp_profile_process_count(r->profile) < 2)
        return;
    choose_lanes(&l, r);
    const size_t all = (size_t)l.count * count;
    g_autofree double *statements = g_new0(double, all), *calls = g_new0(double, all),
                      *waited = g_new0(double, all), *lines_waited = g_new0(double, all);
    NYTP_EACH(const nytp_slice_cell, line, s->lines) {
        add_to_lanes(&l, s, statements, line, line->s);
        add_to_lanes(&l, s, lines_waited, line, line->asleep_s + line->queued_s);
    }
    NYTP_EACH(const nytp_slice_cell, call, s->stacks) {
        add_to_lanes(&l, s, calls, call, call->s);
        add_to_lanes(&l, s, waited, call, call->asleep_s + call->queued_s);
    }
    html_json_open(j, key, '{');
    HTML_COLUMN(j, "process", l.count, i, l.process[i]);
    html_json_open(j, "work", '[');
    for (guint lane = 0; lane < l.count; lane++)
        HTML_COLUMN(j, NULL, count, i,
                    part_of_slice(fmax(statements[lane * count + i], calls[lane * count + i]) -
                                      fmax(waited[lane * count + i], lines_waited[lane * count + i]),
                                  s));
    html_json_close(j, ']');
    html_json_close(j, '}');
}
