/* Reading ahead: a thread inflates while the caller decodes.
 *
 * There is a ring of blocks. The thread fills the block at `filled`, and the caller empties the block at
 * `emptied`. The mutex guards these two counters and the end. The blocks between them belong to the caller,
 * all others to the thread.
 *
 * Waking a thread costs about as much as inflating a block or two, so neither side wakes the other for each
 * block: a thread that found the ring full continues when half of it is empty, and a caller that found it
 * empty continues when an eighth of it is full.
 */
#include "bytes/source.h"

#include "base/thread.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A block fits in the L2 cache of a core. The thread reads ahead by at most BLOCKS of them. */
enum { BLOCKS = 32, BLOCK_SIZE = 128 << 10 };

typedef struct block {
    size_t size;
    unsigned char before[NYTP_LENT_BEFORE];
    unsigned char bytes[BLOCK_SIZE - sizeof(size_t) - NYTP_LENT_BEFORE - NYTP_PAD];
    unsigned char padding[NYTP_PAD];
} block;

typedef struct readahead_source {
    nytp_source base;
    nytp_source *inner;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t moved; /* the other side may continue */
    uint64_t filled, emptied;
    unsigned enough; /* how many blocks a caller that found none waits for */
    bool ended, stop;
    nytp_error end_error; /* code NYTP_OK: the end of inner */
    size_t used; /* bytes of the block at emptied that were handed out; only the caller uses it and lent */
    bool lent;   /* the rest of that block was lent */
    bool waits;  /* the caller waits for the thread */
    block *blocks;
} readahead_source;

/* Waits for a block to fill. Returns NULL if the caller wants no more. */
static block *next_to_fill(readahead_source *s)
{
    pthread_mutex_lock(&s->lock);
    if (s->filled - s->emptied == BLOCKS)
        while (!s->stop && s->filled - s->emptied > BLOCKS / 2)
            pthread_cond_wait(&s->moved, &s->lock);
    block *b = s->stop ? NULL : &s->blocks[s->filled % BLOCKS];
    pthread_mutex_unlock(&s->lock);
    return b;
}

static void publish(readahead_source *s, bool last)
{
    pthread_mutex_lock(&s->lock);
    s->filled++;
    s->ended = last;
    if (last || s->filled - s->emptied == s->enough)
        pthread_cond_signal(&s->moved);
    pthread_mutex_unlock(&s->lock);
}

static void *read_ahead(void *argument)
{
    readahead_source *s = argument;
    bool last = false;
    block *b;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    while (!last && (b = next_to_fill(s)) != NULL) {
        if (s->inner->cancellable)
            pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
        ptrdiff_t n = s->inner->read(s->inner, b->bytes, sizeof b->bytes, &s->end_error);
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
        s->base.taken_bytes = s->inner->taken_bytes;
        last = n <= 0;
        b->size = last ? 0 : (size_t)n;
        publish(s, last);
    }
    return NULL;
}

/* Waits for a block with bytes. Returns NULL at the end. */
static block *next_to_empty(readahead_source *s)
{
    pthread_mutex_lock(&s->lock);
    s->waits = true;
    if (s->emptied == s->filled)
        while (s->filled - s->emptied < s->enough && !s->ended)
            pthread_cond_wait(&s->moved, &s->lock);
    s->waits = false;
    block *b = s->emptied < s->filled ? &s->blocks[s->emptied % BLOCKS] : NULL;
    pthread_mutex_unlock(&s->lock);
    return b != NULL && b->size > 0 ? b : NULL;
}

static void release(readahead_source *s)
{
    pthread_mutex_lock(&s->lock);
    s->emptied++;
    s->used = 0;
    s->lent = false;
    if (s->filled - s->emptied == BLOCKS / 2)
        pthread_cond_signal(&s->moved);
    pthread_mutex_unlock(&s->lock);
}

/* Returns the block at emptied, which has bytes left; NULL at the end, and *end is then what to return. */
static block *current(readahead_source *s, ptrdiff_t *end, nytp_error *err)
{
    if (s->lent)
        release(s);
    block *b = next_to_empty(s);
    if (b == NULL) { /* the thread has ended, so inner and end_error may be read without the lock */
        s->base.cut = s->inner->cut;
        if (s->end_error.code != NYTP_OK)
            *err = s->end_error;
        *end = s->end_error.code;
    }
    return b;
}

static ptrdiff_t readahead_read(nytp_source *self, void *buffer, size_t size, nytp_error *err)
{
    readahead_source *s = (readahead_source *)self;
    ptrdiff_t end;
    block *b = current(s, &end, err);
    if (b == NULL)
        return end;
    if (size > b->size - s->used)
        size = b->size - s->used;
    memcpy(buffer, b->bytes + s->used, size);
    s->used += size;
    if (s->used == b->size)
        release(s);
    return (ptrdiff_t)size;
}

static ptrdiff_t readahead_lend(nytp_source *self, unsigned char **bytes, nytp_error *err)
{
    readahead_source *s = (readahead_source *)self;
    ptrdiff_t end;
    block *b = current(s, &end, err);
    if (b == NULL)
        return end;
    *bytes = b->bytes + s->used;
    s->lent = true;
    return (ptrdiff_t)(b->size - s->used);
}

/* The ring is in huge pages, where the system has them: with pages of 4 KiB, the thread takes a thousand page
 * faults to fill it for the first time. nytprofcalls reads a profile of 3 MB in 20.8 ms (22.7 ms without). */
static block *ring_new(void)
{
    enum { HUGE_PAGE = 2 << 20, SIZE = BLOCKS * sizeof(block) };
    _Static_assert(SIZE % HUGE_PAGE == 0, "the ring must be whole huge pages");
    block *blocks = aligned_alloc(HUGE_PAGE, SIZE);
    if (blocks != NULL)
        madvise(blocks, SIZE, MADV_HUGEPAGE);
    return blocks;
}

/* A signal handler may leave the wait for `moved` by longjmp(), as perl's does when 120 signals are pending,
 * and the reader is freed before that jumps. pthread_cond_destroy() would wait for that waiter, and longjmp()
 * has libc end the wait, which needs the condition and the lock. So they stay. */
static void free_unstarted(readahead_source *s)
{
    free(s->blocks);
    free(s->base.name);
    if (s->waits)
        return;
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static void readahead_free(nytp_source *self)
{
    readahead_source *s = (readahead_source *)self;
    pthread_mutex_lock(&s->lock);
    s->stop = true;
    pthread_cond_signal(&s->moved);
    pthread_mutex_unlock(&s->lock);
    pthread_cancel(s->thread); /* it may be waiting for a pipe that will never have data */
    pthread_join(s->thread, NULL);
    nytp_source_free(s->inner);
    free_unstarted(s);
}

static nytp_source *readahead_detach(nytp_source *self)
{
    readahead_source *s = (readahead_source *)self;
    nytp_source *inner = s->inner;
    s->inner = NULL; /* the thread has ended */
    readahead_free(self);
    return inner->detach(inner);
}

nytp_source *nytp_readahead_new(nytp_source *inner)
{
    readahead_source *s = nytp_source_alloc(sizeof *s, inner->name, readahead_read, readahead_free);
    if (s == NULL)
        return inner;
    s->inner = inner;
    s->blocks = ring_new();
    /* A pipe may be slow, so each of its blocks is used at once. */
    s->enough = inner->size_bytes > 0 ? BLOCKS / 8 : 1;
    s->base.lend = readahead_lend;
    s->base.detach = inner->detach != NULL ? readahead_detach : NULL;
    s->base.size_bytes = inner->size_bytes;
    s->base.taken_bytes = inner->taken_bytes;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->moved, NULL);
    if (s->blocks == NULL || nytp_thread_start(&s->thread, read_ahead, s) != 0) {
        free_unstarted(s);
        return inner;
    }
    return &s->base;
}
