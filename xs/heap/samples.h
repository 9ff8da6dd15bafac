/* Samples: the allocations that are followed until they are freed, one in so many bytes.
 *
 * Each thread counts down the bytes that it allocates. The allocation at which its count falls below 0
 * becomes a sample, and a new count is drawn from an exponential distribution. So each byte has the same
 * chance to make its allocation a sample, and one of s bytes is with the probability q = 1 - exp(-s / rate).
 * It stands for s / q bytes and 1 / q blocks.
 */
#pragma once

#include "base/thread.h"
#include "prof.h"

#include "heap/addresses.h"
#include "heap/sites.h"

typedef struct prof_heap_thread {
    int64_t left_bytes; /* until the next sample */
    uint64_t random;    /* 0: the thread has allocated nothing yet */
    bool busy;          /* it handles a sample: what it allocates meanwhile is not followed */
} prof_heap_thread;

extern _Thread_local prof_heap_thread prof_heap_of_thread PROF_TLS_MODEL
    __attribute__((visibility("hidden")));

/* One sample in so many bytes. */
void prof_samples_start(double rate_bytes, uint64_t seed);
double prof_samples_rate(void);

/* The thread has allocated that, and had fewer bytes left. at may be NULL. Returns it. */
void *prof_samples_take(void *at, size_t size);

/* The memory is about to be freed. If it is a sample, removes it, sets *was unless that is NULL, and returns
 * true. */
bool prof_samples_drop(void *at, prof_sample *was);

/* It was not freed. */
void prof_samples_put_back(const prof_sample *was);

/* What the thread allocates and frees meanwhile is not followed, and no handler of a signal runs. Returns
 * what to give to the second. */
typedef struct prof_samples_quiet {
    sigset_t signals;
    bool busy;
} prof_samples_quiet;

prof_samples_quiet prof_samples_pause(void);
void prof_samples_go_on(const prof_samples_quiet *was);

/* Keeps what is live, as that of the program's end, until this is called again. */
void prof_samples_keep_end(prof *p);

/* Copies the sites and stacks of a context for reading without the lock. *copy is to be freed by
 * prof_heap_free(). Returns how many bytes the process had at its peak. */
double prof_samples_snapshot(const prof *p, prof_heap *copy);

/* Ends the recording of the context: a new one begins with the next sample. */
void prof_samples_forget(prof *p);

/* Does that, and frees what the context has. */
void prof_samples_end(prof *p);

/* The context gets what threads without an interpreter allocate. */
void prof_samples_give_others_to(prof *p);

/* Returns the name of a file by the number of its place. */
const char *prof_samples_file(uint32_t file);

/* For pthread_atfork(). In the child all recordings begin again. */
void prof_samples_before_fork(void);
void prof_samples_after_fork(bool is_child);

/* In a child that was forked past libc. */
void prof_samples_notice_fork(void);
