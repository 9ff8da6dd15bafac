/* Raw deflate of one stream after the other, on several threads: streams are cut into pieces, which are
 * compressed independently. The compressed bytes do not depend on how many threads there are. */
#pragma once

#include "bytes/deflate.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct nytp_raw_deflate nytp_raw_deflate;

/* level is 1 to 9, as in zlib. write gets the compressed bytes. Returns NULL when out of memory. */
nytp_raw_deflate *nytp_raw_deflate_new(int level, enum nytp_deflate_with with, nytp_write_fn *write,
                                       void *context);

/* END ends the stream; what is written afterwards begins another one. SYNC ends a piece of it, to which
 * nothing that is written afterwards refers. So pieces that were deflated on several threads make one stream,
 * if the last one is written with END. Returns 0, or what write returned when it failed first; write is not
 * called again after that. */
int nytp_raw_deflate_write(nytp_raw_deflate *deflate, const void *data, size_t size,
                           enum nytp_deflate_flush flush);
void nytp_raw_deflate_free(nytp_raw_deflate *deflate); /* NULL is fine */

/* A pool of threads for work that is taken in order, done in parallel, and handed out in order.
 *
 * There is a ring of jobs. The owner, a single thread, submits them; a worker takes the next one, runs it,
 * and marks it done; the owner collects them in the order in which it submitted them:
 *
 *     free -> submitted -> taken -> done -> released, that is, free again
 *
 * Jobs belong to the owner while they are free or done, and to a worker in between.
 */

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

/* A piece of a stream, compressed. */
typedef struct nytp_deflated {
    const unsigned char *bytes;
    size_t size, in_size;
    uint32_t adler; /* of its input alone (nytp_adler()) */
    bool ends;      /* the stream ends with it */
} nytp_deflated;

typedef struct nytp_raw_deflate_mt_options {
    int level; /* 1 to 9, as in zlib */
    enum nytp_deflate_with with;
    size_t piece_bytes;
    unsigned threads; /* beside that of the caller; fewer if the system refuses them */
    /* Gets the pieces in order, on the caller's thread. */
    void (*deflated)(void *context, const nytp_deflated *piece);
    void *context;
} nytp_raw_deflate_mt_options;

/* Functions that return int return 0 or NYTP_ERR_MEMORY; only free() may follow an error. */
typedef struct nytp_raw_deflate_mt nytp_raw_deflate_mt;

/* Returns NULL when out of memory. */
nytp_raw_deflate_mt *nytp_raw_deflate_mt_new(const nytp_raw_deflate_mt_options *options);
void nytp_raw_deflate_mt_free(nytp_raw_deflate_mt *deflate); /* NULL is fine; drops what was not passed on */

unsigned nytp_raw_deflate_mt_threads(const nytp_raw_deflate_mt *deflate); /* how many were started */

int nytp_raw_deflate_mt_write(nytp_raw_deflate_mt *deflate, const void *data, size_t size);

/* Ends the piece that was begun. Does nothing if none was. */
void nytp_raw_deflate_mt_cut(nytp_raw_deflate_mt *deflate);

/* Ends the stream. */
int nytp_raw_deflate_mt_end(nytp_raw_deflate_mt *deflate);

/* Waits for the oldest piece that was not passed on, and passes it on. *any is false if there is none. */
int nytp_raw_deflate_mt_collect(nytp_raw_deflate_mt *deflate, bool *any);
