/* Names as they are shown. */
#pragma once

#include "nytprof-model.h"

#include <glib.h>

/* Returns whether the bytes of a name are valid UTF-8. The flag does not say that: without it, names are
 * Latin-1 to perl, or bytes that mean UTF-8, as in names of files. */
bool nytp_name_is_utf8(nytp_str name);

/* Returns the text in valid UTF-8, otherwise unchanged; NULs and newlines stay. Bytes that are not UTF-8 are
 * taken for Latin-1, or, if perl had characters there, become U+FFFD. The caller must free() it. */
char *nytp_text_utf8(nytp_str text, size_t *length);

/* Returns the same for a name, without blanks at its end. */
char *nytp_name_utf8(nytp_str name, size_t *length);

/* Returns a line of text that contains names, in the form of nytp_name_clean() but for its blanks. The caller
 * must free() it. */
char *nytp_line_clean(const char *line);

/* If the character at `at` is U+FFFE or U+FFFF, which takes NYTP_NOT_IN_XML bytes, returns what to write in
 * its place; else NULL. GLib accepts these characters, but XML does not, and names end up in XML. */
enum { NYTP_NOT_IN_XML = 3 };
const char *nytp_name_not_in_xml(const char *at, const char *end);

/* Makes name unique: appends " (2)" or the like if it is in `taken` already, and adds the result to `taken`.
 * Frees name. The caller must g_free() the result, but not before `taken`, which does not own it. */
char *nytp_name_reserve(GHashTable *taken, char *name);
