#include "paths.h"

#include "alloc.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

char *prof_absolute(const char *path, size_t length, size_t *absolute_length)
{
    char cwd[4096 + 1];
    const bool relative = length == 0 || path[0] != '/';
    if (!relative || getcwd(cwd, sizeof cwd - 1) == NULL)
        cwd[0] = '\0';
    size_t before = strlen(cwd);
    if (before > 0 && cwd[before - 1] != '/') {
        cwd[before++] = '/';
        cwd[before] = '\0';
    }
    if (relative && length >= 2 && memcmp(path, "./", 2) == 0) {
        path += 2;
        length -= 2;
    }
    char *absolute = prof_alloc(before + length + 1);
    memcpy(stpcpy(absolute, cwd), path, length);
    *absolute_length = before + length;
    return absolute;
}
