#include "cover/units.h"

#include <string.h>

/* Returns what follows the directory in the path; the path if it is elsewhere. */
static const char *below(const char *directory, const char *path)
{
    const size_t length = directory != NULL ? strlen(directory) : 0;
    return length > 0 && strncmp(path, directory, length) == 0 && path[length] == '/' ? path + length + 1
                                                                                      : path;
}

static bool is_same_text(const char *a, const char *b)
{
    g_autofree char *text_a = NULL, *text_b = NULL;
    size_t length_a, length_b;
    return g_file_get_contents(a, &text_a, &length_a, NULL) &&
           g_file_get_contents(b, &text_b, &length_b, NULL) && length_a == length_b &&
           memcmp(text_a, text_b, length_a) == 0;
}

/* Modules are copied to blib/ before they are tested. Returns the path of the original; NULL if it is none,
 * or differs. */
static char *original_of(const char *directory, const char *name)
{
    static const char *const copies[] = {"blib/lib/", "blib/arch/"};
    for (size_t i = 0; i < G_N_ELEMENTS(copies); i++) {
        if (!g_str_has_prefix(name, copies[i]))
            continue;
        g_autofree char *original = g_build_filename(directory, "lib", name + strlen(copies[i]), NULL);
        g_autofree char *copy = g_build_filename(directory, name, NULL);
        return is_same_text(original, copy) ? g_steal_pointer(&original) : NULL;
    }
    return NULL;
}

/* A file of another checkout, or a copy, is the same if its text is, as far as both are still there: its time
 * may be another. */
static bool is_changed(const cover_source *s, const nytp_chunk *chunk, const char *path)
{
    if (strcmp(s->path, path) == 0)
        return s->size != chunk->new_fid.size || s->mtime != chunk->new_fid.mtime;
    return s->size != chunk->new_fid.size ||
           (g_file_test(s->path, G_FILE_TEST_EXISTS) && g_file_test(path, G_FILE_TEST_EXISTS) &&
            !is_same_text(s->path, path));
}

/* Takes ownership of both names. */
static int64_t source_of(nytp_cover *cover, char *name, char *path, const nytp_chunk *chunk, bool is_eval)
{
    const uint32_t before = nytp_strings_count(cover->source_names);
    const int64_t number = nytp_strings_intern(cover->source_names, name, strlen(name) + is_eval);
    if (number < 0)
        g_error("out of memory");
    if (number == before) {
        const cover_source s = {name, path, is_eval, chunk->new_fid.size, chunk->new_fid.mtime};
        g_array_append_val(cover->sources, s);
        return number;
    }
    const cover_source *s = &g_array_index(cover->sources, cover_source, number);
    if (!is_eval && cover->error == NULL && is_changed(s, chunk, path))
        cover->error = g_strdup_printf(
            "%s was changed between the recordings: delete the old ones, or name those that go together",
            path);
    g_free(name);
    g_free(path);
    return number;
}

int64_t nytp_cover_source(nytp_cover *cover, const nytp_chunk *chunk)
{
    g_autofree char *path = g_strndup(chunk->new_fid.name.bytes, chunk->new_fid.name.length);
    if (chunk->new_fid.eval_fid == 0) {
        const char *name = below(cover->directory, path);
        g_autofree char *original = name != path ? original_of(cover->directory, name) : NULL;
        if (original != NULL)
            name = below(cover->directory, original);
        return source_of(cover, g_strdup(name), g_steal_pointer(&path), chunk, false);
    }
    const uint32_t caller =
        GPOINTER_TO_UINT(g_hash_table_lookup(cover->fids, GUINT_TO_POINTER(chunk->new_fid.eval_fid)));
    if (caller == 0)
        return -1;
    const cover_source *of = &g_array_index(cover->sources, cover_source, caller - 1);
    return source_of(cover, g_strdup_printf("%s:%u", of->name, chunk->new_fid.eval_line), g_strdup(of->path),
                     chunk, true);
}
