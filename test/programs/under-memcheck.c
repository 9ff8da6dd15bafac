/* Loaded into programs under memcheck, which must behave as without it. valgrind keeps its log open on the
 * first free descriptor, which a test may have closed, and has its own files in TMPDIR, which a test may have
 * made useless. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void close_if_log(int fd)
{
    char link[32], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    const char *name = strrchr(path, '/');
    if (name != NULL && strcmp(name, "/nytp-memcheck-log") == 0)
        close(fd);
}

__attribute__((constructor)) static void put_back(void)
{
    const char *loaded = getenv("LD_PRELOAD"), *directory = getenv("MEMCHECK_TMPDIR");
    if (loaded == NULL || strstr(loaded, "vgpreload") ==
                              NULL) /* the program that starts valgrind, into which this is loaded, too */
        return;
    for (int fd = 0; fd < 64; fd++)
        close_if_log(fd);
    if (directory != NULL)
        setenv("TMPDIR", directory, 1);
}
