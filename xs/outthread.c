#include "outthread.h"

#include <time.h>

enum { PERIOD_NS = 500000000 /* what was published is in the file after so long */, STACK_BYTES = 256 << 10 };

typedef struct prof_output_rest rest;

/* ---- writing: in the thread, or in line where there is none ---- */

void prof_output_write_bytes(rest *r, block *b, unsigned char *end)
{
    if (b->written < end && !r->finished) {
        r->dirty = true;
        if (nytp_writer_encoded(r->writer, b->written, (size_t)(end - b->written)) != 0)
            atomic_store(&r->failed, true);
        b->written = end;
    }
}

void prof_output_flush(rest *r)
{
    if (r->dirty && nytp_writer_flush(r->writer) != 0)
        atomic_store(&r->failed, true);
    r->dirty = false;
}

void prof_output_finish_file(rest *r)
{
    if (nytp_writer_finish(r->writer) != 0)
        atomic_store(&r->failed, true);
    prof_outfile_close(&r->file);
}

/* ---- the thread ---- */

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* With the mutex, which it leaves meanwhile. */
static void write_full_block(rest *r)
{
    block *b = r->writing = r->first_full;
    r->first_full = b->next;
    if (r->first_full == NULL)
        r->last_full = &r->first_full;
    pthread_mutex_unlock(&r->mutex);
    prof_output_write_bytes(r, b, b->end);
    pthread_mutex_lock(&r->mutex);
    r->writing = NULL;
    b->next = r->unused;
    r->unused = b;
    pthread_cond_signal(&r->done);
}

/* With the mutex, which it leaves meanwhile. The current block may become a full one then, but stays in use.
 */
static void write_published(prof_output *o)
{
    rest *r = o->rest;
    block *b = r->current;
    unsigned char *end = prof_output_published(o);
    unsigned request = r->wanted;
    pthread_mutex_unlock(&r->mutex);
    if (b != NULL)
        prof_output_write_bytes(r, b, end);
    prof_output_flush(r);
    pthread_mutex_lock(&r->mutex);
    r->flushed = request;
    pthread_cond_signal(&r->done);
}

static void wait_for_work(rest *r, int64_t until_ns)
{
    struct timespec until = {.tv_sec = until_ns / 1000000000, .tv_nsec = until_ns % 1000000000};
    pthread_cond_timedwait(&r->work, &r->mutex, &until);
}

static void *thread_main(void *argument)
{
    prof_output *o = argument;
    rest *r = o->rest;
    pthread_setname_np(pthread_self(), "nytprof");
    prof_outfile_seclude(&r->file);
    pthread_mutex_lock(&r->mutex);
    int64_t next_ns = now_ns() + PERIOD_NS;
    for (;;) {
        bool asked = r->stopping || r->flushed != r->wanted;
        if (r->first_full != NULL) {
            write_full_block(r);
        } else if (asked || now_ns() >= next_ns) {
            bool stopping = r->stopping;
            write_published(o);
            if (stopping)
                break;
            next_ns = now_ns() + PERIOD_NS;
        } else {
            wait_for_work(r, next_ns);
        }
    }
    pthread_mutex_unlock(&r->mutex);
    prof_output_finish_file(r);
    return NULL;
}

void prof_output_start_thread(prof_output *o)
{
    rest *r = o->rest;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    r->threaded = pthread_create(&r->thread, &attributes, thread_main, o) == 0;
    pthread_attr_destroy(&attributes);
}
