#include "pending.h"

#include <glib.h>

enum { MOST_CHUNKS = 1 << 15 /* about 3 MiB */, MOST_TEXT_BYTES = 4 << 20, TEXT_BLOCK_BYTES = 16 << 10 };

typedef struct waiting_chunk {
    nytp_chunk chunk;
    bool discount;
} waiting_chunk;

struct merge_pending {
    GArray *chunks; /* waiting_chunk */
    GStringChunk *texts;
    size_t text_bytes;
    bool has_source;
};

merge_pending *merge_pending_new(void)
{
    merge_pending *pending = g_new0(merge_pending, 1);
    pending->chunks = g_array_new(FALSE, FALSE, sizeof(waiting_chunk));
    pending->texts = g_string_chunk_new(TEXT_BLOCK_BYTES);
    return pending;
}

void merge_pending_free(merge_pending *pending)
{
    g_array_free(pending->chunks, TRUE);
    g_string_chunk_free(pending->texts);
    g_free(pending);
}

static void copy_text(merge_pending *pending, nytp_str *s)
{
    pending->text_bytes += s->length;
    s->bytes = g_string_chunk_insert_len(pending->texts, s->length > 0 ? s->bytes : "", (gssize)s->length);
}

bool merge_pending_add(merge_pending *pending, const nytp_chunk *chunk, bool discount)
{
    waiting_chunk waiting = {*chunk, discount};
    if (pending->chunks->len == MOST_CHUNKS || pending->text_bytes > MOST_TEXT_BYTES)
        return false;
    if (chunk->tag == NYTP_SUB_CALLERS) {
        copy_text(pending, &waiting.chunk.sub_callers.caller);
        copy_text(pending, &waiting.chunk.sub_callers.called);
    } else if (chunk->tag == NYTP_SRC_LINE) {
        copy_text(pending, &waiting.chunk.src_line.text);
        pending->has_source = true;
    }
    g_array_append_val(pending->chunks, waiting);
    return true;
}

bool merge_pending_has_source(const merge_pending *pending)
{
    return pending->has_source;
}

void merge_pending_release(merge_pending *pending, merge_pending_fn *each, void *context)
{
    for (guint i = 0; i < pending->chunks->len; i++) {
        const waiting_chunk *waiting = &g_array_index(pending->chunks, waiting_chunk, i);
        each(context, &waiting->chunk, waiting->discount);
    }
    g_array_set_size(pending->chunks, 0);
    g_string_chunk_clear(pending->texts);
    pending->text_bytes = 0;
    pending->has_source = false;
}
