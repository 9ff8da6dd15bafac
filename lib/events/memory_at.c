#include "events/memory_at.h"

#include "events/numbers.h"

/* Without marks the clock lacks what was not counted, and calls are shown when it says that they happened. So
 * is this, by its place in the stream. */
bool nytp_memory_at_read(nytp_str value, const nytp_process_clock *clock, nytp_memory_at *memory)
{
    enum { TICKS, RSS, VALUES, NUMBERS };
    double number[NUMBERS];
    if (!nytp_numbers_read(value, number, NUMBERS) || number[RSS] < 1)
        return false;
    *memory = (nytp_memory_at){
        .ticks = nytp_true_time_has_marks(&clock->time) ? number[TICKS] : nytp_clock_now(clock),
        .rss_bytes = number[RSS],
        .values = number[VALUES],
    };
    return true;
}
