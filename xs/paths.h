/* Absolute paths. */
#ifndef PROF_PATHS_H
#define PROF_PATHS_H

#include <stddef.h>

/* Returns path as an absolute path, without "./" at its start; the caller must free() it. If the working
 * directory is gone, returns a relative path. Sets *absolute_length to its length. */
char *prof_absolute(const char *path, size_t length, size_t *absolute_length);

#endif
