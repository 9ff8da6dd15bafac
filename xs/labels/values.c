#include "labels/values.h"

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

/* Writes digits from the end of the number's space. */
static void set_integer(prof_value *value, UV magnitude, bool is_negative)
{
    char *at = value->number + PROF_NUMBER_MAX;
    do
        *--at = (char)('0' + magnitude % 10);
    while ((magnitude /= 10) > 0);
    if (is_negative)
        *--at = '-';
    value->bytes = at;
    value->length = (size_t)(value->number + PROF_NUMBER_MAX - at);
}

bool prof_value_find(SV *sv, prof_value *value)
{
    if (!is_plain(sv) || SvROK(sv))
        return false;
    value->utf8 = false;
    if (SvPOK(sv)) {
        value->bytes = SvPVX_const(sv);
        value->length = SvCUR(sv);
        value->utf8 = SvUTF8(sv) != 0;
    } else if (SvIOK(sv)) {
        const bool is_negative = !SvIsUV(sv) && SvIVX(sv) < 0;
        set_integer(value, is_negative ? 0 - (UV)SvIVX(sv) : SvUVX(sv), is_negative);
    } else if (SvNOK(sv)) {
        value->bytes = value->number;
        value->length = (size_t)my_snprintf(value->number, PROF_NUMBER_MAX, "%g", (double)SvNVX(sv));
    } else {
        return false;
    }
    return true;
}

SV *prof_referent_find(SV *sv)
{
    return is_plain(sv) && SvROK(sv) ? SvRV(sv) : NULL;
}

SV *prof_element_of(AV *av, SSize_t index)
{
    if (av == NULL || SvTYPE(av) != SVt_PVAV || SvMAGICAL(av) || index < 0 || index > AvFILLp(av))
        return NULL;
    return AvARRAY(av)[index];
}

SV *prof_element(SV *sv, SSize_t index)
{
    SV *referent = prof_referent(sv);
    return referent != NULL && SvTYPE(referent) == SVt_PVAV ? prof_element_of((AV *)referent, index) : NULL;
}

prof_key prof_key_of(pTHX_ const char *bytes, I32 length)
{
    prof_key key = {bytes, length, 0};
    PERL_UNUSED_CONTEXT;
    PERL_HASH(key.hash, bytes, length);
    return key;
}

SV *prof_hash_value(SV *sv, const prof_key *key)
{
    SV *hv = prof_referent(sv);
    const bool is_plain = hv != NULL && SvTYPE(hv) == SVt_PVHV && !SvGMAGICAL(hv) &&
                          prof_magic_of(hv, PERL_MAGIC_tied) == NULL &&
                          prof_magic_of(hv, PERL_MAGIC_uvar) == NULL;
    return is_plain ? prof_hash_find((HV *)hv, key) : NULL;
}
