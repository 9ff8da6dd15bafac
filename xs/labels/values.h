/* What a value says, and what a handle of DBI says, without running code of the program: no magic, no
 * overloading, no FETCH. */
#pragma once

#include "basics/symbols.h"
#include "labels/sqltext.h"
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

/* ---- handles of DBI ---- */

typedef struct prof_handle {
    const HV *hash; /* the inner one; NULL if the value is no handle */
    const SV *data; /* the driver's */
} prof_handle;

/* What all handles share. */
typedef struct prof_handles {
    prof_key statement;       /* their key; held, so its bytes are those of perl's shared string */
    const HEK *class;         /* of the driver's data of the latest handle; held, so that address stays its */
    prof_sql_dialect dialect; /* of that driver */
    SV *held_statement;
    HEK *held_class;
} prof_handles;

void prof_handles_init(pTHX_ prof_handles *handles);
void prof_handles_free(pTHX_ prof_handles *handles);

/* Use prof_handle_dialect(). Keeps the dialect of a class, which may be NULL. */
prof_sql_dialect prof_handle_find_dialect(pTHX_ prof_handles *handles, HEK *class);

/* A handle is a reference to a hash that is tied to the inner one, which has magic of DBI. Drivers get the
 * inner one itself. An inner hash that is tied, or has other magic that runs code, is none. */
static inline prof_handle prof_handle_of(SV *sv)
{
    prof_handle handle = {NULL, NULL};
    SV *hv = prof_referent(sv);
    if (hv == NULL || SvTYPE(hv) != SVt_PVHV)
        return handle;
    const MAGIC *mg = prof_magic_of(hv, PERL_MAGIC_tied);
    if (mg != NULL)
        hv = mg->mg_obj != NULL && SvROK(mg->mg_obj) ? SvRV(mg->mg_obj) : NULL;
    if (hv == NULL || SvTYPE(hv) != SVt_PVHV || SvGMAGICAL(hv))
        return handle;
    for (mg = SvMAGIC(hv); mg != NULL; mg = mg->mg_moremagic) {
        if (mg->mg_type == PERL_MAGIC_tied || mg->mg_type == PERL_MAGIC_uvar)
            return (prof_handle){NULL, NULL};
        if (mg->mg_type == PERL_MAGIC_ext && handle.hash == NULL)
            handle = (prof_handle){(const HV *)hv, mg->mg_obj};
    }
    return handle;
}

/* Returns what the driver of a handle says of the server. */
static inline prof_sql_dialect prof_handle_dialect(pTHX_ prof_handles *handles, const prof_handle *handle)
{
    const SV *data = handle->data;
    HEK *class =
        data != NULL && SvTYPE(data) >= SVt_PVMG && SvOBJECT(data) ? prof_hek_of_stash(SvSTASH(data)) : NULL;
    return LIKELY(class == handles->class) ? handles->dialect
                                           : prof_handle_find_dialect(aTHX_ handles, class);
}

/* Returns the statement of a handle; NULL if it has none. */
static inline SV *prof_handle_statement(const prof_handles *handles, const prof_handle *handle)
{
    return handle->hash != NULL ? prof_hash_find(handle->hash, &handles->statement) : NULL;
}
