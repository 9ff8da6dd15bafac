/* Other forms than a profile, which our other programs make of it. */
#ifndef RECORD_CONVERTER_H
#define RECORD_CONVERTER_H

#include <sys/types.h>

enum record_format { RECORD_PROFILE, RECORD_FOLDED, RECORD_SPEEDSCOPE, RECORD_PPROF, RECORD_CALLGRIND };

/* Their names, ended by NULL. */
extern const char *const record_formats[];

/* The file that is written by default. */
const char *record_converter_default(enum record_format format);

/* The path of the program that makes the format, beside this one or else along PATH, for the caller to free.
 * NULL: it is not installed; record_converter_name() is what was looked for. */
char *record_converter_find(enum record_format format);
const char *record_converter_name(enum record_format format);

/* Starts the program, which writes output, with a pipe to its standard input. Returns the descriptor to write
 * to, and the process in *pid; -1: errno says why. */
int record_converter_start(enum record_format format, const char *output, pid_t *pid);

/* Waits for it to end, when the descriptor is closed. 0, or -1: it failed and has said why. */
int record_converter_wait(pid_t pid);

#endif
