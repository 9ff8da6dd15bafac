/* A pool of threads for work that is taken in order, done in parallel, and handed out in order.
 *
 * There is a ring of jobs. The owner, a single thread, submits them; a worker takes the next one, runs it,
 * and marks it done; the owner collects them in the order in which it submitted them:
 *
 *     free -> submitted -> taken -> done -> released, that is, free again
 *
 * Jobs belong to the owner while they are free or done, and to a worker in between.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct nytp_ordered_pool nytp_ordered_pool;

typedef struct nytp_pool_work {
    /* Called in parallel. worker is a number from 0 to the number of threads; the last one stands for the
     * owner. */
    void (*run)(void *context, void *job, unsigned worker);
    /* Frees what a job owns, for nytp_ordered_pool_free(). May be NULL. */
    void (*clear)(void *job);
} nytp_pool_work;

/* Allocates job_count jobs of job_size bytes, all zero, and starts up to `threads` threads, possibly none.
 * Returns NULL when out of memory. work must live as long as the pool. */
nytp_ordered_pool *nytp_ordered_pool_new(const nytp_pool_work *work, void *context, unsigned job_count,
                                         size_t job_size, unsigned threads);

/* Returns how many threads were started. */
unsigned nytp_ordered_pool_threads(const nytp_ordered_pool *pool);

/* Returns the job to submit next, which the owner fills; NULL if no job is free. */
void *nytp_ordered_pool_next(const nytp_ordered_pool *pool);

/* Submits that job. */
void nytp_ordered_pool_submit(nytp_ordered_pool *pool);

/* Returns the oldest job that was submitted and not released, if it is done. If it is not: POLL returns NULL,
 * WAIT waits, and HELP runs jobs on the owner's thread while it waits. Also returns NULL if there is no such
 * job. */
enum nytp_pool_wait { NYTP_POOL_POLL, NYTP_POOL_WAIT, NYTP_POOL_HELP };
void *nytp_ordered_pool_oldest(nytp_ordered_pool *pool, enum nytp_pool_wait how);

/* Makes the oldest job, which is done, free again. */
void nytp_ordered_pool_release(nytp_ordered_pool *pool);

/* Ends the threads, after the jobs that they are running, and frees the pool with its jobs. NULL is fine. */
void nytp_ordered_pool_free(nytp_ordered_pool *pool);
