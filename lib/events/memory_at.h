/* How much memory a process had at a moment: the attribute memory_at (doc/format.md). */
#pragma once

#include "nytprof.h"

#include <stdbool.h>

typedef struct nytp_memory_at {
    double ticks;     /* since the process began */
    double rss_bytes; /* in RAM, always some */
    double values;    /* how many values perl had */
} nytp_memory_at;

/* Sets *memory to what the value of the attribute says. Returns false if that makes no sense. */
bool nytp_memory_at_read(nytp_str value, nytp_memory_at *memory);
