/* heap=: a profile of memory. Allocations are seen by replacing the slots in which loaded objects have the
 * address of malloc() and its like (imports.c, wrappers.c). Some of them are followed until they are freed
 * (samples.c), with their stack and place (sites.c) and kind (callers.c, kinds.c). What becomes of each is in
 * FILE (stream.c).
 */
#pragma once

#include "prof.h"

#include "heap/sites.h"

/* Follows allocations from here on, if the option heap asks for that. If it cannot be done, warns and clears
 * the option. */
void prof_heap_start(pTHX_ prof *p);

/* The program is compiled. From here on notices when it ends: then perl clears the variables of the file and
 * of the subs that run, long before it calls END blocks. What is live just before that is what users mean. */
void prof_heap_watch_end(pTHX);

/* Notes in the stream (stream.h) that the program is at the moment of that name, with how many values perl
 * has now. Returns false if the context has no stream. */
bool prof_heap_mark(pTHX_ prof *p, const char *name);

/* Returns whether the process follows allocations. */
bool prof_heap_runs(void);

/* Follows those of objects that were loaded since the last call. */
void prof_heap_look(void);
