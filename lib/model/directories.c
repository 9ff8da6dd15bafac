#include "model/origin.h"

#include "base/dirlist.h"
#include "model/measure.h"

#include <string.h>

enum { MOST_DIRECTORIES = 1000 };

static char *path_of(nytp_str part)
{
    char *path = g_malloc(part.length + 2), *end = nytp_dirlist_get(path, part);
    while (end > path && end[-1] == '/')
        end--;
    memcpy(end, "/", 2);
    return path;
}

GPtrArray *nytp_profile_directories(const nytp_profile *profile, const char *attribute)
{
    nytp_str list = nytp_profile_attribute(profile, attribute);
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    for (nytp_str part; paths->len < MOST_DIRECTORIES && nytp_dirlist_next(&list, &part);)
        g_ptr_array_add(paths, path_of(part));
    return paths;
}
