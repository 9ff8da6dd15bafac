#include "difference.h"

#include "base/hash.h"
#include "compare/match.h"
#include "model/hashes.h"

#include <string.h>

struct html_old_text {
    nytp_source_text *hashes;
    GHashTable *same; /* the hashes of all texts that NEW has */
    GHashTable *kept; /* GString, by fid */
    bool keep;
    uint32_t fid;     /* of the file that is read; 0: none is */
    GString *current; /* its text */
};

static void free_text(gpointer text)
{
    g_string_free(text, TRUE);
}

static gint64 hash_of(const GArray *hashes)
{
    return (gint64)nytp_hash_bytes(hashes->data, hashes->len * sizeof(uint64_t));
}

html_old_text *html_old_text_new(const nytp_profile *profile, const nytp_source_text *same, bool keep)
{
    html_old_text *t = g_new0(html_old_text, 1);
    t->hashes = nytp_source_text_new();
    t->same = g_hash_table_new_full(nytp_hash_of_int64, g_int64_equal, g_free, NULL);
    t->kept = g_hash_table_new_full(nytp_hash_of_number, NULL, NULL, free_text);
    t->keep = keep;
    t->current = g_string_new(NULL);
    for (size_t i = 0; i < nytp_profile_file_count(profile); i++) {
        const GArray *hashes = nytp_source_text_hashes(same, nytp_profile_file(profile, i)->fid);
        if (hashes != NULL)
            g_hash_table_add(t->same, g_memdup2(&(gint64){hash_of(hashes)}, sizeof(gint64)));
    }
    return t;
}

void html_old_text_free(html_old_text *text)
{
    if (text == NULL)
        return;
    nytp_source_text_free(text->hashes);
    g_hash_table_destroy(text->same);
    g_hash_table_destroy(text->kept);
    g_string_free(text->current, TRUE);
    g_free(text);
}

static void end_file(html_old_text *t)
{
    const GArray *hashes = nytp_source_text_hashes(t->hashes, t->fid);
    const gint64 hash = hashes != NULL ? hash_of(hashes) : 0;
    const bool wanted = t->keep && hashes != NULL && !g_hash_table_contains(t->same, &hash);
    if (wanted && !g_hash_table_contains(t->kept, GUINT_TO_POINTER(t->fid)))
        g_hash_table_insert(t->kept, GUINT_TO_POINTER(t->fid),
                            g_string_new_len(t->current->str, (gssize)t->current->len));
    g_string_truncate(t->current, 0);
}

static guint line_count(const html_old_text *t)
{
    const GArray *hashes = nytp_source_text_hashes(t->hashes, t->fid);
    return hashes != NULL ? hashes->len : 0;
}

void html_old_text_add(void *text, uint32_t fid, uint32_t line, nytp_str bytes)
{
    html_old_text *t = text;
    if (fid != t->fid)
        end_file(t);
    t->fid = fid;
    const guint before = line_count(t);
    nytp_source_text_add(t->hashes, fid, line, bytes);
    if (!t->keep || line_count(t) == before)
        return;
    while (bytes.length > 0 &&
           (bytes.bytes[bytes.length - 1] == '\n' || bytes.bytes[bytes.length - 1] == '\r'))
        bytes.length--;
    const gsize from = t->current->len;
    g_string_append_len(t->current, bytes.bytes, (gssize)bytes.length);
    for (gsize i = from; i < t->current->len; i++)
        if (t->current->str[i] == '\n') /* a line of the profile is one line here */
            t->current->str[i] = ' ';
    g_string_append_c(t->current, '\n');
}

const nytp_source_text *html_old_text_hashes(html_old_text *text)
{
    end_file(text);
    text->fid = 0;
    return text->hashes;
}

const GString *html_old_text_get(const html_old_text *text, uint32_t fid)
{
    return g_hash_table_lookup(text->kept, GUINT_TO_POINTER(fid));
}
