/* Whether a process runs, and how much processor time it takes. Linux counts that in steps of a clock tick.
 */
#ifndef RECORD_CPUTIME_H
#define RECORD_CPUTIME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct record_cputime record_cputime;

/* Of the process's main thread. Returns NULL if that does not exist. */
record_cputime *record_cputime_new(pid_t pid);
void record_cputime_free(record_cputime *cpu); /* NULL is fine */

bool record_cputime_is_running(record_cputime *cpu);
bool record_cputime_exists(const record_cputime *cpu); /* as of the last time */

/* The time of a running sample, so scaled that the sum of all is the processor time. */
double record_cputime_scale(record_cputime *cpu, double passed_s, int64_t now_ns);

#endif
