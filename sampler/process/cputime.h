/* Whether a process runs, and how much processor time it takes. Linux counts that in steps of a clock tick.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct sampler_cputime sampler_cputime;

/* Starts to watch the main thread of a process. Returns NULL if there is no such process. */
sampler_cputime *sampler_cputime_new(pid_t pid);
void sampler_cputime_free(sampler_cputime *cpu); /* NULL is fine */

bool sampler_cputime_is_running(sampler_cputime *cpu);
bool sampler_cputime_exists(
    const sampler_cputime *cpu); /* when sampler_cputime_is_running() was last called */

/* Scales the time of a sample of a running process, so that the times of all such samples sum to its
 * processor time. */
double sampler_cputime_scale(sampler_cputime *cpu, double passed_s, int64_t now_ns);
