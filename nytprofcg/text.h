/* File names as a callgrind file can hold them. */
#ifndef TEXT_H
#define TEXT_H

#include "nytprof.h"

/* A file's name. A string eval's, "(eval 5)[t.pl:26]", becomes "t.pl.eval-5@26".
 * Loaders cut at a colon, so there is none: it is written as %3A. g_free() it. */
char *text_file(nytp_str name);

/* True for "(eval 5)[t.pl:26]" and the like. */
bool text_is_eval(nytp_str name);

#endif
