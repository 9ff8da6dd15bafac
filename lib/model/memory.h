/* What profiles of memory say of themselves. */
#pragma once

#include "format/memory.h"

/* What profiles of memory say of themselves, added up. */
typedef struct nytp_memory_about {
    double samples;
    double peak_bytes;                    /* of the processes: the sum of their peaks */
    unsigned peaks;                       /* of how many profiles that is the sum */
    double values[NYTP_VALUE_TYPE_COUNT]; /* live ones; of the parts that say it */
    char of[16];                          /* "live", "peak" or "alloc"; empty if not known */
} nytp_memory_about;

/* Takes what an attribute says. */
void nytp_memory_about_note(nytp_memory_about *about, nytp_str key, nytp_str value);

/* Returns "live memory", "memory at the peak", "allocated memory" or "memory", given what memory_of says. */
const char *nytp_memory_in_words(const char *memory_of);
