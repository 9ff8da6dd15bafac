/* How functions report an error: a code and a complete message in an nytp_error. */
#pragma once

#include "nytprof.h"

/* Fills err, unless it already holds an error: the first one is the one to report. Returns code. */
int nytp_fail(nytp_error *err, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Returns the name of a file as messages show it, from malloc(); NULL without memory. If it is long, only its
 * end is shown, so that the reason fits after it. */
char *nytp_name_in_messages(const char *name);
