#include "model/source_lines.h"

#include "model/grow.h"
#include "model/hashes.h"

enum { WIDEST_GAP = 1 << 16 };

struct nytp_source_lines {
    GHashTable *files; /* fid: GArray of nytp_str */
    GStringChunk *texts;
};

nytp_source_lines *nytp_source_lines_new(void)
{
    enum { TEXT_BLOCK = 64 << 10 };
    nytp_source_lines *s = g_new0(nytp_source_lines, 1);
    s->files = g_hash_table_new_full(nytp_hash_of_number, NULL, NULL, (GDestroyNotify)g_array_unref);
    s->texts = g_string_chunk_new(TEXT_BLOCK);
    return s;
}

void nytp_source_lines_free(nytp_source_lines *lines)
{
    if (lines == NULL)
        return;
    g_hash_table_destroy(lines->files);
    g_string_chunk_free(lines->texts);
    g_free(lines);
}

static GArray *lines_of(nytp_source_lines *s, uint32_t fid)
{
    GArray *lines = g_hash_table_lookup(s->files, GUINT_TO_POINTER(fid));
    if (lines == NULL) {
        lines = NYTP_ZEROED_ARRAY(nytp_str);
        g_hash_table_insert(s->files, GUINT_TO_POINTER(fid), lines);
    }
    return lines;
}

void nytp_source_lines_add(void *lines, uint32_t fid, uint32_t line, nytp_str text)
{
    nytp_source_lines *s = lines;
    GArray *of_file = lines_of(s, fid);
    if (line == 0 || line > of_file->len + WIDEST_GAP)
        return;
    if (of_file->len < line)
        g_array_set_size(of_file, line);
    text.bytes = text.length > 0 ? g_string_chunk_insert_len(s->texts, text.bytes, (gssize)text.length) : "";
    g_array_index(of_file, nytp_str, line - 1) = text;
}

const GArray *nytp_source_lines_of(const nytp_source_lines *lines, uint32_t fid)
{
    return g_hash_table_lookup(lines->files, GUINT_TO_POINTER(fid));
}
