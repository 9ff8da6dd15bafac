/* Byte strings by number, from 0 on in order of first sight; copies of them are kept. For the wire tier:
 * where memory is refused it says so. */
#ifndef NYTP_STRINGTABLE_H
#define NYTP_STRINGTABLE_H

#include <stddef.h>
#include <stdint.h>

typedef struct nytp_strings nytp_strings;

enum { NYTP_STRINGS_NONE = -1, NYTP_STRINGS_NO_MEMORY = -2 };

nytp_strings *nytp_strings_new(void); /* NULL when out of memory */
void nytp_strings_free(nytp_strings *strings);
uint32_t nytp_strings_count(const nytp_strings *strings);

/* The number of a string, or NYTP_STRINGS_NONE when it is not there. */
int64_t nytp_strings_find(const nytp_strings *strings, const void *bytes, size_t length);

/* The same, adding what is not there; NYTP_STRINGS_NO_MEMORY when that fails. */
int64_t nytp_strings_intern(nytp_strings *strings, const void *bytes, size_t length);

/* The string of a number; valid as long as strings. */
const char *nytp_strings_get(const nytp_strings *strings, uint32_t number, size_t *length);

#endif
