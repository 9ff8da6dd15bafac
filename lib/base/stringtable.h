/* Byte strings by number, counted from 0 in order of first sight. The table keeps copies of them. It reports
 * when memory is refused, as the stream layer must; model/names.h is for the layers above. */
#ifndef NYTP_BASE_STRINGTABLE_H
#define NYTP_BASE_STRINGTABLE_H

#include <stddef.h>
#include <stdint.h>

typedef struct nytp_strings nytp_strings;

enum { NYTP_STRINGS_NONE = -1, NYTP_STRINGS_NO_MEMORY = -2 };

nytp_strings *nytp_strings_new(void); /* NULL when out of memory */
void nytp_strings_free(nytp_strings *strings);
uint32_t nytp_strings_count(const nytp_strings *strings);

/* Returns the number of a string; NYTP_STRINGS_NONE if it is not in the table. */
int64_t nytp_strings_find(const nytp_strings *strings, const void *bytes, size_t length);

/* The same, but adds a string that is not in the table. Returns NYTP_STRINGS_NO_MEMORY if that fails. */
int64_t nytp_strings_intern(nytp_strings *strings, const void *bytes, size_t length);

/* Returns the string of a number, NUL-terminated. Valid as long as strings. */
const char *nytp_strings_get(const nytp_strings *strings, uint32_t number, size_t *length);

#endif
