/* Inflating: a source that reads compressed bytes from another one. */
#include "bytes/inflate.h"

#include "base/error.h"
#include "bytes/adler.h"
#include "bytes/codec.h"
#include "bytes/source.h"

#include <stdlib.h>
#include <string.h>

typedef struct inflate_source {
    nytp_source base;
    nytp_source *inner;
    const nytp_inflater *inflater;
    void *state;
    nytp_window w;         /* w.in: bytes that were read and not yet inflated */
    unsigned char *prefix; /* freed once it is used up */
    int ended;             /* NYTP_OK while inflating; then how the stream ended */
    const char *why;       /* the reason for NYTP_ERR_FORMAT */
    uint64_t file_offset;  /* of the first byte of the prefix */
    uint64_t used_bytes;   /* how many were inflated, from there on */
    bool resumed;          /* from a point: the check must still be read, and compared with adler */
    uint32_t adler;
    unsigned char input[64 << 10];
} inflate_source;

static const char no_end[] = "the compressed data has no end";

/* Reads input if there is none. Returns 1 if there is some then, 0 at the end, or a negative nytp_status. */
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

static int report_end(inflate_source *s, nytp_error *err)
{
    if (s->ended == NYTP_ERR_FORMAT)
        return nytp_fail(err, s->ended, "%s: file offset %llu: bad compressed data: %s (%s)", s->base.name,
                         (unsigned long long)(s->file_offset + s->used_bytes), s->why, s->inflater->library);
    if (s->ended == NYTP_ERR_MEMORY)
        return nytp_fail(err, s->ended, "%s: out of memory while inflating", s->base.name);
    return 0;
}

/* Reads and compares the check after a stream that was resumed. */
static int check_end(inflate_source *s, nytp_error *err)
{
    uint32_t expected = 0;
    s->resumed = false;
    for (int i = 0; i < NYTP_ZLIB_CHECK_BYTES; i++) {
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
    return report_end(s, err);
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
        if (got > 0) /* an error waits until the data before it have been handed out */
            return (ptrdiff_t)got;
        if (some == 0 && s->ended == NYTP_OK) {
            self->cut = no_end;
            s->ended = NYTP_END;
            return 0;
        }
    }
    return s->resumed && s->ended == NYTP_END ? check_end(s, err) : report_end(s, err);
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
    inflate_source *s = nytp_source_alloc_over(sizeof *s, inner, inflate_read, inflate_free);
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
    inflate_source *s = source_new(inner, prefix, prefix_size, &nytp_zlib_inflater, true);
    if (s == NULL)
        return NULL;
    nytp_zlib_set_history(s->state, from->history, from->history_size);
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
