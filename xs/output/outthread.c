#include "output/outthread.h"

#include "base/thread.h"
#include "base/time_ns.h"
#include "format/writer.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The longest time until published chunks are in the file. The first time is short, because many processes
 * are, and then each time is twice as long as the one before. */
enum { FLUSH_NS = 200000000, FIRST_FLUSH_NS = 10000000 };

static void note_result(prof_output_private *priv, int rc)
{
    if (rc != 0)
        atomic_store(&priv->failed, true);
}

/* Cuts off the end that was written before an exec, because the exec failed. */
static void cut_end_off(prof_output_private *priv)
{
    if (!priv->ended)
        return;
    priv->ended = false;
    if (prof_outfile_cut(&priv->file, priv->mark_bytes) == 0) {
        nytp_writer_resume(priv->writer, &priv->mark);
    } else {
        priv->why_failed = "what was written before an exec that failed cannot be taken back";
        note_result(priv, -1);
    }
}

void prof_output_write_block(prof_output_private *priv, prof_block *b, unsigned char *end)
{
    if (b->written >= end || priv->finished)
        return;
    cut_end_off(priv);
    priv->dirty = true;
    const nytp_deflate_effort effort = nytp_effort_begin(&priv->effort, priv->has_time_for);
    note_result(priv, nytp_writer_choose(priv->writer, effort));
    note_result(priv, nytp_writer_encoded(priv->writer, b->written, (size_t)(end - b->written)));
    if (effort != NYTP_EFFORT_LOW)
        nytp_effort_end(&priv->effort);
    b->written = end;
}

void prof_output_flush(prof_output_private *priv)
{
    if (priv->dirty)
        note_result(priv, nytp_writer_flush(priv->writer));
    priv->dirty = false;
}

void prof_output_run_task(prof_output_private *priv, prof_output_task task)
{
    switch (task) {
    case PROF_OUTPUT_NOTHING: break;
    case PROF_OUTPUT_SYNC: prof_output_flush(priv); break;
    case PROF_OUTPUT_MARK:
        cut_end_off(priv);
        note_result(priv, nytp_writer_remember(priv->writer, &priv->mark));
        priv->dirty = false;
        priv->mark_bytes = priv->file.size_bytes;
        break;
    case PROF_OUTPUT_END_FOR_EXEC:
        note_result(priv, nytp_writer_finish(priv->writer));
        priv->ended = !atomic_load(&priv->failed);
        priv->dirty = false;
        break;
    case PROF_OUTPUT_RESUME: cut_end_off(priv); break;
    case PROF_OUTPUT_STOP_THREAD:
        prof_output_flush(priv);
        prof_outfile_close_unshared_fd(&priv->file);
        break;
    case PROF_OUTPUT_FINISH:
        note_result(priv, nytp_writer_finish(priv->writer));
        prof_outfile_close(&priv->file);
        break;
    }
}

static int full_blocks(const prof_output_private *priv)
{
    int count = 0;
    for (const prof_block *b = priv->first_full; b != NULL; b = b->next)
        count++;
    return count;
}

/* Called with the mutex held. The program does not wait, and while most blocks are unused, it will not. A
 * program that does not fill a block between two flushes leaves time for everything. What nytp_effort_begin()
 * opens must not take a descriptor's number from the program. */
static nytp_deflate_effort has_time_for(const prof_output_private *priv, bool is_full)
{
    if (!priv->may_be_strong || !priv->file.unshared || priv->task != PROF_OUTPUT_NOTHING)
        return NYTP_EFFORT_LOW;
    if (!is_full)
        return NYTP_EFFORT_HIGHEST;
    const int full = full_blocks(priv);
    return full == 0                            ? NYTP_EFFORT_HIGH
           : full <= PROF_OUTPUT_BLOCKS_MAX / 4 ? NYTP_EFFORT_MEDIUM
                                                : NYTP_EFFORT_LOW;
}

/* Called with the mutex held; releases it while writing. */
static void write_full_block(prof_output_private *priv)
{
    prof_block *b = priv->writing = priv->first_full;
    priv->first_full = b->next;
    if (priv->first_full == NULL)
        priv->last_full = &priv->first_full;
    priv->has_time_for = has_time_for(priv, true);
    pthread_mutex_unlock(&priv->mutex);
    prof_output_write_block(priv, b, b->end);
    pthread_mutex_lock(&priv->mutex);
    priv->writing = NULL;
    b->next = priv->unused;
    priv->unused = b;
    pthread_cond_signal(&priv->work_done);
}

/* Called with the mutex held; releases it while writing. The current block may become full meanwhile, but is
 * not reused before this thread has taken it from the full ones. */
static void write_published(prof_output *o)
{
    prof_output_private *priv = o->priv;
    prof_block *b = priv->current;
    unsigned char *end = prof_output_published(o);
    prof_output_task task = priv->task;
    priv->has_time_for = has_time_for(priv, false);
    pthread_mutex_unlock(&priv->mutex);
    if (b != NULL)
        prof_output_write_block(priv, b, end);
    prof_output_run_task(priv, task != PROF_OUTPUT_NOTHING ? task : PROF_OUTPUT_SYNC);
    pthread_mutex_lock(&priv->mutex);
    if (task != PROF_OUTPUT_NOTHING)
        priv->task = PROF_OUTPUT_NOTHING;
    pthread_cond_signal(&priv->work_done);
}

static void wait_for_work(prof_output_private *priv, int64_t until_ns)
{
    struct timespec until = {.tv_sec = until_ns / 1000000000, .tv_nsec = until_ns % 1000000000};
    pthread_cond_timedwait(&priv->work_ready, &priv->mutex, &until);
}

static void *thread_main(void *argument)
{
    prof_output *o = argument;
    prof_output_private *priv = o->priv;
    priv->thread_id = (pid_t)syscall(SYS_gettid);
    pthread_setname_np(pthread_self(), "nytprof");
    prof_outfile_unshare_fd(&priv->file);
    pthread_mutex_lock(&priv->mutex);
    int64_t flush_ns = FIRST_FLUSH_NS, next_ns = nytp_time_ns(CLOCK_MONOTONIC) + flush_ns;
    for (bool ends = false; !ends;) {
        if (priv->first_full != NULL) {
            write_full_block(priv);
        } else if (priv->task != PROF_OUTPUT_NOTHING || priv->hurries ||
                   nytp_time_ns(CLOCK_MONOTONIC) >= next_ns) {
            priv->hurries = false;
            ends = prof_output_ends_thread(priv->task);
            write_published(o);
            flush_ns = flush_ns < FLUSH_NS / 2 ? 2 * flush_ns : FLUSH_NS;
            next_ns = nytp_time_ns(CLOCK_MONOTONIC) + flush_ns;
        } else {
            wait_for_work(priv, next_ns);
        }
    }
    pthread_mutex_unlock(&priv->mutex);
    return NULL;
}

void prof_output_start_thread(prof_output *o)
{
    o->priv->threaded = nytp_thread_start(&o->priv->thread, thread_main, o) == 0;
}

/* pthread_join() returns when the thread's stack is free; the kernel may count the thread a little longer.
 * Bounded, because another thread of the program may get its number. */
void prof_output_join_thread(prof_output_private *priv)
{
    enum { PATIENCE_NS = 1000000000 };
    pthread_join(priv->thread, NULL);
    const int64_t until_ns = nytp_time_ns(CLOCK_MONOTONIC) + PATIENCE_NS;
    while (syscall(SYS_tgkill, getpid(), priv->thread_id, 0) == 0 && nytp_time_ns(CLOCK_MONOTONIC) < until_ns)
        sched_yield();
    priv->threaded = false;
}
