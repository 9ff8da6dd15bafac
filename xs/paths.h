#ifndef PROF_PATHS_H
#define PROF_PATHS_H

#include <stddef.h>

/* Returns path as seen from the current directory, without "./", malloc()ed. */
char *prof_absolute(const char *path, size_t length, size_t *absolute_length);

#endif
