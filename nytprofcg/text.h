/* Names as a callgrind file can hold them. */
#ifndef TEXT_H
#define TEXT_H

#include "nytprof.h"

/* Valid UTF-8 without control characters: bytes that are no UTF-8 are taken for
 * Latin-1; control characters, and blanks at the ends, are written as escapes. g_free() it. */
char *text_clean(nytp_str s);

/* A file's name. A string eval's, "(eval 5)[t.pl:26]", becomes "t.pl.eval-5@26".
 * Loaders cut at a colon, so there is none: it is written as %3A. g_free() it. */
char *text_file(nytp_str name);

/* True for "(eval 5)[t.pl:26]" and the like. */
bool text_is_eval(nytp_str name);

#endif
