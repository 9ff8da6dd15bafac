#include "base/unnamed_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int nytp_unnamed_file(void)
{
    char path[PATH_MAX];
    const char *dir = getenv("TMPDIR");
    int length = snprintf(path, sizeof path, "%s/nytprof-XXXXXX", dir != NULL && *dir != '\0' ? dir : "/tmp");
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}
