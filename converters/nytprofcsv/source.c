#include "stock/stock.h"

#include "base/str.h"
#include "model/hashes.h"
#include "model/source_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct csv_source {
    nytp_source_lines *lines;
    GHashTable *errors; /* fid of a file that was looked for on disk: errno, or 0 if it was read */
    char *const *inc;
    nytp_perl_files *on_disk;
};

csv_source *csv_source_new(char *const *inc, nytp_perl_files *on_disk)
{
    csv_source *s = g_new0(csv_source, 1);
    s->lines = nytp_source_lines_new();
    s->errors = g_hash_table_new(nytp_hash_of_number, NULL);
    s->inc = inc;
    s->on_disk = on_disk;
    return s;
}

void csv_source_free(csv_source *source)
{
    if (source == NULL)
        return;
    nytp_source_lines_free(source->lines);
    g_hash_table_destroy(source->errors);
    g_free(source);
}

void csv_source_add(void *source, uint32_t fid, uint32_t line, nytp_str text)
{
    nytp_source_lines_add(((csv_source *)source)->lines, fid, line, text);
}

bool csv_source_is_saved(const csv_source *source, uint32_t fid)
{
    return nytp_source_lines_of(source->lines, fid) != NULL &&
           !g_hash_table_contains(source->errors, GUINT_TO_POINTER(fid));
}

static void add_text(csv_digest *digest, nytp_str text)
{
    const char *at = text.bytes, *end = text.length > 0 ? text.bytes + text.length : text.bytes;
    while (at < end) {
        gunichar c = text.utf8 ? g_utf8_get_char_validated(at, end - at) : (unsigned char)*at;
        bool is_valid = (c & 0x80000000) == 0;
        digest->sum += is_valid ? c : (unsigned char)*at;
        digest->length++;
        at += text.utf8 && is_valid ? g_unichar_to_utf8(c, NULL) : 1;
    }
}

csv_digest csv_source_digest(const csv_source *source, const nytp_file *f)
{
    const GArray *lines = nytp_source_lines_of(source->lines, f->fid);
    csv_digest digest = {0};
    for (guint i = 0; lines != NULL && i < lines->len; i++) {
        if (i > 0)
            add_text(&digest, (nytp_str){"\n", 1, false});
        add_text(&digest, g_array_index(lines, nytp_str, i));
        digest.lines++;
    }
    if (digest.length == 1 && digest.sum == '0')
        digest.length = 0;
    return digest.length > 0 ? digest : (csv_digest){0};
}

/* Where stock's reader looks for a file: without the remark of AutoSplit, with perl's directories before a
 * relative name. The caller must g_free() it. */
static char *path_of(const csv_source *s, const nytp_file *f)
{
    g_autoptr(GString) name = g_string_new_len(f->name.bytes, (gssize)f->name.length);
    const char *autosplit = strstr(name->str, " (autosplit into ");
    if (autosplit != NULL)
        g_string_truncate(name, (gsize)(autosplit - name->str));
    if (f->flags & NYTP_FID_IS_PMC)
        g_string_append_c(name, 'c');
    for (char *const *inc = s->inc; name->str[0] != '/' && *inc != NULL; inc++) {
        char *path = g_strconcat(*inc, "/", name->str, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
            return path;
        g_free(path);
    }
    return g_strdup(name->str);
}

static void add_lines(csv_source *s, uint32_t fid, nytp_str text)
{
    nytp_source_lines_add(s->lines, fid, 0, nytp_str_of("")); /* of an empty file, too */
    for (uint32_t line = 1; text.length > 0; line++)
        nytp_source_lines_add(s->lines, fid, line, nytp_str_take_line(&text));
}

/* Returns 0 or an errno. */
static int read_from_disk(csv_source *s, const nytp_file *f)
{
    if (memchr(f->name.bytes, '\0', f->name.length) != NULL)
        return ENOENT;
    g_autofree char *path = path_of(s, f);
    size_t size;
    char *text = nytp_perl_file_read(s->on_disk, path, &size);
    int error = text == NULL ? errno : 0;
    if (text != NULL)
        add_lines(s, f->fid, (nytp_str){text, size, false});
    free(text);
    return error;
}

const GArray *csv_source_lines(csv_source *source, const nytp_file *f, int *error)
{
    gpointer key = GUINT_TO_POINTER(f->fid), known;
    if (nytp_source_lines_of(source->lines, f->fid) == NULL && !g_hash_table_contains(source->errors, key)) {
        int now = f->eval_fid == 0 ? read_from_disk(source, f) : ENOENT;
        g_hash_table_insert(source->errors, key, GINT_TO_POINTER(now));
    }
    known = g_hash_table_lookup(source->errors, key);
    *error = GPOINTER_TO_INT(known);
    return nytp_source_lines_of(source->lines, f->fid);
}
