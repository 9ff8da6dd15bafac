/* File names as a callgrind file can hold them. */
#pragma once

#include "nytprof-model.h"

/* Returns the name to show for a file. A string eval, "(eval 5)[t.pl:26]", becomes "t.pl.eval-5@26". A colon
 * is written as %3A, since loaders cut names at colons. The caller must g_free() it. */
char *cg_file_name(nytp_str name);

/* Returns whether the name is that of a string eval, such as "(eval 5)[t.pl:26]". */
bool cg_file_is_eval(nytp_str name);
