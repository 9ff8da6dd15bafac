/* Other forms than a profile, which our other programs make of it. */
#pragma once

#include <stdbool.h>

enum record_format { RECORD_PROFILE, RECORD_FOLDED, RECORD_SPEEDSCOPE, RECORD_PPROF, RECORD_CALLGRIND };

/* Their names, ended by NULL. */
extern const char *const record_formats[];

typedef struct record_converter {
    const char *program; /* NULL: the profile stays as it is */
    const char *output;  /* the file that is written by default */
    const char *option;  /* for the program; may be NULL */
} record_converter;

/* By format. */
extern const record_converter record_converters[];

/* Runs the program on the profile that `from` reads, as record_child_run() does. */
bool record_converter_run(enum record_format format, const char *output, int from);
