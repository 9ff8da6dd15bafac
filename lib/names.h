/* Names as dense numbers. Looked up once per event, so the table is our own:
 * it hashes and compares bytes where they lie in the reader's buffer.
 */
#ifndef NYTP_NAMES_H
#define NYTP_NAMES_H

#include "nytprof.h"

#include <glib.h>

typedef struct nytp_names nytp_names;

nytp_names *nytp_names_new(void);
void nytp_names_free(nytp_names *names);

/* The number of the name, from 0 in order of first sight. added (may be NULL) tells whether it is new.
 * utf8 is kept of the first sight; the bytes alone make the name. */
uint32_t nytp_names_intern(nytp_names *names, const nytp_str *name, bool *added);

/* Valid until the next name is interned. */
nytp_str nytp_names_get(const nytp_names *names, uint32_t number);

uint32_t nytp_names_count(const nytp_names *names);

/* rank[number]: its place among all names in byte order. g_free() it. */
uint32_t *nytp_names_ranks(const nytp_names *names);

/* Names without the flag are Latin-1 to perl, or bytes that mean UTF-8 as the names of files do: this tells
 * which to show them as. */
bool nytp_name_is_utf8(nytp_str name);

/* The name as valid UTF-8 without control characters: bytes that are no UTF-8 are taken for
 * Latin-1; control characters, and blanks at the ends, are written as escapes. g_free() it. */
char *nytp_name_clean(nytp_str name);

/* What is written for the character at the NYTP_NOT_IN_XML bytes from at, should it be U+FFFE or U+FFFF,
 * which GLib takes but XML, which names end up in, does not; else NULL. */
enum { NYTP_NOT_IN_XML = 3 };
const char *nytp_name_not_in_xml(const char *at, const char *end);

/* Takes name; gives it, or the same with a number behind it, as none that is taken. taken does not own it: it
 * is the caller's to g_free(), after taken. */
char *nytp_name_reserve(GHashTable *taken, char *name);

#endif
