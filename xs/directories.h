/* The directories from which perl loads modules. */
#ifndef PROF_DIRECTORIES_H
#define PROF_DIRECTORIES_H

#include "prof.h"

typedef void prof_directories_fn(void *context, const char *key, const char *list);

/* Calls put for each list of directories (base/dirlist.h): those of this perl, with their names in %Config,
 * and @INC as "inc". */
void prof_directories_each(pTHX_ prof_directories_fn *put, void *context);

#endif
