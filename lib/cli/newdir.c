#include "cli/newdir.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

static void go_up(char **path)
{
    char *above = g_path_get_dirname(*path);
    g_free(*path);
    *path = above;
}

int nytp_newdir_make(const char *path, char **made)
{
    g_autofree char *at = g_strdup(path);
    *made = NULL;
    for (; !g_file_test(at, G_FILE_TEST_EXISTS); go_up(&at)) {
        g_free(*made);
        *made = g_strdup(at);
    }
    if (g_mkdir_with_parents(path, 0777) == 0)
        return 0;
    const int error_number = errno;
    nytp_newdir_undo(path, *made);
    g_clear_pointer(made, g_free);
    errno = error_number;
    return -1;
}

void nytp_newdir_undo(const char *path, const char *made)
{
    if (made == NULL)
        return;
    g_autofree char *at = g_strdup(path);
    for (; strlen(at) >= strlen(made); go_up(&at))
        rmdir(at); /* some of them may not have been created */
}
