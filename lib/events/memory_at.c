#include "events/memory_at.h"

#include "events/numbers.h"

/* If no time passes outside of calls, memory is where it stands in the stream. */
bool nytp_memory_at_read(nytp_str value, const nytp_process_clock *clock, nytp_memory_at *memory)
{
    enum { TICKS, RSS, VALUES, NUMBERS };
    double number[NUMBERS];
    if (!nytp_numbers_read(value, number, NUMBERS) || number[RSS] < 1)
        return false;
    *memory =
        (nytp_memory_at){.ticks = nytp_clock_has_calls_alone(clock) ? nytp_clock_now(clock) : number[TICKS],
                         .rss_bytes = number[RSS],
                         .values = number[VALUES]};
    return true;
}
