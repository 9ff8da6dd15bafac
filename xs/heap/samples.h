/* Samples: the allocations that are followed until they are freed, one in so many bytes.
 *
 * Each thread counts down the bytes that it asks for. The allocation at which its count falls below 0 becomes
 * a sample, and a new count is drawn from an exponential distribution. So each byte has the same chance to
 * make its allocation a sample, and one of s bytes is with the probability q = 1 - exp(-s / rate). It stands
 * for 1 / q blocks of its size, with a variance of size^2 * (1 - q) / q^2.
 *
 * How many bytes are live in all is counted exactly (threads.h), and said with each sample. So the moment of
 * the peak is known up to the next one: between two samples of a thread it is given no more than the bytes
 * between them.
 */
#pragma once

#include "prof.h"

#include "heap/addresses.h"
#include "heap/sites.h"

/* Begins to take samples, one in rate_bytes on average. Unless is_fixed, there are fewer while the program
 * allocates so fast that their records would take too many bytes (stream.h). */
void prof_samples_start(double rate_bytes, bool is_fixed, uint64_t seed);
double prof_samples_rate(void);

/* The thread has asked for size bytes, had fewer left, and was given a block of that many bytes. Returns it.
 */
void *prof_samples_take(void *at, size_t size, size_t bytes);

/* The memory is about to be freed. If it is a sample, removes it, sets *was unless that is NULL, and returns
 * true. */
bool prof_samples_drop(void *at, prof_sample *was);

/* It was not freed. */
void prof_samples_put_back(const prof_sample *was);

/* Begins the stream of a context, which has opened its FILE, if memory that no context allocates is its own.
 */
void prof_samples_begin(prof *p);

/* The context ends its FILE, and with it its stream, if it has one. */
void prof_samples_end(prof *p);

/* Does that, and frees what the context has. */
void prof_samples_free(prof *p);

/* The context gets what threads without an interpreter allocate, and has the stream of the process. */
void prof_samples_give_others_to(prof *p);

/* For pthread_atfork(). In the child the stream begins again. */
void prof_samples_before_fork(void);
void prof_samples_after_fork(bool is_child);

/* In a child that was forked past libc. */
void prof_samples_notice_fork(void);
