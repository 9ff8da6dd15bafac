/* Names by number: base/stringtable.h with a cache of recent ones, since a name is looked up for every call.
 * Ends the program when memory is exhausted. */
#pragma once

#include "nytprof.h"

#include <glib.h>

typedef struct nytp_names nytp_names;

nytp_names *nytp_names_new(void);
void nytp_names_free(nytp_names *names); /* NULL is fine */

/* Returns the number of the name, counted from 0 in order of first sight. Keeps a copy of a new name. Sets
 * *added (added may be NULL) to whether it is new. Names are the same if their bytes are; utf8 is that of the
 * first. */
uint32_t nytp_names_intern(nytp_names *names, const nytp_str *name, bool *added);

/* Returns the number of the name, or -1 if it has none. */
int64_t nytp_names_find(const nytp_names *names, const nytp_str *name);

/* Returns the name with that number, which belongs to names. */
nytp_str nytp_names_get(const nytp_names *names, uint32_t number);

uint32_t nytp_names_count(const nytp_names *names);

/* Returns an array: ranks[n] is the position of name n in byte order. The caller must g_free() it. */
uint32_t *nytp_names_ranks(const nytp_names *names);
