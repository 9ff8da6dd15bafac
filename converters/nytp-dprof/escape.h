#ifndef NYTP_DPROF_ESCAPE_H
#define NYTP_DPROF_ESCAPE_H

#include "nytprof.h"

/* "PACKAGE NAME", each without the blanks at which dprofpp would end it: those bytes, other control
 * characters, and % itself are written as in URLs, %20. An empty one is a % alone.
 * What is no UTF-8 is Latin-1, and becomes it. */
void escape_name(FILE *out, nytp_str name);

#endif
