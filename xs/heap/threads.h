/* What each thread has for itself while memory is profiled: the bytes up to its next sample, and how many it
 * was given and has returned.
 *
 * Bytes are those of malloc()'s blocks, with what it rounds up and its header: only these are known when
 * memory is freed. A thread may free what another one was given, so only sums over all threads mean
 * something.
 */
#pragma once

#include "prof.h"

#include <signal.h>

typedef struct prof_heap_thread {
    int64_t left_bytes;                   /* until the next sample, */
    unsigned sparser;                     /* which is one in 2^sparser as many bytes as usual */
    uint64_t given_bytes, returned_bytes; /* since it was last added to those of threads that have ended */
    uint64_t random;                      /* 0: the thread is not in the list */
    bool busy;                     /* it handles a sample: what it allocates meanwhile is not followed */
    int ended;                     /* how often its end was noticed */
    struct prof_heap_thread *next; /* in the list */
} prof_heap_thread;

extern _Thread_local prof_heap_thread prof_heap_of_thread PROF_TLS_MODEL
    __attribute__((visibility("hidden")));

/* What the thread allocates and frees meanwhile is not followed, and no handler of a signal runs. Returns
 * what to give to the second. */
typedef struct prof_heap_quiet {
    sigset_t signals;
    bool busy;
} prof_heap_quiet;

prof_heap_quiet prof_heap_pause(void);
void prof_heap_go_on(const prof_heap_quiet *was);

/* Call it before threads are added. */
void prof_heap_threads_start(void);

/* Adds the thread that runs to the list, from which it is removed when it ends. Takes the lock (addresses.h),
 * so the thread must have paused. */
void prof_heap_thread_add(void);

/* Bytes of all threads, also of those that have ended. */
typedef struct prof_heap_totals {
    uint64_t given, returned;
} prof_heap_totals;

/* Both are called with the lock. prof_heap_threads_forget_others() is for a forked child, which has no other
 * threads. */
prof_heap_totals prof_heap_totals_now(void);
void prof_heap_threads_forget_others(void);
