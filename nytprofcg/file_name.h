/* File names as a callgrind file can hold them. */
#ifndef CG_FILE_NAME_H
#define CG_FILE_NAME_H

#include "nytprof.h"

/* The name to show for a file. A string eval, "(eval 5)[t.pl:26]", becomes "t.pl.eval-5@26". A colon is
 * written as %3A, since loaders cut names at colons. The caller must g_free() it. */
char *cg_file_name(nytp_str name);

/* Whether the name is that of a string eval: "(eval 5)[t.pl:26]" and the like. */
bool cg_file_is_eval(nytp_str name);

#endif
