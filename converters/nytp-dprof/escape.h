/* Names of subs as dprofpp reads them. */
#ifndef DPROF_ESCAPE_H
#define DPROF_ESCAPE_H

#include "nytprof.h"

/* Writes "PACKAGE NAME" for the name of a sub. To dprofpp each ends at a blank, so blanks, control characters
 * (and what else base/shown.h escapes) and % are written as in URLs: %20. An empty package or name becomes a
 * single %. A name that is not valid UTF-8 is read as Latin-1 and converted to UTF-8. */
void dprof_escape_name(FILE *out, nytp_str name);

#endif
