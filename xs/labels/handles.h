/* Handles of DBI, and what they say without running code of the program. */
#pragma once

#include "labels/sqltext.h"
#include "labels/values.h"

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
        data != NULL && SvTYPE(data) >= SVt_PVMG && SvOBJECT(data) ? HvNAME_HEK(SvSTASH(data)) : NULL;
    return LIKELY(class == handles->class) ? handles->dialect
                                           : prof_handle_find_dialect(aTHX_ handles, class);
}

/* Returns the statement of a handle; NULL if it has none. */
static inline SV *prof_handle_statement(const prof_handles *handles, const prof_handle *handle)
{
    return handle->hash != NULL ? prof_hash_find(handle->hash, &handles->statement) : NULL;
}
