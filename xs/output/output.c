#include "output/output.h"
#include "output/outthread.h"

#include "base/str.h"
#include "base/thread.h"
#include "format/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BLOCK_BYTES = 256 << 10 };

/* While signals are blocked, no handler can run that would wait for the mutex that this thread holds, as one
 * in perl code would. */
typedef struct quiet {
    sigset_t signals;
    int error_number;
} quiet;

static quiet begin_quiet(void)
{
    return (quiet){.error_number = errno, .signals = nytp_signals_block()};
}

static void end_quiet(const quiet *was)
{
    nytp_signals_restore(&was->signals);
    errno = was->error_number;
}

/* Blocks come from mmap(), not from malloc(), so that they do not move the program's own allocations. */
static prof_block *block_new(void)
{
    prof_block *b = mmap(NULL, BLOCK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return b != MAP_FAILED ? b : NULL;
}

static void blocks_free(prof_block *b)
{
    while (b != NULL) {
        prof_block *next = b->next;
        munmap(b, BLOCK_BYTES);
        b = next;
    }
}

/* Returns where the next chunk will be in the stream after START_DEFLATE. */
static uint64_t stream_offset(const prof_output *o)
{
    const unsigned char *at = atomic_load_explicit(&o->at, memory_order_relaxed);
    return o->priv->at_begin + (uint64_t)(at - o->priv->current->bytes);
}

/* The block begins at that offset of the stream. */
static void use_block(prof_output *o, prof_block *b, uint64_t offset)
{
    o->priv->at_begin = offset;
    b->next = NULL;
    b->written = b->bytes;
    o->limit = (unsigned char *)b + BLOCK_BYTES - PROF_EVENT_MAX;
    o->priv->current = b;
    prof_output_publish(o, b->bytes);
}

/* Publishes bytes of chunks; a long chunk may span blocks. */
static int append(void *context, const void *data, size_t size)
{
    prof_output *o = context;
    const char *from = data;
    while (size > 0) {
        unsigned char *at = prof_output_reserve(o);
        size_t left = (size_t)(o->limit + PROF_EVENT_MAX - at);
        size_t count = size < left ? size : left;
        memcpy(at, from, count);
        prof_output_publish(o, at + count);
        from += count;
        size -= count;
    }
    return 0;
}

/* Closes the program's descriptor if the writing thread has its own by now. Called from time to time, because
 * it takes a while until the thread runs. */
static void close_shared_fd(prof_output_private *priv)
{
    if (priv->shared_fd >= 0 && priv->file.unshared) {
        prof_outfile_close_shared_fd(&priv->file, priv->shared_fd);
        priv->shared_fd = -1;
    }
}

/* Writes a comment of that size, with its tag and newline; 0 if none. */
static void put_gap(prof_output_private *priv, size_t size)
{
    char *blanks = size > 0 ? malloc(size) : NULL;
    if (blanks == NULL)
        return;
    memset(blanks, ' ', size);
    const nytp_chunk comment = {.tag = NYTP_COMMENT, .comment = {{blanks, size - 2, false}}};
    prof_encoder_chunk(&priv->encoder, &comment);
    free(blanks);
}

void prof_output_chunk(prof_output *o, const nytp_chunk *chunk)
{
    prof_output_private *priv = o->priv;
    int error_number = errno;
    close_shared_fd(priv);
    if (priv->deflates)
        put_gap(priv, nytp_text_gap(stream_offset(o), chunk));
    prof_encoder_chunk(&priv->encoder, chunk);
    errno = error_number;
}

static void output_free(prof_output *o)
{
    prof_output_private *priv = o->priv;
    if (priv->current != NULL)
        blocks_free(priv->current);
    if (priv->writing != NULL)
        munmap(priv->writing, BLOCK_BYTES);
    blocks_free(priv->first_full);
    blocks_free(priv->unused);
    nytp_writer_free(priv->writer);
    prof_encoder_free(&priv->encoder);
    prof_outfile_free(&priv->file);
    free(priv);
    free(o);
}

static void make_locks(prof_output_private *priv)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&priv->work_ready, &monotonic);
    pthread_cond_init(&priv->work_done, NULL);
    pthread_mutex_init(&priv->mutex, NULL);
    pthread_condattr_destroy(&monotonic);
}

static prof_output *output_new(int level)
{
    prof_output *o = calloc(1, sizeof *o);
    prof_output_private *priv = calloc(1, sizeof *priv);
    prof_block *b = block_new();
    if (o == NULL || priv == NULL || b == NULL) {
        free(o);
        free(priv);
        if (b != NULL)
            blocks_free(b);
        return NULL;
    }
    o->priv = priv;
    priv->level = level;
    priv->pid = getpid();
    priv->file.fd = priv->shared_fd = -1;
    priv->last_full = &priv->first_full;
    priv->block_count = 1;
    make_locks(priv);
    use_block(o, b, 0);
    return o;
}

static int write_file(void *context, const void *data, size_t size)
{
    return prof_outfile_write(context, data, size);
}

prof_output *prof_output_open(const char *path, int level, const char **why)
{
    int error_number = errno;
    prof_output *o = output_new(level);
    if (o == NULL || !prof_outfile_open(&o->priv->file, path, why)) {
        if (o != NULL)
            output_free(o);
        else
            *why = strerror(ENOMEM);
        errno = error_number;
        return NULL;
    }
    prof_output_private *priv = o->priv;
    priv->writer = nytp_writer_new(nytp_sink_callback(write_file, &priv->file, priv->file.path), level);
    if (priv->writer == NULL || !prof_encoder_start(&priv->encoder, append, o)) {
        *why = strerror(ENOMEM);
        prof_outfile_close(&priv->file);
        output_free(o);
        o = NULL;
    } else {
        nytp_writer_set_deflate(priv->writer, NYTP_DEFLATE_ADAPTABLE);
    }
    errno = error_number;
    return o;
}

const char *prof_output_path(const prof_output *output)
{
    return output->priv->file.path;
}

/* Writes all published chunks. For the interpreter's thread, if there is no writing thread. */
static void write_published(prof_output *o)
{
    unsigned char *end = prof_output_published(o);
    prof_output_write_block(o->priv, o->priv->current, end);
    use_block(o, o->priv->current, stream_offset(o));
}

void prof_output_attribute(prof_output *output, const char *key, nytp_str value)
{
    prof_output_chunk(output, &(nytp_chunk){.tag = NYTP_ATTRIBUTE, .attribute = {nytp_str_of(key), value}});
}

void prof_output_numbers(prof_output *output, const char *key, const uint64_t *numbers, int count)
{
    enum { MOST_NUMBERS = 4 };
    char text[MOST_NUMBERS * (NYTP_DECIMAL_MAX + sizeof " -")], *end = text;
    for (int i = 0; i < count; i++) {
        if (i > 0)
            *end++ = ' ';
        const bool is_negative = (int64_t)numbers[i] < 0;
        if (is_negative)
            *end++ = '-';
        end = nytp_put_decimal(end, is_negative ? 0 - numbers[i] : numbers[i]);
    }
    prof_output_attribute(output, key, (nytp_str){text, (size_t)(end - text), false});
}

void prof_output_begin(prof_output *o, bool with_thread)
{
    prof_output_private *priv = o->priv;
    quiet was = begin_quiet();
    pthread_mutex_lock(&priv->mutex);
    write_published(o);
    if (nytp_writer_compress(priv->writer) != 0)
        atomic_store(&priv->failed, true);
    priv->deflates = priv->level > 0;
    priv->at_begin = 0;
    prof_outfile_move_up(&priv->file);
    priv->shared_fd = priv->file.fd;
    if (with_thread)
        prof_output_start_thread(o);
    pthread_mutex_unlock(&priv->mutex);
    end_quiet(&was);
}

/* Called with the mutex held. Waits if no block is unused; the one that was just filled becomes so. */
static prof_block *get_block(prof_output_private *priv)
{
    prof_block *b = NULL;
    while (priv->unused == NULL && b == NULL) {
        if (priv->block_count < PROF_OUTPUT_BLOCKS_MAX && (b = block_new()) != NULL)
            priv->block_count++;
        else
            pthread_cond_wait(&priv->work_done, &priv->mutex);
    }
    if (b == NULL) {
        b = priv->unused;
        priv->unused = b->next;
    }
    return b;
}

/* Returns true in the child of a fork that bypassed libc. The output belongs to the parent: there is no
 * thread to wait for, and the mutex may be in any state. */
static bool belongs_to_parent(const prof_output_private *priv)
{
    return priv->pid != getpid();
}

/* Called with the mutex held, by the program's thread: the writing thread does not allocate. Not at once,
 * since many processes are short. */
static void prepare_strong(prof_output_private *priv, uint64_t offset)
{
    enum { ADAPTABLE_LEVEL = 6, LEAST_BYTES = 2 * BLOCK_BYTES };
    if (!priv->may_be_strong && priv->level == ADAPTABLE_LEVEL && offset >= LEAST_BYTES)
        priv->may_be_strong = nytp_writer_prepare(priv->writer);
}

unsigned char *prof_output_next_block(prof_output *o)
{
    prof_output_private *priv = o->priv;
    if (belongs_to_parent(priv)) {
        use_block(o, priv->current, 0);
        return priv->current->bytes;
    }
    quiet was = begin_quiet();
    pthread_mutex_lock(&priv->mutex);
    prof_block *full = priv->current;
    const uint64_t offset = stream_offset(o);
    if (priv->threaded && !priv->finished) {
        prepare_strong(priv, offset);
        full->end = prof_output_published(o);
        priv->current = NULL;
        *priv->last_full = full;
        priv->last_full = &full->next;
        pthread_cond_signal(&priv->work_ready);
        use_block(o, get_block(priv), offset);
    } else {
        write_published(o);
        prof_output_flush(priv);
    }
    close_shared_fd(priv);
    pthread_mutex_unlock(&priv->mutex);
    end_quiet(&was);
    return priv->current->bytes;
}

bool prof_output_waits(prof_output *o)
{
    pthread_mutex_lock(&o->priv->mutex);
    const bool waits = o->priv->current == NULL;
    pthread_mutex_unlock(&o->priv->mutex);
    return waits;
}

/* Called with the mutex held; releases it while waiting. */
static void run_task_locked(prof_output *o, prof_output_task task)
{
    prof_output_private *priv = o->priv;
    if (priv->threaded) {
        priv->task = task;
        pthread_cond_signal(&priv->work_ready);
        while (priv->task != PROF_OUTPUT_NOTHING)
            pthread_cond_wait(&priv->work_done, &priv->mutex);
    } else {
        write_published(o);
        prof_output_run_task(priv, task);
    }
    close_shared_fd(priv);
}

static void run_task(prof_output *o, prof_output_task task)
{
    prof_output_private *priv = o->priv;
    if (priv->finished || belongs_to_parent(priv))
        return;
    quiet was = begin_quiet();
    pthread_mutex_lock(&priv->mutex);
    run_task_locked(o, task);
    pthread_mutex_unlock(&priv->mutex);
    if (priv->threaded && prof_output_ends_thread(task))
        prof_output_join_thread(priv);
    if (task == PROF_OUTPUT_STOP_THREAD)
        prof_outfile_use_fd(&priv->file, priv->shared_fd); /* if that fails, the next write fails too */
    priv->finished = task == PROF_OUTPUT_FINISH;
    end_quiet(&was);
}

void prof_output_sync(prof_output *o)
{
    run_task(o, PROF_OUTPUT_SYNC);
}

void prof_output_keep_up(prof_output *o)
{
    if (!o->priv->threaded)
        prof_output_sync(o);
}

void prof_output_hurry(prof_output *o)
{
    prof_output_private *priv = o->priv;
    if (!priv->threaded) {
        prof_output_sync(o);
        return;
    }
    if (belongs_to_parent(priv))
        return;
    quiet was = begin_quiet();
    pthread_mutex_lock(&priv->mutex);
    priv->hurries = true;
    pthread_cond_signal(&priv->work_ready);
    pthread_mutex_unlock(&priv->mutex);
    end_quiet(&was);
}

void prof_output_mark(prof_output *o)
{
    run_task(o, PROF_OUTPUT_MARK);
    o->priv->marked_bytes = stream_offset(o);
}

/* The stream goes on at the mark, if it goes on. */
void prof_output_end_for_exec(prof_output *o)
{
    run_task(o, PROF_OUTPUT_END_FOR_EXEC);
    o->priv->at_begin += o->priv->marked_bytes - stream_offset(o);
}

void prof_output_resume(prof_output *o)
{
    run_task(o, PROF_OUTPUT_RESUME);
}

void prof_output_stop_thread(prof_output *o)
{
    if (o->priv->threaded)
        run_task(o, PROF_OUTPUT_STOP_THREAD);
}

void prof_output_finish(prof_output *o)
{
    run_task(o, PROF_OUTPUT_FINISH);
}

void prof_output_close(prof_output *o)
{
    int error_number = errno;
    prof_output_private *priv = o->priv;
    prof_output_finish(o);
    pthread_cond_destroy(&priv->work_ready);
    pthread_cond_destroy(&priv->work_done);
    pthread_mutex_destroy(&priv->mutex);
    output_free(o);
    errno = error_number;
}

void prof_output_before_fork(prof_output *o)
{
    pthread_mutex_lock(&o->priv->mutex);
}

void prof_output_after_fork_in_parent(prof_output *o)
{
    pthread_mutex_unlock(&o->priv->mutex);
}

/* Does not destroy the locks: pthread_cond_destroy() would wait for the parent's thread if that waited at the
 * time of the fork. */
void prof_output_abandon(prof_output *o)
{
    int error_number = errno;
    if (o->priv->file.unshared)
        close_shared_fd(o->priv);
    else
        prof_outfile_close(&o->priv->file);
    output_free(o);
    errno = error_number;
}

bool prof_output_failed(prof_output *o, const char **message)
{
    prof_output_private *priv = o->priv;
    if (!atomic_load(&priv->failed))
        return false;
    const char *why = priv->why_failed != NULL ? priv->why_failed : nytp_writer_error(priv->writer)->message;
    *message = priv->failure_reported ? NULL : why;
    priv->failure_reported = true;
    return true;
}
