/* The threads of a process that have interpreters. */
#pragma once

#include "sampler/sample/target.h"

/* Calls visit for the threads that have another interpreter than the target, with the slots of these. Returns
 * false if the C library has no list of threads. */
bool sampler_threads_others(const sampler_target *target, sampler_pthread_fn *visit, void *context);

/* Returns how many threads have interpreters; 0 if its C library has no list of threads. */
long sampler_threads_interpreters(const sampler_target *target);

/* Returns the thread that executes the target's interpreter. It is the first thread of the process where that
 * is not known. */
pid_t sampler_threads_runner(const sampler_target *target);
