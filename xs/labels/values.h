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

/* A key of a hash. */
typedef struct prof_key {
    const char *bytes;
    I32 length;
    U32 hash;
} prof_key;

/* Returns a key that refers to these bytes. */
prof_key prof_key_of(pTHX_ const char *bytes, I32 length);

/* Sets *value to what a string or a number says. Returns false for anything else, and for sv NULL. */
bool prof_value_of(SV *sv, prof_value *value);

/* Return an element of the array or hash that sv refers to, and what sv itself refers to; NULL if there is
 * none, or if only running code could say. */
SV *prof_element(SV *sv, SSize_t index);
SV *prof_hash_value(SV *sv, const prof_key *key);
SV *prof_referent(SV *sv);

/* Returns an element of an array; NULL as above. */
SV *prof_element_of(AV *av, SSize_t index);

/* Returns the inner hash of a handle of DBI; NULL if it is none. */
const HV *prof_dbi_handle(SV *sv);

/* Returns the class of the driver's data of such a handle, "DBD::SQLite::st_mem"; NULL if it has none. */
const HEK *prof_dbi_class(const HV *handle);

/* Returns the value of a key of a hash, as prof_hash_value() does. */
SV *prof_hash_get(const HV *hv, const prof_key *key);

#endif
