/* What the profile of a run counts. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct bench_counts {
    uint64_t calls, statements;
    double waited_s; /* for a processor */
} bench_counts;

/* Reads them in a process of its own: reading limits the memory of its process and changes what signals do,
 * and the programs that run later would inherit that. Returns false after saying why it failed. */
bool bench_counts_read(const char *profile, bench_counts *counts);
