/* How much memory a process had at a moment: the attribute memory_at (doc/format.md). */
#pragma once

#include "events/clock.h"

typedef struct nytp_memory_at {
    double ticks;     /* since the process began */
    double rss_bytes; /* in RAM, always some */
    double values;    /* how many values perl had; 0: not known */
} nytp_memory_at;

/* Sets *memory to what the value of the attribute says, given the clock of the process. Returns false if that
 * makes no sense. */
bool nytp_memory_at_read(nytp_str value, const nytp_process_clock *clock, nytp_memory_at *memory);
