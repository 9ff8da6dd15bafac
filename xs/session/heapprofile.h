/* A profile of memory: what was allocated, as a profile made of samples whose ticks are bytes. */
#pragma once

#include "session/heapview.h"

typedef enum prof_heap_part {
    PROF_HEAP_PEAK,
    PROF_HEAP_LIVE,
    PROF_HEAP_ALLOC,
    PROF_HEAP_PARTS
} prof_heap_part;

extern const char *const prof_heap_part_names[PROF_HEAP_PARTS];

/* Notes an attribute of FILE's header that profiles of memory have, too. Forgets those of an earlier FILE if
 * key is NULL. */
void prof_heap_profile_note(prof *p, const char *key, const char *value);

/* Writes the profile of a part. end_s: the time at which the process ends. Returns 1 if there is nothing of
 * that part, and then has written nothing; 0; or a negative error, which the writer has. */
int prof_heap_profile_write(prof *p, const prof_heap_view *view, prof_heap_part part, nytp_writer *writer,
                            double end_s);
