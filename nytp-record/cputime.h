/* Whether a process runs, and how much processor time it takes. Linux counts that in steps of a clock tick.
 */
#ifndef RECORD_CPUTIME_H
#define RECORD_CPUTIME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct record_cputime record_cputime;

/* Starts to watch the main thread of a process. Returns NULL if there is no such process. */
record_cputime *record_cputime_new(pid_t pid);
void record_cputime_free(record_cputime *cpu); /* NULL is fine */

bool record_cputime_is_running(record_cputime *cpu);
bool record_cputime_exists(const record_cputime *cpu); /* when record_cputime_is_running() was last called */

/* Scales the time of a sample of a running process, so that the times of all such samples sum to its
 * processor time. */
double record_cputime_scale(record_cputime *cpu, double passed_s, int64_t now_ns);

#endif
