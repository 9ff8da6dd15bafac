#include "calls/memory_curve.h"

#include "model/grow.h"

#include <math.h>

/* At first nearly nothing, at last more than a process takes. */
static const double first_apart_s = 0x1p-20, most_apart_s = 0x1p30;

nytp_memory_curve nytp_memory_curve_new(guint most)
{
    return (nytp_memory_curve){NYTP_ARRAY(nytp_memory_point), first_apart_s, most};
}

void nytp_memory_curve_free(nytp_memory_curve *curve)
{
    g_array_unref(curve->points);
}

/* Adds a point to the first ones, of which it returns how many there are. */
static guint put(const nytp_memory_curve *c, guint count, nytp_memory_point point)
{
    nytp_memory_point *last = count > 0 ? &g_array_index(c->points, nytp_memory_point, count - 1) : NULL;
    if (last == NULL || last->process != point.process ||
        floor(last->s / c->apart_s) != floor(point.s / c->apart_s)) {
        g_array_index(c->points, nytp_memory_point, count) = point;
        return count + 1;
    }
    const double last_bytes = point.last_bytes;
    if (point.rss_bytes > last->rss_bytes)
        *last = point;
    last->last_bytes = last_bytes;
    return count;
}

static void thin(nytp_memory_curve *c)
{
    guint kept = 0;
    c->apart_s *= 2;
    NYTP_EACH(const nytp_memory_point, point, c->points)
        kept = put(c, kept, *point);
    g_array_set_size(c->points, kept);
}

void nytp_memory_curve_add(nytp_memory_curve *curve, uint32_t process, double s, const nytp_memory_at *memory)
{
    const nytp_memory_point point = {process, s, memory->rss_bytes, memory->values, memory->rss_bytes};
    const guint count = curve->points->len;
    g_array_set_size(curve->points, count + 1);
    g_array_set_size(curve->points, put(curve, count, point));
    while (curve->points->len > curve->most && curve->apart_s < most_apart_s)
        thin(curve);
}
