/* zlib and isa-l as deflaters, and which of them does what.
 *
 * Profiles of pod2man (perlfunc.pod, 33 MB of chunks) and json_pp (19 MB), on one core:
 * build/bench/deflate-only PROFILE
 *
 *                         pod2man              json_pp
 *     isa-l 1             5.97 MB   705 MB/s   1.68 MB  1091 MB/s
 *     isa-l 2             5.87 MB   708 MB/s   1.68 MB  1070 MB/s
 *     zlib 2              5.92 MB   136 MB/s   1.46 MB   190 MB/s
 *     zlib 4              4.84 MB   102 MB/s   1.21 MB   130 MB/s
 *     zlib 5              4.42 MB    87 MB/s   0.98 MB   145 MB/s
 *     zlib 6              4.15 MB    54 MB/s   0.76 MB    96 MB/s
 *     zlib 7              4.10 MB    44 MB/s   0.72 MB    73 MB/s
 *     zlib 9              4.03 MB    12 MB/s   0.63 MB    19 MB/s
 */
#include "bytes/codec.h"

#include <stdlib.h>
#include <zlib.h>
#ifdef NYTP_HAVE_ISAL
#include <isa-l/igzip_lib.h>
#endif

/* ---- zlib ---- */

static void *zlib_start(int level)
{
    enum { RAW_32K_WINDOW = -15, DEFAULT_MEMORY = 8 };
    z_stream *z = calloc(1, sizeof *z);
    if (z != NULL &&
        deflateInit2(z, level, Z_DEFLATED, RAW_32K_WINDOW, DEFAULT_MEMORY, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(z);
        return NULL;
    }
    return z;
}

static void zlib_restart(void *state)
{
    deflateReset(state); /* cannot fail: the state is a good one */
}

static const char *zlib_step(void *state, nytp_window *w, enum nytp_deflate_flush flush)
{
    static const int flush_of[] = {
        [NYTP_DEFLATE_MORE] = Z_NO_FLUSH, [NYTP_DEFLATE_SYNC] = Z_SYNC_FLUSH, [NYTP_DEFLATE_END] = Z_FINISH};
    z_stream *z = state;
    z->next_in = (Bytef *)(uintptr_t)w->in; /* zlib does not write there; its type is from before const */
    z->avail_in = (uInt)w->in_size;
    z->next_out = w->out;
    z->avail_out = (uInt)w->out_size;
    int rc = deflate(z, flush_of[flush]);
    w->in = z->next_in;
    w->in_size = z->avail_in;
    w->out = z->next_out;
    w->out_size = z->avail_out;
    return rc != Z_STREAM_ERROR ? NULL : z->msg != NULL ? z->msg : "stream error";
}

static void zlib_stop(void *state)
{
    deflateEnd(state);
    free(state);
}

static const nytp_deflater zlib_backend = {zlib_start, zlib_restart, zlib_step, zlib_stop};

/* ---- isa-l ---- */

#ifdef NYTP_HAVE_ISAL
/* The larger buffers that isa-l proposes make files 0.1 % smaller. */
enum { ISAL_BUFFER_BYTES = ISAL_DEF_LVL2_SMALL };
_Static_assert(ISAL_DEF_LVL1_SMALL <= ISAL_DEF_LVL2_SMALL, "the buffer must do for both levels");

typedef struct isal {
    struct isal_zstream z;
    uint8_t buffer[ISAL_BUFFER_BYTES];
} isal;

static void *isal_start(int level)
{
    isal *i = malloc(sizeof *i);
    if (i == NULL)
        return NULL;
    isal_deflate_init(&i->z);
    i->z.level = (uint32_t)level;
    i->z.level_buf = i->buffer;
    i->z.level_buf_size = level < 2 ? ISAL_DEF_LVL1_SMALL : ISAL_DEF_LVL2_SMALL;
    return i;
}

static void isal_restart(void *state)
{
    isal_deflate_reset(&((isal *)state)->z);
}

static const char *isal_step(void *state, nytp_window *w, enum nytp_deflate_flush flush)
{
    struct isal_zstream *z = &((isal *)state)->z;
    z->next_in = (uint8_t *)(uintptr_t)w->in; /* not written to */
    z->avail_in = (uint32_t)w->in_size;
    z->next_out = w->out;
    z->avail_out = (uint32_t)w->out_size;
    z->flush = flush == NYTP_DEFLATE_SYNC ? SYNC_FLUSH : NO_FLUSH;
    z->end_of_stream = flush == NYTP_DEFLATE_END;
    int rc = isal_deflate(z);
    w->in = z->next_in;
    w->in_size = z->avail_in;
    w->out = z->next_out;
    w->out_size = z->avail_out;
    return rc == COMP_OK ? NULL : "stream error";
}

static const nytp_deflater isal_backend = {isal_start, isal_restart, isal_step, free};
#endif

/* ---- which of them ---- */

/* Level 1 asks for speed, one above 6 has time for zlib; in between there is a choice. isa-l's level 2 takes
 * hardly longer than its 1; its 3 takes four times as long and makes 6 % less. */
bool nytp_codec_start(nytp_codec *codec, int level, enum nytp_deflate_with with)
{
    codec->library = &zlib_backend;
    if (level <= 6 && (level < 2 || with == NYTP_DEFLATE_FAST)) {
#ifdef NYTP_HAVE_ISAL
        codec->library = &isal_backend;
        level = level < 2 ? 1 : 2;
#else
        level = 1;
#endif
    }
    codec->state = codec->library->start(level);
    return codec->state != NULL;
}
