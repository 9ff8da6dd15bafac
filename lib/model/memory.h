/* Profiles of memory: their ticks are bytes, and each TIME_LINE has an attribute before it that says how many
 * blocks these are, and of what kind. */
#pragma once

#include "nytprof.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct nytp_memory {
    uint64_t blocks;
    nytp_str kind; /* points into what was read, or is a constant */
} nytp_memory;

/* What a TIME_LINE has whose attribute is missing, or makes no sense. */
extern const nytp_memory nytp_memory_unknown;

/* Returns what the value of an attribute `memory` says. */
nytp_memory nytp_memory_read(nytp_str value);

/* What profiles of memory say of themselves, added up. */
typedef struct nytp_memory_about {
    double samples;
    double peak_bytes; /* of the processes: the sum of their peaks */
    unsigned peaks;    /* of how many profiles that is the sum */
    char of[16];       /* "live", "peak" or "alloc"; empty if not known */
} nytp_memory_about;

/* Takes what an attribute says. */
void nytp_memory_about_note(nytp_memory_about *about, nytp_str key, nytp_str value);

/* Returns "live memory", "memory at the peak", "allocated memory" or "memory", given what memory_of says. */
const char *nytp_memory_in_words(const char *memory_of);
