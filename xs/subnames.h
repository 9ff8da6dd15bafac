/* Names of subs, made of parts. */
#ifndef PROF_SUBNAMES_H
#define PROF_SUBNAMES_H

#include "prof.h"

typedef struct prof_name {
    char *bytes; /* malloc()ed, ends with a NUL that length does not count */
    STRLEN length;
    STRLEN package_length; /* bytes before the last "::" */
    bool utf8;
} prof_name;

/* Returns "PACKAGE::NAME". If package is NULL, it is "__GONE__". */
prof_name prof_name_join(pTHX_ const HEK *package, const HEK *name);

/* Appends bytes that are the same in Latin-1 and UTF-8, or in the encoding that the name has. */
void prof_name_append(prof_name *n, const char *bytes, STRLEN length);

/* Appends a part. If the part or the name is UTF-8, the other one is converted. */
void prof_name_append_part(pTHX_ prof_name *n, const char *bytes, STRLEN length, bool utf8);

#endif
