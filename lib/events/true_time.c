#include "events/clock.h"

#include "base/order.h"
#include "model/grow.h"

#include <math.h>

typedef struct knot {
    double clock_ticks, before_ticks, after_ticks;
} knot;

/* A server waits for clients many times in a day. Calls that began before the marks that are kept are few. */
enum { MOST_KNOTS = 1 << 16 };

/* The clock may seem to go back by as much, since the times of built-ins and of their statements are rounded
 * apart. */
enum { ROUNDED_TICKS = 100 };

void nytp_true_time_clear(nytp_true_time *time)
{
    if (time->knots != NULL)
        g_array_free(time->knots, TRUE);
    time->knots = NULL;
}

void nytp_true_time_reset(nytp_true_time *time)
{
    if (time->knots != NULL)
        g_array_set_size(time->knots, 0);
}

/* Returns a knot; the one before the first is the begin of the process. */
static knot nth(const nytp_true_time *time, guint n)
{
    static const knot begin = {0};
    return n == 0 ? begin : g_array_index(time->knots, knot, n - 1);
}

static guint count_of(const nytp_true_time *time)
{
    return 1 + (time->knots != NULL ? time->knots->len : 0);
}

void nytp_true_time_add(nytp_true_time *time, double clock_ticks, double true_ticks, double idle_ticks)
{
    if (time->knots == NULL)
        time->knots = NYTP_ARRAY(knot);
    if (time->knots->len == MOST_KNOTS)
        g_array_remove_range(time->knots, 0, MOST_KNOTS / 2);
    const double after_ticks = fmax(true_ticks, nth(time, time->knots->len).after_ticks);
    while (time->knots->len > 0 && nth(time, time->knots->len).clock_ticks > clock_ticks + ROUNDED_TICKS)
        g_array_set_size(time->knots, time->knots->len - 1);
    const knot last = nth(time, time->knots->len);
    const knot added = {fmax(clock_ticks, last.clock_ticks),
                        fmax(after_ticks - fmax(idle_ticks, 0), last.after_ticks), after_ticks};
    g_array_append_val(time->knots, added);
}

double nytp_true_time_idle(const nytp_true_time *time)
{
    const knot last = nth(time, count_of(time) - 1);
    return last.after_ticks - last.before_ticks;
}

/* Returns how many knots are before the clock, or also at it. It is asked most often of what just ended. */
static guint knots_to(const nytp_true_time *time, double clock_ticks, bool also_at)
{
    const guint count = count_of(time);
    guint i;
    if (nth(time, count - 1).clock_ticks < clock_ticks)
        return count;
    NYTP_SEARCH(i, count,
                nth(time, i).clock_ticks < clock_ticks ||
                    (also_at && nth(time, i).clock_ticks == clock_ticks));
    return i;
}

/* knots: how many are before that moment. */
static double between(const nytp_true_time *time, guint knots, double clock_ticks)
{
    if (knots == 0)
        return 0;
    const knot from = nth(time, knots - 1);
    const double passed = clock_ticks - from.clock_ticks;
    if (knots == count_of(time))
        return from.after_ticks + passed;
    const knot to = nth(time, knots);
    const double length = to.clock_ticks - from.clock_ticks;
    return from.after_ticks + (to.before_ticks - from.after_ticks) * (length > 0 ? passed / length : 1);
}

double nytp_true_time_before(const nytp_true_time *time, double clock_ticks)
{
    return between(time, knots_to(time, clock_ticks, false), clock_ticks);
}

double nytp_true_time_after(const nytp_true_time *time, double clock_ticks)
{
    return between(time, knots_to(time, clock_ticks, true), clock_ticks);
}
