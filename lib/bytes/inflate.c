/* Inflating: a source that reads compressed bytes from another one. */
#include "bytes/source.h"

#include "base/error.h"
#include "bytes/codec.h"

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
    unsigned char input[64 << 10];
} inflate_source;

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

static ptrdiff_t inflate_read(nytp_source *self, void *buffer, size_t size, nytp_error *err)
{
    inflate_source *s = (inflate_source *)self;
    while (s->ended == NYTP_OK) {
        int filled = fill(s, err);
        if (filled < 0)
            return filled;
        size_t had = s->w.in_size;
        s->w.out = buffer;
        s->w.out_size = size;
        s->ended = s->inflater->step(s->state, &s->w, &s->why);
        s->used_bytes += had - s->w.in_size;
        size_t got = size - s->w.out_size;
        if (got > 0) /* an error waits until the data before it have been handed out */
            return (ptrdiff_t)got;
        if (filled == 0 && s->ended == NYTP_OK) {
            self->cut = "the compressed data has no end";
            s->ended = NYTP_END;
            return 0;
        }
    }
    return report_end(s, err);
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

nytp_source *nytp_inflate_new(nytp_source *inner, const void *prefix, size_t prefix_size,
                              enum nytp_inflate_with with)
{
    inflate_source *s = nytp_source_alloc_over(sizeof *s, inner, inflate_read, inflate_free);
    if (s == NULL) {
        nytp_source_free(inner);
        return NULL;
    }
    s->inner = inner;
    s->inflater = nytp_inflater_of(with);
    s->state = s->inflater->start();
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
    return &s->base;
}
