/* What a value says, without running code of the program: no magic, no overloading, no FETCH. */
#pragma once

#include "prof.h"

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

/* Sets *value to what a string or a number says. Returns false for anything else, and for sv NULL. Use
 * prof_value_of(). */
bool prof_value_find(SV *sv, prof_value *value);

/* prof_value_find(), inline for a plain string. */
static inline bool prof_value_of(SV *sv, prof_value *value)
{
    if (UNLIKELY(sv == NULL || !SvPOK(sv) || SvROK(sv) || SvMAGICAL(sv) || SvTYPE(sv) > SVt_PVMG))
        return prof_value_find(sv, value);
    value->bytes = SvPVX_const(sv);
    value->length = SvCUR(sv);
    value->utf8 = SvUTF8(sv) != 0;
    return true;
}

/* Return an element of the array or hash that sv refers to, and what sv itself refers to; NULL if there is
 * none, or if only running code could say. Use prof_referent(). */
SV *prof_element(SV *sv, SSize_t index);
SV *prof_hash_value(SV *sv, const prof_key *key);
SV *prof_referent_find(SV *sv);

/* Returns what sv refers to, inline for a plain reference. */
static inline SV *prof_referent(SV *sv)
{
    const bool is_plain = sv != NULL && SvROK(sv) && !SvMAGICAL(sv) && SvTYPE(sv) <= SVt_PVMG;
    return LIKELY(is_plain) ? SvRV(sv) : prof_referent_find(sv);
}

/* Returns an element of an array; NULL as above. */
SV *prof_element_of(AV *av, SSize_t index);

/* Returns the first magic of that type; NULL if there is none. hv: a hash. */
static inline const MAGIC *prof_magic_of(const SV *hv, char type)
{
    const MAGIC *mg = SvMAGIC(hv);
    while (mg != NULL && mg->mg_type != type)
        mg = mg->mg_moremagic;
    return mg;
}

/* Returns the value of a key of a hash that is neither tied nor has other magic that runs code. Looks at
 * perl's table itself, so nothing of the hash is asked, and a restricted one does not die if it has no such
 * key. */
static inline SV *prof_hash_find(const HV *hv, const prof_key *key)
{
    const HE *entry = HvARRAY(hv) != NULL ? HvARRAY(hv)[key->hash & HvMAX(hv)] : NULL;
    for (; entry != NULL; entry = HeNEXT(entry)) {
        const bool is_shared = HeKEY(entry) == key->bytes; /* saves 5 % of a label for a fetch */
        if (LIKELY(is_shared) ||
            (HeHASH(entry) == key->hash && HeKLEN(entry) == key->length && !HeKUTF8(entry) &&
             memcmp(HeKEY(entry), key->bytes, (size_t)key->length) == 0))
            return HeVAL(entry) != &PL_sv_placeholder ? HeVAL(entry) : NULL;
    }
    return NULL;
}
