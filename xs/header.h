/* The first chunks of a profile. */
#ifndef PROF_HEADER_H
#define PROF_HEADER_H

#include "prof.h"

/* Writes all chunks that come before compression begins. */
void prof_header_write(pTHX_ prof *p);

/* Writes an attribute whose value is a number. */
void prof_write_number(prof *p, const char *key, long value);

#endif
