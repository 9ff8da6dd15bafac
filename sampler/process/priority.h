/* When this process gets a processor after it wakes up. On a busy machine it would get one only when the
 * process that it samples sleeps, and would see it sleep. */
#pragma once

#include <stdbool.h>

/* Asks for a processor at once: for SCHED_FIFO where that is permitted, and otherwise for a short time slice,
 * which needs no permission (Linux 6.12). Children of this process do not inherit it. Does nothing if this
 * process has a policy that somebody chose for it. */
void sampler_priority_begin(void);

/* Call it after each sample: gives SCHED_FIFO up for good if this process needs so much processor time that
 * others would suffer from that. */
void sampler_priority_check(void);

/* Ends both. */
void sampler_priority_end(void);
