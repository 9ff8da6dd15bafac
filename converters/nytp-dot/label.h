/* Names and numbers as they are shown. The caller must g_free() all texts. */
#pragma once

#include "export/amount.h"
#include "graph.h"

/* Escapes text for an attribute in which dot interprets escapes (label, URL): backslashes, newlines and
 * ampersands. */
char *dot_label_escaped(const char *text);

/* Like dot_label_escaped(), for tooltips, in which dot (2.42) resolves escapes twice. */
char *dot_label_tip_escaped(const char *text);

/* Returns the clean name of a sub or file, shortened in the middle if it is too long for dot to read. */
char *dot_label_name(nytp_str name);

/* "12.3 %" */
nytp_amount dot_label_percent(double share);

/* "1.23 s", "45.6 ms", "7.89 us" */
nytp_amount dot_label_time(const dot_graph *g, double ticks);

/* Like dot_label_time(), of a difference, with its sign: "+1.23 s". */
nytp_amount dot_label_change(const dot_graph *g, double ticks);

/* Returns as much of a name as fits on a node. Directories of a file in it are left out. */
char *dot_label_short(const char *name);
