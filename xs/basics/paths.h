/* Absolute paths, and the directories from which perl loads modules. */
#pragma once

#include "prof.h"

/* Returns path as an absolute path, without "./" at its start; the caller must free() it. If the working
 * directory is gone, returns a relative path. Sets *absolute_length to its length, unless it is
 * NULL. */
char *prof_absolute(const char *path, size_t length, size_t *absolute_length);

typedef void prof_directories_fn(void *context, const char *key, const char *list);

/* Calls put for each list of directories (base/dirlist.h): those of this perl, with their names in %Config,
 * and @INC as "inc". */
void prof_directories_each(pTHX_ prof_directories_fn *put, void *context);
