/* The files beside FILE that heap= writes: peak.FILE, live.FILE and alloc.FILE, each a profile of memory. */
#pragma once

#include "session/heapprofile.h"

enum { PROF_HEAP_NAMES_MAX = 32 };

/* Writes those of which there is something, each under a temporary name first. Sets names to which they are,
 * with commas between them. Returns whether there are any: none if FILE is not a regular file. */
bool prof_heap_files_write(pTHX_ prof *p, double end_s, bool perl_lives, char names[PROF_HEAP_NAMES_MAX]);
