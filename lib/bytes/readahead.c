/* A source that a thread of its own reads ahead: the thread inflates, the caller decodes.
 *
 * A ring of blocks: the thread fills the one at filled, the reader empties the
 * one at emptied. The mutex guards the two counters and the end; the
 * blocks between them belong to the reader, the others to the thread.
 */
#include "bytes/readahead.h"

#include "base/thread.h"
#include "bytes/source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* Each is no more than a part of a core's L2. Together they are what one may be ahead by. */
enum { BLOCKS = 32, BLOCK_SIZE = 128 << 10 };

typedef struct block {
    size_t size;
    unsigned char before[NYTP_LENT_BEFORE];
    unsigned char bytes[BLOCK_SIZE - sizeof(size_t) - NYTP_LENT_BEFORE - NYTP_PAD];
    unsigned char behind[NYTP_PAD];
} block;

typedef struct ahead_source {
    nytp_source base;
    nytp_source *inner;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t moved; /* the other side has what it waits for: blocks enough, or ended or stop */
    uint64_t filled, emptied;
    unsigned enough; /* blocks: a reader that has to wait goes on with so many */
    bool ended, stop;
    nytp_error end_error; /* code NYTP_OK: inner's end */
    size_t taken;         /* bytes of the block at emptied; only the reader uses it, and lent */
    bool lent;            /* all of that block */
    block *blocks;
} ahead_source;

/* Two threads go over all of its pages, again and again: huge ones, where the system has them, take less
 * looking up. */
static block *ring_new(void)
{
    enum { HUGE_PAGE = 2 << 20, SIZE = BLOCKS * sizeof(block) };
    _Static_assert(SIZE % HUGE_PAGE == 0, "the ring must be whole huge pages");
    block *blocks = aligned_alloc(HUGE_PAGE, SIZE);
    if (blocks != NULL)
        madvise(blocks, SIZE, MADV_HUGEPAGE);
    return blocks;
}

/* To wake a thread costs who does it as much as inflating a block or two, on a virtual machine more, and the
 * other one, too, comes late. So who waits takes naps and looks by itself, and wants to be woken after NAPS
 * of them only: whoever it waits for may be waiting for a pipe. Holds the lock, but not meanwhile. */
static void wait_for_move(ahead_source *s, unsigned *naps)
{
    enum { NAPS = 20, NAP_NS = 100000 };
    if (++*naps > NAPS) {
        pthread_cond_wait(&s->moved, &s->lock);
        return;
    }
    pthread_mutex_unlock(&s->lock);
    nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
    pthread_mutex_lock(&s->lock);
}

/* Waits for a block to fill. NULL: the reader wants no more. Once all are full it
 * waits until half of them are empty. */
static block *next_to_fill(ahead_source *s)
{
    unsigned naps = 0;
    pthread_mutex_lock(&s->lock);
    if (s->filled - s->emptied == BLOCKS)
        while (!s->stop && s->filled - s->emptied > BLOCKS / 2)
            wait_for_move(s, &naps);
    block *b = s->stop ? NULL : &s->blocks[s->filled % BLOCKS];
    pthread_mutex_unlock(&s->lock);
    return b;
}

static void hand_over(ahead_source *s, bool last)
{
    pthread_mutex_lock(&s->lock);
    s->filled++;
    s->ended = last;
    if (last || s->filled - s->emptied == s->enough)
        pthread_cond_signal(&s->moved);
    pthread_mutex_unlock(&s->lock);
}

static void *work(void *argument)
{
    ahead_source *s = argument;
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
        hand_over(s, last);
    }
    return NULL;
}

/* Waits for a block with bytes in it; if there is none, for enough of them. NULL: the end. */
static block *next_to_empty(ahead_source *s)
{
    unsigned naps = 0;
    pthread_mutex_lock(&s->lock);
    if (s->emptied == s->filled)
        while (s->filled - s->emptied < s->enough && !s->ended)
            wait_for_move(s, &naps);
    block *b = s->emptied < s->filled ? &s->blocks[s->emptied % BLOCKS] : NULL;
    pthread_mutex_unlock(&s->lock);
    return b != NULL && b->size > 0 ? b : NULL;
}

static void give_back(ahead_source *s)
{
    pthread_mutex_lock(&s->lock);
    s->emptied++;
    s->taken = 0;
    s->lent = false;
    if (s->filled - s->emptied == BLOCKS / 2)
        pthread_cond_signal(&s->moved);
    pthread_mutex_unlock(&s->lock);
}

/* The block at emptied, which has bytes left. NULL: the end, and *end is what to return. */
static block *current(ahead_source *s, ptrdiff_t *end, nytp_error *err)
{
    if (s->lent)
        give_back(s);
    block *b = next_to_empty(s);
    if (b == NULL) { /* the thread is done and touches nothing any more */
        s->base.cut = s->inner->cut;
        if (s->end_error.code != NYTP_OK)
            *err = s->end_error;
        *end = s->end_error.code;
    }
    return b;
}

static ptrdiff_t ahead_read(nytp_source *self, void *buffer, size_t size, nytp_error *err)
{
    ahead_source *s = (ahead_source *)self;
    ptrdiff_t end;
    block *b = current(s, &end, err);
    if (b == NULL)
        return end;
    if (size > b->size - s->taken)
        size = b->size - s->taken;
    memcpy(buffer, b->bytes + s->taken, size);
    s->taken += size;
    if (s->taken == b->size)
        give_back(s);
    return (ptrdiff_t)size;
}

static ptrdiff_t ahead_lend(nytp_source *self, unsigned char **bytes, nytp_error *err)
{
    ahead_source *s = (ahead_source *)self;
    ptrdiff_t end;
    block *b = current(s, &end, err);
    if (b == NULL)
        return end;
    *bytes = b->bytes + s->taken;
    s->lent = true;
    return (ptrdiff_t)(b->size - s->taken);
}

static void ahead_free(nytp_source *self)
{
    ahead_source *s = (ahead_source *)self;
    pthread_mutex_lock(&s->lock);
    s->stop = true;
    pthread_cond_signal(&s->moved);
    pthread_mutex_unlock(&s->lock);
    pthread_cancel(s->thread); /* it may be waiting for a pipe that nobody writes to any more */
    pthread_join(s->thread, NULL);
    pthread_cond_destroy(&s->moved);
    pthread_mutex_destroy(&s->lock);
    nytp_source_free(s->inner);
    free(s->blocks);
    free(self->name);
    free(s);
}

nytp_source *nytp_readahead_new(nytp_source *inner)
{
    ahead_source *s = nytp_source_alloc(sizeof *s, inner->name, ahead_read, ahead_free);
    if (s == NULL)
        return inner;
    s->inner = inner;
    s->blocks = ring_new();
    s->enough = inner->size_bytes > 0 ? BLOCKS / 4 : 1; /* a pipe may be slow, and what came is to be seen */
    s->base.lend = ahead_lend;
    s->base.size_bytes = inner->size_bytes;
    s->base.taken_bytes = inner->taken_bytes;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->moved, NULL);
    if (s->blocks == NULL || nytp_thread_start(&s->thread, work, s) != 0) {
        pthread_cond_destroy(&s->moved);
        pthread_mutex_destroy(&s->lock);
        free(s->blocks);
        free(s->base.name);
        free(s);
        return inner;
    }
    return &s->base;
}
