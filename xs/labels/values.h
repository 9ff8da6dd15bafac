/* What a value says, without running code of the program: no magic, no overloading, no FETCH. */
#ifndef PROF_VALUES_H
#define PROF_VALUES_H

#include "../prof.h"

enum { PROF_NUMBER_MAX = 40 };

/* The text of a scalar. */
typedef struct prof_value {
    const char *bytes; /* perl's, or number */
    size_t length;
    bool utf8;
    char number[PROF_NUMBER_MAX];
} prof_value;

/* Sets *value to what a string or a number says. Returns false for anything else, and for sv NULL. */
bool prof_value_of(pTHX_ SV *sv, prof_value *value);

/* Return an element of the array or hash that sv refers to, and what sv itself refers to; NULL if there is
 * none, or if only running code could say. hash is that of key. */
SV *prof_element(pTHX_ SV *sv, SSize_t index);
SV *prof_hash_value(pTHX_ SV *sv, const char *key, I32 length, U32 hash);
SV *prof_referent(SV *sv);

/* Returns an element of an array; NULL as above. */
SV *prof_element_of(AV *av, SSize_t index);

/* Returns the inner hash of a handle of DBI; NULL if it is none. */
HV *prof_dbi_handle(pTHX_ SV *sv);

/* Returns the value of a key of such a hash, as prof_hash_value() does. */
SV *prof_hash_get(pTHX_ HV *hv, const char *key, I32 length, U32 hash);

#endif
