#include "base/small_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool nytp_small_file_read(const char *path, char *text, size_t size)
{
    const int error_number = errno;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = fd >= 0 ? pread(fd, text, size - 1, 0) : -1;
    if (fd >= 0)
        close(fd);
    errno = error_number;
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}
