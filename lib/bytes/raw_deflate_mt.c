#include "bytes/raw_deflate_mt.h"

#include "base/grow.h"
#include "bytes/ordered_pool.h"
#include "bytes/raw_deflate.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE_BYTES = 256 << 10, MOST_THREADS = 4, PIECES_PER_THREAD = 2 };

typedef struct piece {
    size_t in_size, out_size, out_capacity;
    unsigned char *out;
    bool ends; /* its stream */
    int status;
    unsigned char in[PIECE_BYTES];
} piece;

/* What a thread compresses with. */
typedef struct compressor {
    nytp_raw_deflate *deflate;
    piece *current;
} compressor;

struct nytp_raw_deflate_mt {
    int level;
    nytp_deflated_fn *deflated;
    void *context;
    nytp_ordered_pool *pool;
    compressor compressors[MOST_THREADS + 1]; /* by number of the worker; the caller is one, too */
};

static int append(void *context, const void *data, size_t size)
{
    piece *p = ((compressor *)context)->current;
    unsigned char *larger = nytp_grow(p->out, &p->out_capacity, p->out_size + size, 1);
    if (larger == NULL)
        return -ENOMEM;
    p->out = larger;
    memcpy(p->out + p->out_size, data, size);
    p->out_size += size;
    return 0;
}

/* An error of append() stays with the compressor, so each piece after it has it, too. */
static void compress(void *context, void *job, unsigned worker)
{
    const nytp_raw_deflate_mt *d = context;
    compressor *c = &((nytp_raw_deflate_mt *)context)->compressors[worker];
    piece *p = c->current = job;
    p->out_size = 0;
    if (c->deflate == NULL)
        c->deflate = nytp_raw_deflate_new(d->level, append, c);
    if (c->deflate == NULL) {
        p->status = -ENOMEM;
        return;
    }
    nytp_raw_deflate_write(c->deflate, p->in, p->in_size);
    p->status = p->ends ? nytp_raw_deflate_finish(c->deflate) : nytp_raw_deflate_cut(c->deflate);
}

static void clear_piece(void *job)
{
    free(((piece *)job)->out);
}

/* Returns how many processors there are beside that of the caller. */
static unsigned other_processors(void)
{
    cpu_set_t cores;
    const unsigned count = sched_getaffinity(0, sizeof cores, &cores) == 0 ? (unsigned)CPU_COUNT(&cores) : 1;
    return count - 1 < MOST_THREADS ? count - 1 : MOST_THREADS;
}

nytp_raw_deflate_mt *nytp_raw_deflate_mt_new(int level, nytp_deflated_fn *deflated, void *context)
{
    static const nytp_pool_work work = {.run = compress, .clear = clear_piece};
    const unsigned threads = other_processors();
    nytp_raw_deflate_mt *d = calloc(1, sizeof *d);
    if (d == NULL)
        return NULL;
    d->level = level;
    d->deflated = deflated;
    d->context = context;
    d->pool = nytp_ordered_pool_new(&work, d, PIECES_PER_THREAD * threads + 1, sizeof(piece), threads);
    if (d->pool == NULL) {
        free(d);
        return NULL;
    }
    return d;
}

void nytp_raw_deflate_mt_free(nytp_raw_deflate_mt *d)
{
    if (d == NULL)
        return;
    nytp_ordered_pool_free(d->pool);
    for (unsigned i = 0; i <= MOST_THREADS; i++)
        nytp_raw_deflate_free(d->compressors[i].deflate);
    free(d);
}

int nytp_raw_deflate_mt_collect(nytp_raw_deflate_mt *d, bool *any)
{
    piece *p = nytp_ordered_pool_oldest(d->pool, NYTP_POOL_HELP);
    *any = p != NULL;
    if (p == NULL)
        return 0;
    if (p->status != 0)
        return NYTP_ERR_MEMORY;
    d->deflated(d->context, p->out, p->out_size, p->ends);
    p->in_size = 0;
    p->ends = false;
    nytp_ordered_pool_release(d->pool);
    return 0;
}

/* Sets *p to the piece to fill. */
static int next_piece(nytp_raw_deflate_mt *d, piece **p)
{
    bool any;
    while ((*p = nytp_ordered_pool_next(d->pool)) == NULL)
        if (nytp_raw_deflate_mt_collect(d, &any) != 0)
            return NYTP_ERR_MEMORY;
    return 0;
}

int nytp_raw_deflate_mt_write(nytp_raw_deflate_mt *d, const void *data, size_t size)
{
    const unsigned char *at = data;
    while (size > 0) {
        piece *p;
        if (next_piece(d, &p) != 0)
            return NYTP_ERR_MEMORY;
        const size_t room = PIECE_BYTES - p->in_size, some = size < room ? size : room;
        if (some == 0) { /* only now: a full piece may have been the last of its stream */
            nytp_ordered_pool_submit(d->pool);
            continue;
        }
        memcpy(p->in + p->in_size, at, some);
        p->in_size += some;
        at += some;
        size -= some;
    }
    return 0;
}

int nytp_raw_deflate_mt_end(nytp_raw_deflate_mt *d)
{
    piece *p;
    if (next_piece(d, &p) != 0)
        return NYTP_ERR_MEMORY;
    p->ends = true;
    nytp_ordered_pool_submit(d->pool);
    return 0;
}
