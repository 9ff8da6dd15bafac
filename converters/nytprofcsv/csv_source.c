#include "csv_source.h"

#include <string.h>

struct csv_source {
    GHashTable *files; /* fid: GArray of nytp_str */
    GStringChunk *texts;
};

static void free_lines(gpointer lines)
{
    g_array_free(lines, TRUE);
}

csv_source *csv_source_new(void)
{
    enum { TEXT_BLOCK = 64 << 10 };
    csv_source *s = g_new0(csv_source, 1);
    s->files = g_hash_table_new_full(NULL, NULL, NULL, free_lines);
    s->texts = g_string_chunk_new(TEXT_BLOCK);
    return s;
}

void csv_source_free(csv_source *source)
{
    if (source == NULL)
        return;
    g_hash_table_destroy(source->files);
    g_string_chunk_free(source->texts);
    g_free(source);
}

static nytp_str kept(csv_source *s, nytp_str text)
{
    if (text.length > 0 && text.bytes[text.length - 1] == '\n')
        text.length--;
    text.bytes = text.length > 0 ? g_string_chunk_insert_len(s->texts, text.bytes, (gssize)text.length) : "";
    return text;
}

void csv_source_add(void *source, uint32_t fid, uint32_t line, nytp_str text)
{
    enum { MOST_LINES = 1 << 16 }; /* stock takes more for damage */
    csv_source *s = source;
    GArray *lines = g_hash_table_lookup(s->files, GUINT_TO_POINTER(fid));
    if (line == 0 || line > MOST_LINES)
        return;
    if (lines == NULL) {
        lines = g_array_new(FALSE, TRUE, sizeof(nytp_str));
        g_hash_table_insert(s->files, GUINT_TO_POINTER(fid), lines);
    }
    if (lines->len < line)
        g_array_set_size(lines, line);
    g_array_index(lines, nytp_str, line - 1) = kept(s, text);
}

static void read_from_disk(csv_source *s, const nytp_file *f)
{
    char *path = g_strndup(f->name.bytes, f->name.length), *content;
    gsize size;
    uint32_t line = 1;
    if (g_file_test(path, G_FILE_TEST_IS_REGULAR) && g_file_get_contents(path, &content, &size, NULL)) {
        for (const char *at = content, *end = content + size; at < end; line++) {
            const char *newline = memchr(at, '\n', (size_t)(end - at));
            const char *stop = newline != NULL ? newline : end;
            csv_source_add(s, f->fid, line, (nytp_str){at, (size_t)(stop - at), false});
            at = stop + 1;
        }
        g_free(content);
    }
    g_free(path);
}

const GArray *csv_source_lines(csv_source *source, const nytp_file *f)
{
    gpointer key = GUINT_TO_POINTER(f->fid);
    const GArray *lines = g_hash_table_lookup(source->files, key);
    if (lines == NULL && f->eval_fid == 0 && f->name.length > 0 &&
        memchr(f->name.bytes, '\0', f->name.length) == NULL) {
        read_from_disk(source, f);
        lines = g_hash_table_lookup(source->files, key);
    }
    return lines;
}
