#include "model/unnamed_file.h"

#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <unistd.h>

int nytp_unnamed_file(void)
{
    g_autofree char *path = g_build_filename(g_get_tmp_dir(), "nytprof-XXXXXX", NULL);
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}
