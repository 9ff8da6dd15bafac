/* Names and numbers as they are shown. The caller must g_free() all of them. */
#ifndef LABEL_H
#define LABEL_H

#include "callgraph.h"

/* The text for those of dot's attributes that take escapes (label, URL): these begin with a
 * backslash, or an ampersand. Nothing else means anything there. */
char *label_escaped(const char *text);

/* The same for tooltips, of which dot (2.42) takes away the escapes twice. */
char *label_tip_escaped(const char *text);

/* A sub or file by its clean name, without the middle of one that is longer than what dot reads. */
char *label_name(nytp_str name);

/* "12.3 %" */
char *label_percent(double share);

/* "1,234,567" */
char *label_count(uint64_t count);

/* The same with "call" or "calls" behind it. */
char *label_calls(uint64_t count);

/* "1.23 s", "45.6 ms", "7.89 us" */
char *label_time(const callgraph *g, double ticks);

/* As much of a name as a node has room for, its file without directories. */
char *label_short(const char *name);

#endif
