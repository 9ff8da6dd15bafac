/* Byte strings by number, counted from 0 in order of first sight. The table keeps copies of them, which do
 * not move. Strings are the same if their bytes are. Like all of base, bytes and format, it returns an error
 * when out of memory; model/names.h is for model and above. */
#pragma once

#include "nytprof.h"

typedef struct nytp_strings nytp_strings;

enum { NYTP_STRINGS_NONE = -1, NYTP_STRINGS_NO_MEMORY = -2 };

nytp_strings *nytp_strings_new(void);          /* NULL when out of memory */
void nytp_strings_free(nytp_strings *strings); /* NULL is fine */
uint32_t nytp_strings_count(const nytp_strings *strings);

/* Returns how much memory the table takes, nearly. */
size_t nytp_strings_bytes(const nytp_strings *strings);

/* Returns the number of a string; NYTP_STRINGS_NONE if it is not in the table. */
int64_t nytp_strings_find(const nytp_strings *strings, const void *bytes, size_t length);

/* Like nytp_strings_find(), but adds a string that is not in the table. Returns NYTP_STRINGS_NO_MEMORY if
 * that fails, or if the string has 2 GiB. nytp_strings_intern_str() also keeps utf8, that of the first. */
int64_t nytp_strings_intern(nytp_strings *strings, const void *bytes, size_t length);
int64_t nytp_strings_intern_str(nytp_strings *strings, const nytp_str *string);

/* Return the string of a number, with a NUL after it that *length does not count. It belongs to strings. */
const char *nytp_strings_get(const nytp_strings *strings, uint32_t number, size_t *length);
nytp_str nytp_strings_str(const nytp_strings *strings, uint32_t number);
