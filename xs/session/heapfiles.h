/* The files beside FILE that heap= writes: peak.FILE, live.FILE and alloc.FILE, each a profile of memory. */
#pragma once

#include "session/heapprofile.h"

enum { PROF_HEAP_NAMES_MAX = 32 };

/* Writes those of which there is something, each under a temporary name first. Sets names to which they are,
 * with commas between them. Returns whether there are any: none if FILE is not a regular file. */
bool prof_heap_files_write(pTHX_ prof *p, double end_s, bool perl_lives, char names[PROF_HEAP_NAMES_MAX]);

/* Writes what is live now to the file at path, under a temporary name first. Returns false, after saying why
 * unless nothing is live that was followed, if it cannot. */
bool prof_heap_snapshot_write(pTHX_ prof *p, const char *path, double now_s);
