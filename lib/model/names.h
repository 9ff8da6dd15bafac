/* Names by number, and how they are shown. A name is looked up for every call, so the table is our own: it
 * hashes and compares bytes where they lie in the reader's buffer.
 */
#ifndef NYTP_NAMES_H
#define NYTP_NAMES_H

#include "nytprof.h"

#include <glib.h>

typedef struct nytp_names nytp_names;

nytp_names *nytp_names_new(void);
void nytp_names_free(nytp_names *names);

/* The number of the name, from 0 on in order of first sight; a copy of it is kept. added (may be NULL) tells
 * whether it is new. Names are the same if their bytes are; utf8 is that of the first. */
uint32_t nytp_names_intern(nytp_names *names, const nytp_str *name, bool *added);

/* Valid until the next name is interned. */
nytp_str nytp_names_get(const nytp_names *names, uint32_t number);

uint32_t nytp_names_count(const nytp_names *names);

/* By the number of a name its place among all names in byte order. g_free() it. */
uint32_t *nytp_names_ranks(const nytp_names *names);

/* Whether to show a name as UTF-8, whatever its flag: without it, names are Latin-1 to perl, or bytes that
 * mean UTF-8, as the names of files. */
bool nytp_name_is_utf8(nytp_str name);

/* The name to be shown: valid UTF-8, on one line. What is no UTF-8 is taken for Latin-1; control characters,
 * and blanks at the ends, become escapes. g_free() it. */
char *nytp_name_clean(nytp_str name);

/* If the character at at is U+FFFE or U+FFFF, of NYTP_NOT_IN_XML bytes, what to write for it; else NULL. To
 * GLib these are characters, but not to XML, where names end up. */
enum { NYTP_NOT_IN_XML = 3 };
const char *nytp_name_not_in_xml(const char *at, const char *end);

/* Makes name, which it takes, unique: adds " (2)" or the like if it is in taken, and adds the result there.
 * That is the caller's, to be g_free()d after taken, which does not own it. */
char *nytp_name_reserve(GHashTable *taken, char *name);

#endif
