#include "values.h"

/* Whether reading a value would run code. Taint magic only sets a flag. */
static bool has_get_magic(const SV *sv)
{
    if (!SvMAGICAL(sv) || SvTYPE(sv) < SVt_PVMG)
        return false;
    for (const MAGIC *mg = SvMAGIC(sv); mg != NULL; mg = mg->mg_moremagic)
        if (mg->mg_type != PERL_MAGIC_taint && mg->mg_virtual != NULL && mg->mg_virtual->svt_get != NULL)
            return true;
    return false;
}

static bool is_plain(const SV *sv)
{
    return sv != NULL && SvTYPE(sv) <= SVt_PVMG && !has_get_magic(sv);
}

bool prof_value_of(pTHX_ SV *sv, prof_value *value)
{
    PERL_UNUSED_CONTEXT;
    if (!is_plain(sv) || SvROK(sv))
        return false;
    value->utf8 = false;
    value->bytes = value->number;
    if (SvPOK(sv)) {
        value->bytes = SvPVX_const(sv);
        value->length = SvCUR(sv);
        value->utf8 = SvUTF8(sv) != 0;
    } else if (SvIOK(sv)) {
        value->length =
            (size_t)(SvIsUV(sv) ? my_snprintf(value->number, PROF_NUMBER_MAX, "%" UVuf, SvUVX(sv))
                                : my_snprintf(value->number, PROF_NUMBER_MAX, "%" IVdf, SvIVX(sv)));
    } else if (SvNOK(sv)) {
        value->length = (size_t)my_snprintf(value->number, PROF_NUMBER_MAX, "%g", (double)SvNVX(sv));
    } else {
        return false;
    }
    return true;
}

/* ---- containers ---- */

SV *prof_referent(SV *sv)
{
    return is_plain(sv) && SvROK(sv) ? SvRV(sv) : NULL;
}

SV *prof_element_of(AV *av, SSize_t index)
{
    if (av == NULL || SvTYPE(av) != SVt_PVAV || SvMAGICAL(av) || index < 0 || index > AvFILLp(av))
        return NULL;
    return AvARRAY(av)[index];
}

SV *prof_element(pTHX_ SV *sv, SSize_t index)
{
    SV *referent = prof_referent(sv);
    PERL_UNUSED_CONTEXT;
    return referent != NULL && SvTYPE(referent) == SVt_PVAV ? prof_element_of((AV *)referent, index) : NULL;
}

static bool has_magic(const HV *hv, int type)
{
    return SvMAGIC(hv) != NULL && mg_find((const SV *)hv, type) != NULL;
}

/* Tied hashes and those of Hash::Util::FieldHash run code. A restricted hash dies if it has no such key. */
SV *prof_hash_get(pTHX_ HV *hv, const char *key, I32 length, U32 hash)
{
    if (SvGMAGICAL(hv) || SvREADONLY(hv) || has_magic(hv, PERL_MAGIC_tied) || has_magic(hv, PERL_MAGIC_uvar))
        return NULL;
    SV **found = (SV **)hv_common_key_len(hv, key, length, HV_FETCH_JUST_SV, NULL, hash);
    return found != NULL ? *found : NULL;
}

SV *prof_hash_value(pTHX_ SV *sv, const char *key, I32 length, U32 hash)
{
    SV *referent = prof_referent(sv);
    return referent != NULL && SvTYPE(referent) == SVt_PVHV
               ? prof_hash_get(aTHX_(HV *) referent, key, length, hash)
               : NULL;
}

/* A handle is a reference to a hash that is tied to the inner one, which has magic of DBI. Drivers get the
 * inner one itself. */
HV *prof_dbi_handle(pTHX_ SV *sv)
{
    SV *hv = prof_referent(sv);
    PERL_UNUSED_CONTEXT;
    if (hv == NULL || SvTYPE(hv) != SVt_PVHV || SvMAGIC(hv) == NULL)
        return NULL;
    const MAGIC *tied = mg_find(hv, PERL_MAGIC_tied);
    if (tied != NULL)
        hv = tied->mg_obj != NULL && SvROK(tied->mg_obj) ? SvRV(tied->mg_obj) : NULL;
    return hv != NULL && SvTYPE(hv) == SVt_PVHV && has_magic((HV *)hv, PERL_MAGIC_ext) ? (HV *)hv : NULL;
}
