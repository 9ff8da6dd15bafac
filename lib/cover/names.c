#include "cover/units.h"

#include "base/str.h"

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

/* Returns whether the file at the path has another state than in an earlier recording. If the path is a new
 * one, of another checkout or a copy, returns whether its text differs from that of the source's first path,
 * as far as both files are still there: its time may differ. */
static bool is_changed(nytp_cover *cover, const cover_source *s, const char *path, cover_state state)
{
    bool is_new;
    const nytp_str name = nytp_str_of(path);
    const uint32_t number = nytp_names_intern(cover->paths, &name, &is_new);
    if (!is_new) {
        const cover_state *before = &g_array_index(cover->path_states, cover_state, number);
        return before->size != state.size || before->mtime != state.mtime;
    }
    g_array_append_val(cover->path_states, state);
    if (strcmp(s->path, path) == 0)
        return false;
    return s->state.size != state.size ||
           (g_file_test(s->path, G_FILE_TEST_EXISTS) && g_file_test(path, G_FILE_TEST_EXISTS) &&
            !is_same_text(s->path, path));
}

/* Takes ownership of both names. */
static uint32_t source_of(nytp_cover *cover, char *name, char *path, const nytp_chunk *chunk, bool is_eval)
{
    bool is_new;
    nytp_str key = nytp_str_of(name);
    key.length += is_eval; /* with its NUL no file has it */
    const uint32_t number = nytp_names_intern(cover->source_names, &key, &is_new);
    const cover_state state = {chunk->new_fid.size, chunk->new_fid.mtime};
    if (is_new) {
        const cover_source s = {name, path, is_eval, state};
        g_array_append_val(cover->sources, s);
    }
    if (!is_eval && is_changed(cover, &g_array_index(cover->sources, cover_source, number), path, state) &&
        cover->error == NULL)
        cover->error = g_strdup_printf(
            "%s was changed between the recordings: delete the old ones, or name those that go together",
            path);
    if (!is_new) {
        g_free(name);
        g_free(path);
    }
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
