/* Names and numbers as they are shown. The caller must g_free() all of them. */
#ifndef LABEL_H
#define LABEL_H

#include "callgraph.h"

/* The text for an attribute of dot that takes escapes (label, URL). Only backslashes and ampersands mean
 * something there. */
char *label_escaped(const char *text);

/* The same for tooltips, where dot (2.42) resolves escapes twice. */
char *label_tip_escaped(const char *text);

/* The clean name of a sub or file; of one that is too long for dot to read, without its middle. */
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
