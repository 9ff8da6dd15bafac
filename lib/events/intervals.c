#include "events/divide_calls.h"

#include "base/order.h"

#include <math.h>

guint nytp_ends_before(const GArray *ends, double time)
{
    guint i;
    NYTP_SEARCH(i, ends->len, nytp_end_at(ends, i) < time);
    return i;
}

void nytp_ends_move(GArray *ends, double time, double ticks)
{
    for (guint i = nytp_ends_before(ends, time); i < ends->len; i++) {
        double *end = &g_array_index(ends, double, i);
        *end = fmax(*end - ticks, time);
    }
}

bool nytp_is_within(const GArray *ends, double time)
{
    return nytp_ends_before(ends, time) % 2 == 1;
}

guint nytp_instants_to(const GArray *instants, double ticks)
{
    guint i;
    NYTP_SEARCH(i, instants->len, g_array_index(instants, nytp_instant, i).ticks <= ticks);
    return i;
}

double nytp_ticks_within(const GArray *ends, double begin, double end)
{
    if (end < begin)
        return -nytp_ticks_within(ends, end, begin);
    double at = begin, ticks = 0;
    guint i = nytp_ends_before(ends, begin);
    for (; i < ends->len && nytp_end_at(ends, i) < end; at = nytp_end_at(ends, i), i++)
        ticks += i % 2 == 1 ? nytp_end_at(ends, i) - at : 0;
    return ticks + (i % 2 == 1 ? end - at : 0);
}
