/* Names and numbers as they are shown. The caller must g_free() all results. */
#ifndef DOT_LABEL_H
#define DOT_LABEL_H

#include "graph.h"

/* The text for an attribute of dot that takes escapes (label, URL). Only backslashes and ampersands are
 * special there. */
char *dot_label_escaped(const char *text);

/* The same for tooltips, in which dot (2.42) resolves escapes twice. */
char *dot_label_tip_escaped(const char *text);

/* The clean name of a sub or file; without its middle if it is too long for dot to read. */
char *dot_label_name(nytp_str name);

/* "12.3 %" */
char *dot_label_percent(double share);

/* "1,234,567" */
char *dot_label_count(uint64_t count);

/* The same followed by "call" or "calls". */
char *dot_label_calls(uint64_t count);

/* "1.23 s", "45.6 ms", "7.89 us" */
char *dot_label_time(const dot_graph *g, double ticks);

/* As much of a name as fits on a node; a file in it has no directories. */
char *dot_label_short(const char *name);

#endif
