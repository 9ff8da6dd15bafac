/* The profiles of the processes of a recording, which become one file in the end. Until then each is a
 * complete profile of its own, so nothing is lost if this program is killed. */
#pragma once

#include "outfile.h"

typedef struct record_parts record_parts;

record_parts *record_parts_new(void);
void record_parts_free(record_parts *parts);

/* Notes a profile that was begun. The first one gets what all have. */
void record_parts_add(record_parts *parts, const record_outfile *outfile);

/* Merges the profiles into the first one, removes the others, and converts the result. complete: all of them
 * are. Returns 0, or -1 after saying what went wrong and where the profiles are. */
int record_parts_end(record_parts *parts, enum record_format format, bool complete);
