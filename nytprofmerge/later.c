#include "later.h"

#include <glib.h>

enum { MOST_CHUNKS = 1 << 15 /* some 3 MiB */, MOST_TEXT_BYTES = 4 << 20, TEXT_BLOCK_BYTES = 16 << 10 };

typedef struct kept_chunk {
    nytp_chunk chunk;
    bool discount;
} kept_chunk;

struct merge_later {
    GArray *chunks; /* kept_chunk */
    GStringChunk *texts;
    size_t text_bytes;
    bool has_source;
};

merge_later *merge_later_new(void)
{
    merge_later *l = g_new0(merge_later, 1);
    l->chunks = g_array_new(FALSE, FALSE, sizeof(kept_chunk));
    l->texts = g_string_chunk_new(TEXT_BLOCK_BYTES);
    return l;
}

void merge_later_free(merge_later *later)
{
    g_array_free(later->chunks, TRUE);
    g_string_chunk_free(later->texts);
    g_free(later);
}

static void keep_text(merge_later *l, nytp_str *s)
{
    l->text_bytes += s->length;
    s->bytes = g_string_chunk_insert_len(l->texts, s->length > 0 ? s->bytes : "", (gssize)s->length);
}

bool merge_later_keep(merge_later *later, const nytp_chunk *chunk, bool discount)
{
    kept_chunk kept = {*chunk, discount};
    if (later->chunks->len == MOST_CHUNKS || later->text_bytes > MOST_TEXT_BYTES)
        return false;
    if (chunk->tag == NYTP_SUB_CALLERS) {
        keep_text(later, &kept.chunk.sub_callers.caller);
        keep_text(later, &kept.chunk.sub_callers.called);
    } else if (chunk->tag == NYTP_SRC_LINE) {
        keep_text(later, &kept.chunk.src_line.text);
        later->has_source = true;
    }
    g_array_append_val(later->chunks, kept);
    return true;
}

bool merge_later_has_source(const merge_later *later)
{
    return later->has_source;
}

void merge_later_release(merge_later *later, merge_later_fn *take, void *context)
{
    for (guint i = 0; i < later->chunks->len; i++) {
        const kept_chunk *kept = &g_array_index(later->chunks, kept_chunk, i);
        take(context, &kept->chunk, kept->discount);
    }
    g_array_set_size(later->chunks, 0);
    g_string_chunk_clear(later->texts);
    later->text_bytes = 0;
    later->has_source = false;
}
