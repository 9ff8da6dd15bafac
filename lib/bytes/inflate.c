/* Inflating: a source that reads compressed bytes from another one. zlib can do it, and so can isa-l, which
 * is faster and used where it was there at build time. */
#include "bytes/inflate.h"

#include "base/error.h"
#include "bytes/adler.h"
#include "bytes/source.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef NYTP_HAVE_ISAL
#include <isa-l/igzip_lib.h>
#endif

/* ---- zlib ---- */

static void *zlib_start(bool raw)
{
    enum { WINDOW_BITS = 15 };
    z_stream *z = calloc(1, sizeof *z);
    if (z != NULL && inflateInit2(z, raw ? -WINDOW_BITS : WINDOW_BITS) != Z_OK) {
        free(z);
        return NULL;
    }
    return z;
}

static int zlib_step(void *state, nytp_window *w, const char **why)
{
    z_stream *z = state;
    z->next_in = (Bytef *)(uintptr_t)w->in; /* zlib does not write there; its type is from before const */
    z->avail_in = (uInt)w->in_size;
    z->next_out = w->out;
    z->avail_out = (uInt)w->out_size;
    int rc = inflate(z, Z_NO_FLUSH);
    w->in = z->next_in;
    w->in_size = z->avail_in;
    w->out = z->next_out;
    w->out_size = z->avail_out;
    if (rc == Z_STREAM_END)
        return NYTP_END;
    if (rc == Z_OK || rc == Z_BUF_ERROR)
        return NYTP_OK;
    if (rc == Z_MEM_ERROR)
        return NYTP_ERR_MEMORY;
    *why = z->msg != NULL ? z->msg : rc == Z_NEED_DICT ? "needs a preset dictionary" : zError(rc);
    return NYTP_ERR_FORMAT;
}

static bool zlib_between_blocks(const void *state)
{
    enum {
        BETWEEN = 128
    }; /* zlib.h of inflate(): behind a block that is not the last, no bits are left over */
    return ((const z_stream *)state)->data_type == BETWEEN;
}

/* zlib gives back what it does not need. */
static size_t zlib_held(const void *state, unsigned char bytes[NYTP_INFLATE_HELD_MAX])
{
    (void)state, (void)bytes;
    return 0;
}

static void zlib_stop(void *state)
{
    inflateEnd(state);
    free(state);
}

static const nytp_inflater with_zlib = {"zlib",    zlib_start, zlib_step, zlib_between_blocks,
                                        zlib_held, zlib_stop};

/* ---- isa-l ---- */

#ifdef NYTP_HAVE_ISAL
typedef struct isal {
    int rc; /* the last one; an error stays */
    struct inflate_state s;
} isal;

static void *isal_start(bool raw)
{
    isal *i = calloc(1, sizeof *i);
    if (i != NULL) {
        i->rc = ISAL_DECOMP_OK;
        isal_inflate_init(&i->s);
        i->s.crc_flag = raw ? ISAL_DEFLATE : ISAL_ZLIB;
    }
    return i;
}

/* isa-l has numbers only; the words are zlib's for the same defects. */
static const char *isal_words(const isal *i)
{
    if (i->rc == ISAL_INCORRECT_CHECKSUM && i->s.block_state == ISAL_BLOCK_NEW_HDR)
        return "incorrect header check";
    switch (i->rc) {
    case ISAL_INVALID_BLOCK: return "invalid block type";
    case ISAL_INVALID_SYMBOL: return "invalid code";
    case ISAL_INVALID_LOOKBACK: return "invalid distance too far back";
    case ISAL_INVALID_WRAPPER: return "incorrect header check";
    case ISAL_UNSUPPORTED_METHOD: return "unknown compression method";
    case ISAL_INCORRECT_CHECKSUM: return "incorrect data check";
    case ISAL_NEED_DICT: return "needs a preset dictionary";
    default: return "data error";
    }
}

/* After an error isa-l holds back what it had decoded and had no room for. Moves that to the window; false:
 * there is more of it. */
static bool isal_rescue(struct inflate_state *s, nytp_window *w)
{
    size_t left = (size_t)(s->tmp_out_valid - s->tmp_out_processed);
    size_t size = left < w->out_size ? left : w->out_size;
    memcpy(w->out, s->tmp_out_buffer + s->tmp_out_processed, size);
    s->tmp_out_processed += (int32_t)size;
    w->out += size;
    w->out_size -= size;
    return size == left;
}

static int isal_step(void *state, nytp_window *w, const char **why)
{
    isal *i = state;
    struct inflate_state *s = &i->s;
    s->next_in = (uint8_t *)(uintptr_t)w->in; /* not written to */
    s->avail_in = (uint32_t)w->in_size;
    s->next_out = w->out;
    s->avail_out = (uint32_t)w->out_size;
    if (i->rc >= 0 && i->rc != ISAL_NEED_DICT)
        i->rc = isal_inflate(s);
    w->in = s->next_in;
    w->in_size = s->avail_in;
    w->out = s->next_out;
    w->out_size = s->avail_out;
    if (i->rc < 0 || i->rc == ISAL_NEED_DICT) {
        *why = isal_words(i);
        return isal_rescue(s, w) ? NYTP_ERR_FORMAT : NYTP_OK;
    }
    return s->block_state == ISAL_BLOCK_FINISH ? NYTP_END : NYTP_OK;
}

/* isa-l may be waiting for the rest of a block's header before it has seen a byte of it, as after 64 KiB of
 * output. */
static bool isal_between_blocks(const void *state)
{
    const struct inflate_state *s = &((const isal *)state)->s;
    return s->read_in_length == 0 && (s->block_state == ISAL_BLOCK_NEW_HDR ||
                                      (s->block_state == ISAL_BLOCK_HDR && s->tmp_in_size == 0));
}

/* isa-l takes whole words, and keeps the rest of the last one in its bit buffer. */
static size_t isal_held(const void *state, unsigned char bytes[NYTP_INFLATE_HELD_MAX])
{
    const struct inflate_state *s = &((const isal *)state)->s;
    const size_t count = s->read_in_length > 0 ? (size_t)s->read_in_length / 8 : 0;
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)(s->read_in >> 8 * i);
    return count;
}

static const nytp_inflater with_isal = {"isa-l", isal_start, isal_step, isal_between_blocks, isal_held, free};
#endif

const nytp_inflater *nytp_inflater_of(enum nytp_inflate_with with)
{
#ifdef NYTP_HAVE_ISAL
    if (with != NYTP_INFLATE_ZLIB)
        return &with_isal;
#else
    if (with == NYTP_INFLATE_ISAL)
        return NULL;
#endif
    return &with_zlib;
}

bool nytp_inflate_has(enum nytp_inflate_with with)
{
    return nytp_inflater_of(with) != NULL;
}

/* ---- the source ---- */

typedef struct inflate_source {
    nytp_source base;
    nytp_source *inner;
    const nytp_inflater *inflater;
    void *state;
    nytp_window w;         /* w.in: what was read and not yet inflated */
    unsigned char *prefix; /* freed once it is used up */
    int ended;             /* NYTP_OK while running; then what the stream ended with */
    const char *why;       /* of NYTP_ERR_FORMAT */
    uint64_t file_offset;  /* of the first byte of the prefix */
    uint64_t used_bytes;   /* from there on */
    bool resumed;          /* from a point: the check is still to be read and compared with adler */
    uint32_t adler;
    unsigned char input[64 << 10];
} inflate_source;

static const char no_end[] = "the compressed data has no end";

/* Sees that there is input. 1: there is; 0: inner's end; negative: an error. */
static int fill(inflate_source *s, nytp_error *err)
{
    if (s->w.in_size > 0)
        return 1;
    free(s->prefix);
    s->prefix = NULL;
    ptrdiff_t n = s->inner->read(s->inner, s->input, sizeof s->input, err);
    s->base.taken_bytes = s->inner->taken_bytes;
    if (n <= 0)
        return (int)n;
    s->w.in = s->input;
    s->w.in_size = (size_t)n;
    return 1;
}

static int tell_end(inflate_source *s, nytp_error *err)
{
    if (s->ended == NYTP_ERR_FORMAT)
        return nytp_fail(err, s->ended, "%s: file offset %llu: bad compressed data: %s (%s)", s->base.name,
                         (unsigned long long)(s->file_offset + s->used_bytes), s->why, s->inflater->library);
    if (s->ended == NYTP_ERR_MEMORY)
        return nytp_fail(err, s->ended, "%s: out of memory while inflating", s->base.name);
    return 0;
}

/* The check behind a stream that was resumed. */
static int check_end(inflate_source *s, nytp_error *err)
{
    uint32_t expected = 0;
    s->resumed = false;
    for (int i = 0; i < 4; i++) {
        int some = fill(s, err);
        if (some == 0)
            s->base.cut = no_end;
        if (some <= 0)
            return some;
        expected = expected << 8 | *s->w.in++;
        s->w.in_size--;
        s->used_bytes++;
    }
    if (expected != s->adler) {
        s->ended = NYTP_ERR_FORMAT;
        s->why = "incorrect data check";
    }
    return tell_end(s, err);
}

static ptrdiff_t inflate_read(nytp_source *self, void *buffer, size_t size, nytp_error *err)
{
    inflate_source *s = (inflate_source *)self;
    while (s->ended == NYTP_OK) {
        int some = fill(s, err);
        if (some < 0)
            return some;
        size_t had = s->w.in_size;
        s->w.out = buffer;
        s->w.out_size = size;
        s->ended = s->inflater->step(s->state, &s->w, &s->why);
        s->used_bytes += had - s->w.in_size;
        size_t got = size - s->w.out_size;
        if (s->resumed)
            s->adler = nytp_adler(s->adler, buffer, got);
        if (got > 0) /* an error waits until what came before it was taken */
            return (ptrdiff_t)got;
        if (some == 0 && s->ended == NYTP_OK) {
            self->cut = no_end;
            s->ended = NYTP_END;
            return 0;
        }
    }
    return s->resumed && s->ended == NYTP_END ? check_end(s, err) : tell_end(s, err);
}

static void inflate_free(nytp_source *self)
{
    inflate_source *s = (inflate_source *)self;
    if (s->state != NULL)
        s->inflater->stop(s->state);
    nytp_source_free(s->inner);
    free(s->prefix);
    free(self->name);
    free(s);
}

static nytp_source *inflate_detach(nytp_source *self)
{
    inflate_source *s = (inflate_source *)self;
    unsigned char held[NYTP_INFLATE_HELD_MAX];
    const size_t held_size = s->inflater->held(s->state, held);
    nytp_source *rest = nytp_source_prepend(s->inner, s->w.in, s->w.in_size);
    if (rest != NULL && held_size > 0)
        rest = nytp_source_prepend(rest, held, held_size);
    s->inner = NULL;
    inflate_free(self);
    return rest;
}

static inflate_source *source_new(nytp_source *inner, const void *prefix, size_t prefix_size,
                                  const nytp_inflater *inflater, bool raw)
{
    inflate_source *s = nytp_source_alloc(sizeof *s, inner->name, inflate_read, inflate_free);
    if (s == NULL) {
        nytp_source_free(inner);
        return NULL;
    }
    s->inner = inner;
    s->inflater = inflater;
    s->state = inflater->start(raw);
    s->prefix = malloc(prefix_size > 0 ? prefix_size : 1);
    if (s->state == NULL || s->prefix == NULL) {
        inflate_free(&s->base);
        return NULL;
    }
    if (prefix_size > 0)
        memcpy(s->prefix, prefix, prefix_size);
    s->w.in = s->prefix;
    s->w.in_size = prefix_size;
    s->base.detach = inflate_detach;
    s->base.cancellable = inner->cancellable;
    s->base.size_bytes = inner->size_bytes;
    s->base.taken_bytes = inner->taken_bytes;
    s->file_offset = inner->taken_bytes - prefix_size;
    return s;
}

nytp_source *nytp_inflate_new(nytp_source *inner, const void *prefix, size_t prefix_size,
                              enum nytp_inflate_with with)
{
    inflate_source *s = source_new(inner, prefix, prefix_size, nytp_inflater_of(with), false);
    return s != NULL ? &s->base : NULL;
}

nytp_source *nytp_inflate_resume(nytp_source *inner, const void *prefix, size_t prefix_size,
                                 const nytp_inflate_point *from)
{
    inflate_source *s = source_new(inner, prefix, prefix_size, &with_zlib, true);
    if (s == NULL)
        return NULL;
    inflateSetDictionary(s->state, from->history, (uInt)from->history_size);
    s->resumed = true;
    s->adler = from->adler;
    return &s->base;
}

void nytp_inflate_point_move(nytp_inflate_point *point, const void *bytes, size_t size, uint32_t adler)
{
    enum { MOST = sizeof point->history };
    size_t tail = size < MOST ? size : MOST, kept = point->history_size;
    if (kept > MOST - tail)
        kept = MOST - tail;
    memmove(point->history, point->history + point->history_size - kept, kept);
    memcpy(point->history + kept, (const unsigned char *)bytes + size - tail, tail);
    point->history_size = kept + tail;
    point->adler = nytp_adler_join(point->adler, adler, size);
}
