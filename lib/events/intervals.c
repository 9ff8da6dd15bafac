#include "events/intervals.h"

static double end_at(const GArray *ends, guint i)
{
    return g_array_index(ends, double, i);
}

guint nytp_ends_before(const GArray *ends, double time)
{
    guint least = 0, most = ends->len;
    while (least < most) {
        const guint middle = least + (most - least) / 2;
        if (end_at(ends, middle) < time)
            least = middle + 1;
        else
            most = middle;
    }
    return least;
}

bool nytp_is_within(const GArray *ends, double time)
{
    return nytp_ends_before(ends, time) % 2 == 1;
}

double nytp_ticks_within(const GArray *ends, double begin, double end)
{
    if (end < begin)
        return -nytp_ticks_within(ends, end, begin);
    double at = begin, ticks = 0;
    guint i = nytp_ends_before(ends, begin);
    for (; i < ends->len && end_at(ends, i) < end; at = end_at(ends, i), i++)
        ticks += i % 2 == 1 ? end_at(ends, i) - at : 0;
    return ticks + (i % 2 == 1 ? end - at : 0);
}
