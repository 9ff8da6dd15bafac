/* The profiles of a run: one of each process, in a directory of their own, and the one that is made of them.
 */
#pragma once

#include <stdbool.h>

typedef struct nytp_parts {
    char *directory; /* of the result */
    char *parts;     /* the directory of the processes' profiles, in that */
} nytp_parts;

/* Creates both directories: directory is the one of the result, or NULL for a new one in TMPDIR. Returns
 * false after saying why. */
bool nytp_parts_begin(nytp_parts *p, const char *directory);

/* Returns a copy of the environment in which all perls profile and write there, for g_strfreev(). */
char **nytp_parts_environment(const nytp_parts *p);

/* Waits a moment for processes that are still ending. Makes nytprof.out in the directory of the result, and
 * live.nytprof.out and so on if memory was profiled, and removes the parts. Returns the path of nytprof.out,
 * for g_free(), or NULL after saying why. */
char *nytp_parts_end(const nytp_parts *p);

void nytp_parts_free(nytp_parts *p);
