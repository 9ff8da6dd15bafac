/* Other forms than a profile, which our other programs make of it. */
#ifndef RECORD_CONVERTER_H
#define RECORD_CONVERTER_H

#include <stdbool.h>

enum record_format { RECORD_PROFILE, RECORD_FOLDED, RECORD_SPEEDSCOPE, RECORD_PPROF, RECORD_CALLGRIND };

/* Their names, ended by NULL. */
extern const char *const record_formats[];

/* The file that is written by default. */
const char *record_converter_default(enum record_format format);

/* Returns the path of the program that makes the format, beside this one or else along PATH, for the caller
 * to free; NULL if record_converter_name(), which it looks for, is not installed. */
char *record_converter_find(enum record_format format);
const char *record_converter_name(enum record_format format);

/* Returns the option that the program is given, or NULL. */
const char *record_converter_option(enum record_format format);

/* Runs the program on the profile that `from` reads, as record_child_run() does. */
bool record_converter_run(enum record_format format, const char *output, int from);

#endif
