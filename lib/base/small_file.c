#include "base/small_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

bool nytp_small_file_read_at(int directory, const char *path, char *text, size_t size)
{
    const int error_number = errno;
    const int fd = openat(directory, path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = fd >= 0 ? pread(fd, text, size - 1, 0) : -1;
    if (fd >= 0)
        close(fd);
    errno = error_number;
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

bool nytp_small_file_read(const char *path, char *text, size_t size)
{
    return nytp_small_file_read_at(AT_FDCWD, path, text, size);
}

uint64_t nytp_statm_rss_bytes(int directory, const char *path)
{
    char line[128], *rest;
    const long page_bytes = sysconf(_SC_PAGESIZE);
    if (page_bytes <= 0 || !nytp_small_file_read_at(directory, path, line, sizeof line))
        return 0;
    strtoull(line, &rest, 10);
    return strtoull(rest, NULL, 10) * (uint64_t)page_bytes;
}
