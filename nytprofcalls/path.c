#include "collapse.h"

#include "model/grow.h"

calls_path calls_path_new(const calls_kinds *kinds)
{
    return (calls_path){g_string_new(NULL), NYTP_ARRAY(gsize), kinds};
}

void calls_path_clear(calls_path *path)
{
    g_array_free(path->ends, TRUE);
    g_string_free(path->text, TRUE);
}

void calls_path_leave(calls_path *path, uint32_t depth)
{
    g_string_truncate(path->text, depth > 0 ? g_array_index(path->ends, gsize, depth - 1) : 0);
    g_array_set_size(path->ends, depth);
}

void calls_path_enter(calls_path *path, uint32_t depth, nytp_str name)
{
    calls_path_leave(path, depth);
    if (depth > 0)
        g_string_append_c(path->text, ';');
    g_string_append_len(path->text, name.bytes, (gssize)name.length);
    if (path->kinds != NULL)
        g_string_append(path->text, calls_kinds_suffix(path->kinds, name));
    g_array_append_val(path->ends, path->text->len);
}
