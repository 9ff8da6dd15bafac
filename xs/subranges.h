/* Where perl subs are defined: "FILE:FIRST-LAST" in %DB::sub. */
#ifndef PROF_SUBRANGES_H
#define PROF_SUBRANGES_H

#include "prof.h"

#include "output.h"

/* file points into perl's string. */
typedef struct prof_range {
    const char *file;
    STRLEN file_length;
    uint32_t first_line, last_line;
} prof_range;

/* Sets *range to the range of a sub, given its name. Returns false if perl has none. */
bool prof_sub_range(pTHX_ const char *name, STRLEN length, bool utf8, prof_range *range);

/* Calls visit for each sub that has a range. */
void prof_sub_ranges_each(pTHX_ prof *p,
                          void (*visit)(pTHX_ prof *p, nytp_str name, const prof_range *range, void *context),
                          void *context);

#endif
