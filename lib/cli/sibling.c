#include "cli/sibling.h"

#include <glib.h>
#include <limits.h>
#include <unistd.h>

char *nytp_sibling_find(const char *program)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    g_autofree char *directory = g_path_get_dirname(self);
    char *path = g_build_filename(directory, program, NULL);
    if (access(path, X_OK) == 0)
        return path;
    g_free(path);
    return g_find_program_in_path(program);
}
