/* What perl's symbol tables say of subs: their names, and where they are defined, which is "FILE:FIRST-LAST"
 * in %DB::sub. */
#pragma once

#include "prof.h"

#include "output/output.h"

/* A name made of parts. */
typedef struct prof_name {
    char *bytes; /* malloc()ed, ends with a NUL that length does not count */
    STRLEN length;
    STRLEN package_length; /* bytes before the last "::" */
    bool utf8;
} prof_name;

/* Returns the name of a stash, or NULL: a program can take the name away (undef %Foo::), or free the stash,
 * which a COP of a perl without threads still points to. pp_caller() asks the same. */
static inline HEK *prof_hek_of_stash(HV *stash)
{
    return stash != NULL && SvTYPE(stash) == SVt_PVHV ? HvNAME_HEK(stash) : NULL;
}

/* Appends the name of a package, with which the name begins. If it is NULL, it is "__GONE__". */
void prof_name_append_package(pTHX_ prof_name *n, const HEK *package);

/* Returns "PACKAGE::NAME". package may be NULL, as above. */
prof_name prof_name_join(pTHX_ const HEK *package, const HEK *name);

/* Appends bytes that are the same in Latin-1 and UTF-8, or in the encoding that the name has. */
void prof_name_append(prof_name *n, const char *bytes, STRLEN length);

/* Appends a part. If the part or the name is UTF-8, the other one is converted. */
void prof_name_append_part(pTHX_ prof_name *n, const char *bytes, STRLEN length, bool utf8);

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

/* Shared strings (HEK): while one is held, perl does not free it, so no other string gets its address. No SV
 * holds it, since programs may count their SVs. */

/* Holds the string, and returns it. Returns NULL if it is NULL, or is not shared. */
HEK *prof_hek_hold(HEK *hek);

/* Releases a string that prof_hek_hold() has returned; NULL does nothing. */
void prof_hek_release(pTHX_ HEK *hek);
