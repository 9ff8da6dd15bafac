#include "bytes/codec.h"

#include <stdlib.h>
#include <zlib.h>

static void set_window(z_stream *z, const nytp_window *w)
{
    z->next_in = (Bytef *)(uintptr_t)w->in; /* zlib does not write there; its type is from before const */
    z->avail_in = nytp_step_bytes(w->in_size);
    z->next_out = w->out;
    z->avail_out = nytp_step_bytes(w->out_size);
}

static void *deflate_start(int level)
{
    enum { RAW_32K_WINDOW = -15, DEFAULT_MEMORY = 8 };
    z_stream *z = calloc(1, sizeof *z);
    if (z == NULL)
        return NULL;
    z->zalloc = nytp_mapped_table; /* 260 KB */
    z->zfree = nytp_mapped_table_free;
    if (deflateInit2(z, level, Z_DEFLATED, RAW_32K_WINDOW, DEFAULT_MEMORY, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(z);
        return NULL;
    }
    return z;
}

static void deflate_restart(void *state)
{
    deflateReset(state); /* cannot fail: the state is a good one */
}

static const char *deflate_step(void *state, nytp_window *w, enum nytp_deflate_flush flush)
{
    static const int flush_of[] = {
        [NYTP_DEFLATE_MORE] = Z_NO_FLUSH, [NYTP_DEFLATE_SYNC] = Z_SYNC_FLUSH, [NYTP_DEFLATE_END] = Z_FINISH};
    z_stream *z = state;
    set_window(z, w);
    int rc = deflate(z, flush_of[z->avail_in == w->in_size ? flush : NYTP_DEFLATE_MORE]);
    nytp_window_advance(w, z->next_in, z->next_out);
    return rc != Z_STREAM_ERROR ? NULL : z->msg != NULL ? z->msg : "stream error";
}

static void deflate_stop(void *state)
{
    deflateEnd(state);
    free(state);
}

const nytp_deflater nytp_zlib_deflater = {deflate_start, deflate_restart, deflate_step, deflate_stop};

static void *inflate_start(void)
{
    z_stream *z = calloc(1, sizeof *z);
    if (z != NULL && inflateInit(z) != Z_OK) {
        free(z);
        return NULL;
    }
    return z;
}

static int inflate_step(void *state, nytp_window *w, const char **why)
{
    z_stream *z = state;
    set_window(z, w);
    int rc = inflate(z, Z_NO_FLUSH);
    nytp_window_advance(w, z->next_in, z->next_out);
    if (rc == Z_STREAM_END)
        return NYTP_END;
    if (rc == Z_OK || rc == Z_BUF_ERROR)
        return NYTP_OK;
    if (rc == Z_MEM_ERROR)
        return NYTP_ERR_MEMORY;
    *why = z->msg != NULL ? z->msg : rc == Z_NEED_DICT ? "needs a preset dictionary" : zError(rc);
    return NYTP_ERR_FORMAT;
}

/* zlib leaves in the window what it does not need. */
static size_t inflate_held(const void *state, unsigned char bytes[NYTP_INFLATE_HELD_MAX])
{
    (void)state, (void)bytes;
    return 0;
}

static void inflate_stop(void *state)
{
    inflateEnd(state);
    free(state);
}

const nytp_inflater nytp_zlib_inflater = {"zlib", inflate_start, inflate_step, inflate_held, inflate_stop};
