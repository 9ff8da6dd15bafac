#include "outthread.h"

#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PERIOD_NS = 300000000 }; /* what was published is in the file after so long */

typedef struct prof_output_rest rest;

/* ---- writing: in the thread, or in line where there is none ---- */

static void check(rest *r, int rc)
{
    if (rc != 0)
        atomic_store(&r->failed, true);
}

/* Before exec the end was written. It failed: that is cut off. */
static void take_end_back(rest *r)
{
    if (!r->ended)
        return;
    r->ended = false;
    if (prof_outfile_cut(&r->file, r->remembered_bytes) == 0) {
        nytp_writer_resume(r->writer, &r->mark);
    } else {
        r->why_failed = "what was written before an exec that failed cannot be taken back";
        check(r, -1);
    }
}

void prof_output_write_bytes(rest *r, block *b, unsigned char *end)
{
    if (b->written >= end || r->finished)
        return;
    take_end_back(r);
    r->dirty = true;
    check(r, nytp_writer_encoded(r->writer, b->written, (size_t)(end - b->written)));
    b->written = end;
}

void prof_output_flush(rest *r)
{
    if (r->dirty)
        check(r, nytp_writer_flush(r->writer));
    r->dirty = false;
}

/* All that is published was written. */
void prof_output_do(rest *r, enum prof_output_task task)
{
    switch (task) {
    case PROF_OUTPUT_NOTHING: break;
    case PROF_OUTPUT_SYNC: prof_output_flush(r); break;
    case PROF_OUTPUT_REMEMBER:
        take_end_back(r);
        check(r, nytp_writer_remember(r->writer, &r->mark));
        r->dirty = false;
        r->remembered_bytes = r->file.size_bytes;
        break;
    case PROF_OUTPUT_END_FOR_NOW:
        check(r, nytp_writer_finish(r->writer));
        r->ended = !atomic_load(&r->failed);
        r->dirty = false;
        break;
    case PROF_OUTPUT_RESUME: take_end_back(r); break;
    case PROF_OUTPUT_LEAVE:
        prof_output_flush(r);
        prof_outfile_give_up(&r->file);
        break;
    case PROF_OUTPUT_FINISH:
        check(r, nytp_writer_finish(r->writer));
        prof_outfile_close(&r->file);
        break;
    }
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
    enum prof_output_task task = r->task;
    pthread_mutex_unlock(&r->mutex);
    if (b != NULL)
        prof_output_write_bytes(r, b, end);
    prof_output_do(r, task != PROF_OUTPUT_NOTHING ? task : PROF_OUTPUT_SYNC);
    pthread_mutex_lock(&r->mutex);
    if (task != PROF_OUTPUT_NOTHING)
        r->task = PROF_OUTPUT_NOTHING;
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
    r->thread_id = (pid_t)syscall(SYS_gettid);
    pthread_setname_np(pthread_self(), "nytprof");
    prof_outfile_seclude(&r->file);
    pthread_mutex_lock(&r->mutex);
    int64_t next_ns = now_ns() + PERIOD_NS;
    for (bool ends = false; !ends;) {
        if (r->first_full != NULL) {
            write_full_block(r);
        } else if (r->task != PROF_OUTPUT_NOTHING || now_ns() >= next_ns) {
            ends = prof_output_ends_thread(r->task);
            write_published(o);
            next_ns = now_ns() + PERIOD_NS;
        } else {
            wait_for_work(r, next_ns);
        }
    }
    pthread_mutex_unlock(&r->mutex);
    return NULL;
}

void prof_output_start_thread(prof_output *o)
{
    o->rest->threaded = nytp_thread_start(&o->rest->thread, thread_main, o) == 0;
}

/* pthread_join() returns when the thread's stack is free, and the kernel may count it a little longer. */
void prof_output_join_thread(rest *r)
{
    pthread_join(r->thread, NULL);
    while (syscall(SYS_tgkill, getpid(), r->thread_id, 0) == 0)
        sched_yield();
    r->threaded = false;
}
