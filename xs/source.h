/* The source that perl has kept. */
#ifndef PROF_SOURCE_H
#define PROF_SOURCE_H

#include "prof.h"

/* Returns the lines of the file that perl calls `name`. Perl keeps them in @{"_<file"} if $^P asks for it;
 * otherwise returns NULL. */
AV *prof_source_of(pTHX_ const char *name, STRLEN length);

/* Writes a SRC_LINE for each line. */
void prof_source_write(pTHX_ prof *p, uint32_t fid, AV *lines);

#endif
