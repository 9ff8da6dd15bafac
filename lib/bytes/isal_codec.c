#include "bytes/codec.h"

#ifdef NYTP_HAVE_ISAL
#include <isa-l/igzip_lib.h>
#include <stdlib.h>

/* The larger buffers that isa-l proposes make files 0.1 % smaller. */
enum { ISAL_BUFFER_BYTES = ISAL_DEF_LVL2_SMALL };
_Static_assert(ISAL_DEF_LVL1_SMALL <= ISAL_DEF_LVL2_SMALL, "the buffer must do for both levels");

typedef struct deflating {
    uint32_t level;
    struct isal_zstream z;
    uint8_t buffer[ISAL_BUFFER_BYTES];
} deflating;

static void *deflate_start(int level)
{
    deflating *i = malloc(sizeof *i);
    if (i != NULL)
        i->level = (uint32_t)level;
    return i;
}

/* Initializes here, so that a state that is not used takes no memory. */
static void deflate_restart(void *state)
{
    deflating *i = state;
    isal_deflate_init(&i->z);
    i->z.level = i->level;
    i->z.level_buf = i->buffer;
    i->z.level_buf_size = i->level < 2 ? ISAL_DEF_LVL1_SMALL : ISAL_DEF_LVL2_SMALL;
}

static const char *deflate_step(void *state, nytp_window *w, enum nytp_deflate_flush flush)
{
    struct isal_zstream *z = &((deflating *)state)->z;
    z->next_in = (uint8_t *)(uintptr_t)w->in; /* not written to */
    z->avail_in = nytp_step_bytes(w->in_size);
    z->next_out = w->out;
    z->avail_out = nytp_step_bytes(w->out_size);
    if (z->avail_in < w->in_size)
        flush = NYTP_DEFLATE_MORE;
    z->flush = flush == NYTP_DEFLATE_SYNC ? SYNC_FLUSH : NO_FLUSH;
    z->end_of_stream = flush == NYTP_DEFLATE_END;
    int rc = isal_deflate(z);
    nytp_window_advance(w, z->next_in, z->next_out);
    return rc == COMP_OK ? NULL : "stream error";
}

static const nytp_deflater deflater = {deflate_start, deflate_restart, deflate_step, free};
const nytp_deflater *const nytp_isal_deflater = &deflater;
#else
const nytp_deflater *const nytp_isal_deflater = NULL;
#endif

/* On arm64, isa-l 2.30 reads up to 32 bytes past the end of what it computes the Adler-32 of (its pull
 * request 215), which its inflater does, too. */
#if defined NYTP_HAVE_ISAL && !defined __aarch64__
typedef struct inflating {
    int rc; /* the last one; an error stays */
    struct inflate_state s;
} inflating;

static void *inflate_start(void)
{
    inflating *i = calloc(1, sizeof *i);
    if (i != NULL) {
        i->rc = ISAL_DECOMP_OK;
        isal_inflate_init(&i->s);
        i->s.crc_flag = ISAL_ZLIB;
    }
    return i;
}

/* isa-l has only numbers for errors. Returns zlib's words for the same defects. */
static const char *words(const inflating *i)
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

/* After an error isa-l still holds what it had decoded and had no space for. Moves that to the window.
 * Returns false if there is more of it. */
static bool take_held_output(struct inflate_state *s, nytp_window *w)
{
    size_t left = (size_t)(s->tmp_out_valid - s->tmp_out_processed);
    size_t size = left < w->out_size ? left : w->out_size;
    memcpy(w->out, s->tmp_out_buffer + s->tmp_out_processed, size);
    s->tmp_out_processed += (int32_t)size;
    w->out += size;
    w->out_size -= size;
    return size == left;
}

static int inflate_step(void *state, nytp_window *w, const char **why)
{
    inflating *i = state;
    struct inflate_state *s = &i->s;
    s->next_in = (uint8_t *)(uintptr_t)w->in; /* not written to */
    s->avail_in = nytp_step_bytes(w->in_size);
    s->next_out = w->out;
    s->avail_out = nytp_step_bytes(w->out_size);
    if (i->rc >= 0 && i->rc != ISAL_NEED_DICT)
        i->rc = isal_inflate(s);
    nytp_window_advance(w, s->next_in, s->next_out);
    if (i->rc < 0 || i->rc == ISAL_NEED_DICT) {
        *why = words(i);
        return take_held_output(s, w) ? NYTP_ERR_FORMAT : NYTP_OK;
    }
    return s->block_state == ISAL_BLOCK_FINISH ? NYTP_END : NYTP_OK;
}

/* isa-l takes whole words, and keeps the rest of the last one in its bit buffer. */
static size_t inflate_held(const void *state, unsigned char bytes[NYTP_INFLATE_HELD_MAX])
{
    const struct inflate_state *s = &((const inflating *)state)->s;
    const size_t count = s->read_in_length > 0 ? (size_t)s->read_in_length / 8 : 0;
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)(s->read_in >> 8 * i);
    return count;
}

static const nytp_inflater inflater = {"isa-l", inflate_start, inflate_step, inflate_held, free};

static uint32_t adler(uint32_t sum, const unsigned char *data, uint64_t size)
{
    return isal_adler32(sum, data, size);
}

const nytp_inflater *const nytp_isal_inflater = &inflater;
uint32_t (*const nytp_isal_adler)(uint32_t, const unsigned char *, uint64_t) = adler;

#else
const nytp_inflater *const nytp_isal_inflater = NULL;
uint32_t (*const nytp_isal_adler)(uint32_t, const unsigned char *, uint64_t) = NULL;
#endif
