/* When a thread got and lost its processor. The kernel notes both in a buffer that the sampler maps
 * (perf_event_open(2), PERF_RECORD_SWITCH), so to ask costs neither a system call nor an interrupt of the
 * thread, which the kernel needs to read a counter of what runs on another processor. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct sampler_switches sampler_switches;

/* Returns NULL if the system refuses. */
sampler_switches *sampler_switches_new(pid_t tid);
void sampler_switches_free(sampler_switches *switches); /* NULL is fine */

/* Takes what was noted up to now. Returns false if the kernel notes nothing any more: the thread has ended,
 * or has executed a program with other privileges. That is noticed within 0.1 s. */
bool sampler_switches_take(sampler_switches *switches);

/* Returns when the thread ended, by the clock of sampler_now_ns(); 0: that was not noted. */
int64_t sampler_switches_ended_ns(const sampler_switches *switches);

/* Whether it got or lost a processor between the last two calls of that. */
bool sampler_switches_has_switched(const sampler_switches *switches);

/* Whether there was no room for some of what was noted between them, so that it is not known whether it lost
 * its processor to another thread. */
bool sampler_switches_has_missed(const sampler_switches *switches);

/* Whether the thread had a processor when that was called. */
bool sampler_switches_runs(const sampler_switches *switches);

/* Whether it had one, or had lost it to another thread, so that it waited for it. Linux before 4.17 does not
 * say the latter. */
bool sampler_switches_is_ready(const sampler_switches *switches);

/* Returns when it got its processor, or lost it, by the clock of sampler_now_ns(). */
int64_t sampler_switches_since_ns(const sampler_switches *switches);

/* Returns how long it has run up to a moment after that, by the clock of sampler_now_ns(), since an
 * unspecified moment. */
int64_t sampler_switches_run_ns(const sampler_switches *switches, int64_t now_ns);
