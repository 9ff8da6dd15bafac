/* A ring of jobs, three counters that move around it, and the threads that run the jobs. */
#include "bytes/raw_deflate_mt.h"

#include "base/thread.h"

#include <stdint.h>
#include <stdlib.h>

typedef struct job {
    void *bytes;
    bool done;
} job;

typedef struct worker {
    nytp_ordered_pool *pool;
    pthread_t thread;
    unsigned number;
} worker;

struct nytp_ordered_pool {
    const nytp_pool_work *work;
    void *context;
    unsigned job_count, thread_count;
    job *jobs;
    worker *workers;
    pthread_mutex_t lock;  /* guards the members below, and done of each job */
    pthread_cond_t can_go; /* for workers: a job may be taken, or stop */
    pthread_cond_t moved;  /* for the owner: a job is done, or may be taken */
    uint64_t submitted, taken, released;
    bool stop;
};

static job *job_at(const nytp_ordered_pool *p, uint64_t number)
{
    return &p->jobs[number % p->job_count];
}

/* The lock is held. */
static bool can_take(const nytp_ordered_pool *p)
{
    return p->taken < p->submitted && !p->stop;
}

/* The lock is held on entry and on return, but not during the work. can_take() must be true. */
static void run_next(nytp_ordered_pool *p, unsigned number)
{
    job *j = job_at(p, p->taken++);
    pthread_mutex_unlock(&p->lock);
    p->work->run(p->context, j->bytes, number);
    pthread_mutex_lock(&p->lock);
    j->done = true;
    pthread_cond_signal(&p->moved);
}

static void *run_worker(void *argument)
{
    worker *w = argument;
    nytp_ordered_pool *p = w->pool;
    pthread_mutex_lock(&p->lock);
    while (!p->stop) {
        if (can_take(p))
            run_next(p, w->number);
        else
            pthread_cond_wait(&p->can_go, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static bool allocate(nytp_ordered_pool *p, unsigned job_count, size_t job_size, unsigned threads)
{
    p->jobs = calloc(job_count, sizeof *p->jobs);
    p->workers = calloc(threads + 1, sizeof *p->workers);
    if (p->jobs == NULL || p->workers == NULL)
        return false;
    while (p->job_count < job_count) {
        void *bytes = calloc(1, job_size);
        if (bytes == NULL)
            return false;
        p->jobs[p->job_count++].bytes = bytes;
    }
    return true;
}

nytp_ordered_pool *nytp_ordered_pool_new(const nytp_pool_work *work, void *context, unsigned job_count,
                                         size_t job_size, unsigned threads)
{
    nytp_ordered_pool *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->work = work;
    p->context = context;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->can_go, NULL);
    pthread_cond_init(&p->moved, NULL);
    if (!allocate(p, job_count, job_size, threads)) {
        nytp_ordered_pool_free(p);
        return NULL;
    }
    for (; p->thread_count < threads; p->thread_count++) {
        worker *w = &p->workers[p->thread_count];
        *w = (worker){.pool = p, .number = p->thread_count};
        if (nytp_thread_start(&w->thread, run_worker, w) != 0)
            break;
    }
    return p;
}

unsigned nytp_ordered_pool_threads(const nytp_ordered_pool *pool)
{
    return pool->thread_count;
}

/* The functions below are called by the owner alone. Only it changes submitted and released. */

void *nytp_ordered_pool_next(const nytp_ordered_pool *p)
{
    return p->submitted - p->released < p->job_count ? job_at(p, p->submitted)->bytes : NULL;
}

void nytp_ordered_pool_submit(nytp_ordered_pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->submitted++;
    if (can_take(p))
        pthread_cond_signal(&p->can_go);
    pthread_mutex_unlock(&p->lock);
}

void *nytp_ordered_pool_oldest(nytp_ordered_pool *p, enum nytp_pool_wait how)
{
    job *oldest = job_at(p, p->released);
    pthread_mutex_lock(&p->lock);
    const bool pending = p->released < p->submitted;
    while (pending && !oldest->done && how != NYTP_POOL_POLL) {
        if (how == NYTP_POOL_HELP && can_take(p))
            run_next(p, p->thread_count);
        else
            pthread_cond_wait(&p->moved, &p->lock);
    }
    bool done = oldest->done;
    pthread_mutex_unlock(&p->lock);
    return done ? oldest->bytes : NULL;
}

void nytp_ordered_pool_release(nytp_ordered_pool *p)
{
    pthread_mutex_lock(&p->lock);
    job_at(p, p->released++)->done = false;
    pthread_mutex_unlock(&p->lock);
}

static void stop(nytp_ordered_pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->can_go);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < p->thread_count; i++)
        pthread_join(p->workers[i].thread, NULL);
    p->thread_count = 0;
}

void nytp_ordered_pool_free(nytp_ordered_pool *p)
{
    if (p == NULL)
        return;
    stop(p);
    for (unsigned i = 0; i < p->job_count; i++) {
        if (p->work->clear != NULL)
            p->work->clear(p->jobs[i].bytes);
        free(p->jobs[i].bytes);
    }
    free(p->jobs);
    free(p->workers);
    pthread_cond_destroy(&p->moved);
    pthread_cond_destroy(&p->can_go);
    pthread_mutex_destroy(&p->lock);
    free(p);
}
