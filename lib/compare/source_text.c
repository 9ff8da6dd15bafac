#include "compare/match.h"

#include "base/hash.h"
#include "model/grow.h"
#include "model/hashes.h"

struct nytp_source_text {
    GHashTable *files; /* GArray of uint64_t, by fid */
};

nytp_source_text *nytp_source_text_new(void)
{
    nytp_source_text *text = g_new(nytp_source_text, 1);
    text->files = g_hash_table_new_full(nytp_hash_of_number, NULL, NULL, (GDestroyNotify)g_array_unref);
    return text;
}

void nytp_source_text_free(nytp_source_text *text)
{
    if (text == NULL)
        return;
    g_hash_table_destroy(text->files);
    g_free(text);
}

GArray *nytp_source_text_hashes(const nytp_source_text *text, uint32_t fid)
{
    return g_hash_table_lookup(text->files, GUINT_TO_POINTER(fid));
}

void nytp_source_text_add(void *text, uint32_t fid, uint32_t line, nytp_str bytes)
{
    nytp_source_text *t = text;
    GArray *hashes = nytp_source_text_hashes(t, fid);
    const uint64_t hash = nytp_hash_bytes(bytes.bytes, bytes.length);
    if (line != (hashes != NULL ? hashes->len : 0) + 1)
        return;
    if (hashes == NULL) {
        hashes = NYTP_ARRAY(uint64_t);
        g_hash_table_insert(t->files, GUINT_TO_POINTER(fid), hashes);
    }
    g_array_append_val(hashes, hash);
}
