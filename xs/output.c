#include "output.h"
#include "outthread.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BLOCK_BYTES = 256 << 10 };

typedef struct prof_output_rest rest;

/* ---- signals and errno stay the program's ---- */

typedef struct calm {
    sigset_t signals;
    int error_number;
} calm;

/* A signal's handler that is perl code would come back here, and find the mutex taken. */
static calm calm_begin(void)
{
    calm was = {.error_number = errno};
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &was.signals);
    return was;
}

static void calm_end(const calm *was)
{
    pthread_sigmask(SIG_SETMASK, &was->signals, NULL);
    errno = was->error_number;
}

/* ---- blocks ---- */

/* From the system, not from malloc(), so that the program's allocations stay where they would be. */
static block *block_new(void)
{
    block *b = mmap(NULL, BLOCK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return b != MAP_FAILED ? b : NULL;
}

static void blocks_free(block *b)
{
    while (b != NULL) {
        block *next = b->next;
        munmap(b, BLOCK_BYTES);
        b = next;
    }
}

static void use_block(prof_output *o, block *b)
{
    b->next = NULL;
    b->written = b->bytes;
    o->limit = (unsigned char *)b + BLOCK_BYTES - PROF_EVENT_ROOM;
    o->rest->current = b;
    prof_output_publish(o, b->bytes);
}

/* ---- chunks ---- */

/* Bytes of chunks behind what is published; a long one may span blocks. */
static int append(void *context, const void *data, size_t size)
{
    prof_output *o = context;
    const char *from = data;
    while (size > 0 && !o->rest->deaf) {
        unsigned char *at = prof_output_room(o);
        size_t room = (size_t)(o->limit + PROF_EVENT_ROOM - at);
        size_t count = size < room ? size : room;
        memcpy(at, from, count);
        prof_output_publish(o, at + count);
        from += count;
        size -= count;
    }
    return 0;
}

/* Closes the program's descriptor once the thread has its own. Nobody waits for that: it takes until the
 * thread runs. */
static void disown(rest *r)
{
    if (r->shared_fd >= 0 && r->file.secluded) {
        prof_outfile_disown(&r->file, r->shared_fd);
        r->shared_fd = -1;
    }
}

static nytp_writer *encoder_new(prof_output *o)
{
    return nytp_writer_new(nytp_sink_callback(append, o, ""), 1);
}

/* A writer that refused a chunk refuses all others too. This one takes them, as if it had written the header.
 */
static void renew_encoder(prof_output *o)
{
    static const nytp_chunk version = {.tag = NYTP_VERSION, .version = {5, 0}};
    rest *r = o->rest;
    nytp_writer_free(r->encoder);
    r->encoder = encoder_new(o);
    r->deaf = true;
    if (r->encoder != NULL && nytp_writer_chunk(r->encoder, &version) == 0)
        nytp_writer_flush(r->encoder);
    r->deaf = false;
}

void prof_output_chunk(prof_output *o, const nytp_chunk *chunk)
{
    rest *r = o->rest;
    int error_number = errno;
    disown(r);
    r->encoding = true;
    if (r->encoder == NULL || nytp_writer_chunk(r->encoder, chunk) != 0 || nytp_writer_flush(r->encoder) != 0)
        renew_encoder(o);
    r->encoding = false;
    errno = error_number;
}

/* ---- the interpreter's side ---- */

static void free_all(prof_output *o)
{
    rest *r = o->rest;
    if (r->current != NULL)
        blocks_free(r->current);
    if (r->writing != NULL)
        munmap(r->writing, BLOCK_BYTES);
    blocks_free(r->first_full);
    blocks_free(r->unused);
    nytp_writer_free(r->writer);
    if (!r->encoding) /* another thread forked while its buffer moved, perhaps */
        nytp_writer_free(r->encoder);
    prof_outfile_free(&r->file);
    free(r);
    free(o);
}

static void make_locks(rest *r)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&r->work, &monotonic);
    pthread_cond_init(&r->done, NULL);
    pthread_mutex_init(&r->mutex, NULL);
    pthread_condattr_destroy(&monotonic);
}

static prof_output *output_new(int level)
{
    prof_output *o = calloc(1, sizeof *o);
    rest *r = calloc(1, sizeof *r);
    block *b = block_new();
    if (o == NULL || r == NULL || b == NULL) {
        free(o);
        free(r);
        if (b != NULL)
            blocks_free(b);
        return NULL;
    }
    o->rest = r;
    r->level = level;
    r->pid = getpid();
    r->file.fd = r->shared_fd = -1;
    r->last_full = &r->first_full;
    r->blocks = 1;
    make_locks(r);
    use_block(o, b);
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
    if (o == NULL || !prof_outfile_open(&o->rest->file, path, why)) {
        if (o != NULL)
            free_all(o);
        else
            *why = strerror(ENOMEM);
        errno = error_number;
        return NULL;
    }
    rest *r = o->rest;
    r->writer = nytp_writer_new(nytp_sink_callback(write_file, &r->file, r->file.path), level);
    r->encoder = encoder_new(o);
    if (r->writer == NULL || r->encoder == NULL) {
        *why = strerror(ENOMEM);
        prof_outfile_close(&r->file);
        free_all(o);
        o = NULL;
    }
    errno = error_number;
    return o;
}

const char *prof_output_path(const prof_output *output)
{
    return output->rest->file.path;
}

/* All that is published, where there is no thread. */
static void write_in_line(prof_output *o)
{
    unsigned char *end = prof_output_published(o);
    prof_output_write_bytes(o->rest, o->rest->current, end);
    use_block(o, o->rest->current);
}

void prof_output_begin(prof_output *o)
{
    static const nytp_chunk deflate = {.tag = NYTP_START_DEFLATE};
    rest *r = o->rest;
    calm was = calm_begin();
    pthread_mutex_lock(&r->mutex);
    write_in_line(o);
    if (r->level > 0 && nytp_writer_chunk(r->writer, &deflate) != 0)
        atomic_store(&r->failed, true);
    prof_outfile_move_up(&r->file);
    r->shared_fd = r->file.fd;
    prof_output_start_thread(o);
    pthread_mutex_unlock(&r->mutex);
    calm_end(&was);
}

/* With the mutex. There is always a full block to wait for: the one that was just filled. */
static block *get_block(rest *r)
{
    block *b = NULL;
    while (r->unused == NULL && b == NULL) {
        if (r->blocks < PROF_OUTPUT_MOST_BLOCKS && (b = block_new()) != NULL)
            r->blocks++;
        else
            pthread_cond_wait(&r->done, &r->mutex);
    }
    if (b == NULL) {
        b = r->unused;
        r->unused = b->next;
    }
    return b;
}

/* In a process that was forked behind libc's back there is no thread to wait for, and the mutex is as it was.
 * The output is the parent's. */
static bool is_of_parent(const rest *r)
{
    return r->pid != getpid();
}

unsigned char *prof_output_next_block(prof_output *o)
{
    rest *r = o->rest;
    if (is_of_parent(r)) {
        use_block(o, r->current);
        return r->current->bytes;
    }
    calm was = calm_begin();
    pthread_mutex_lock(&r->mutex);
    block *full = r->current;
    if (r->threaded && !r->finished) {
        full->end = prof_output_published(o);
        r->current = NULL;
        *r->last_full = full;
        r->last_full = &full->next;
        pthread_cond_signal(&r->work);
        use_block(o, get_block(r));
    } else {
        write_in_line(o);
        prof_output_flush(r);
    }
    disown(r);
    pthread_mutex_unlock(&r->mutex);
    calm_end(&was);
    return r->current->bytes;
}

/* With the mutex, which is left while waiting. */
static void have_done(prof_output *o, enum prof_output_task task)
{
    rest *r = o->rest;
    if (r->threaded) {
        r->task = task;
        pthread_cond_signal(&r->work);
        while (r->task != PROF_OUTPUT_NOTHING)
            pthread_cond_wait(&r->done, &r->mutex);
    } else {
        write_in_line(o);
        prof_output_do(r, task);
    }
    disown(r);
}

static void do_now(prof_output *o, enum prof_output_task task)
{
    rest *r = o->rest;
    if (r->finished || is_of_parent(r))
        return;
    calm was = calm_begin();
    pthread_mutex_lock(&r->mutex);
    have_done(o, task);
    pthread_mutex_unlock(&r->mutex);
    if (r->threaded && prof_output_ends_thread(task))
        prof_output_join_thread(r);
    if (task == PROF_OUTPUT_LEAVE)
        prof_outfile_take_over(&r->file, r->shared_fd); /* if that fails, the next write tells */
    r->finished = task == PROF_OUTPUT_FINISH;
    calm_end(&was);
}

void prof_output_sync(prof_output *o)
{
    do_now(o, PROF_OUTPUT_SYNC);
}

void prof_output_remember(prof_output *o)
{
    do_now(o, PROF_OUTPUT_REMEMBER);
}

void prof_output_end_for_now(prof_output *o)
{
    do_now(o, PROF_OUTPUT_END_FOR_NOW);
}

void prof_output_resume(prof_output *o)
{
    do_now(o, PROF_OUTPUT_RESUME);
}

void prof_output_go_alone(prof_output *o)
{
    if (o->rest->threaded)
        do_now(o, PROF_OUTPUT_LEAVE);
}

void prof_output_finish(prof_output *o)
{
    do_now(o, PROF_OUTPUT_FINISH);
}

void prof_output_close(prof_output *o)
{
    int error_number = errno;
    rest *r = o->rest;
    prof_output_finish(o);
    pthread_cond_destroy(&r->work);
    pthread_cond_destroy(&r->done);
    pthread_mutex_destroy(&r->mutex);
    free_all(o);
    errno = error_number;
}

/* ---- fork ---- */

void prof_output_before_fork(prof_output *o)
{
    pthread_mutex_lock(&o->rest->mutex);
}

void prof_output_after_fork_in_parent(prof_output *o)
{
    pthread_mutex_unlock(&o->rest->mutex);
}

/* The locks are not destroyed: the parent's thread may wait for one, and pthread_cond_destroy() for it. */
void prof_output_abandon(prof_output *o)
{
    int error_number = errno;
    if (o->rest->file.secluded)
        disown(o->rest);
    else
        prof_outfile_close(&o->rest->file);
    free_all(o);
    errno = error_number;
}

bool prof_output_failed(prof_output *o, const char **message)
{
    rest *r = o->rest;
    if (!atomic_load(&r->failed))
        return false;
    const char *why = r->why_failed != NULL ? r->why_failed : nytp_writer_error(r->writer)->message;
    *message = r->told ? NULL : why;
    r->told = true;
    return true;
}
