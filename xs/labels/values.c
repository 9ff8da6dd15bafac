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

bool prof_value_of(SV *sv, prof_value *value)
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

SV *prof_element(SV *sv, SSize_t index)
{
    SV *referent = prof_referent(sv);
    return referent != NULL && SvTYPE(referent) == SVt_PVAV ? prof_element_of((AV *)referent, index) : NULL;
}

/* mg_find(), inline. */
static inline const MAGIC *find_magic(const HV *hv, char type)
{
    const MAGIC *mg = SvMAGIC(hv);
    while (mg != NULL && mg->mg_type != type)
        mg = mg->mg_moremagic;
    return mg;
}

prof_key prof_key_of(pTHX_ const char *bytes, I32 length)
{
    prof_key key = {bytes, length, 0};
    PERL_UNUSED_CONTEXT;
    PERL_HASH(key.hash, bytes, length);
    return key;
}

static SV *find_key(const HV *hv, const prof_key *key)
{
    const HE *entry = HvARRAY(hv) != NULL ? HvARRAY(hv)[key->hash & HvMAX(hv)] : NULL;
    for (; entry != NULL; entry = HeNEXT(entry))
        if (HeHASH(entry) == key->hash && HeKLEN(entry) == key->length && !HeKUTF8(entry) &&
            memcmp(HeKEY(entry), key->bytes, (size_t)key->length) == 0)
            return HeVAL(entry) != &PL_sv_placeholder ? HeVAL(entry) : NULL;
    return NULL;
}

/* Tied hashes and those of Hash::Util::FieldHash run code. This looks at perl's table itself, so nothing of
 * the hash is asked, and a restricted one does not die if it has no such key. */
SV *prof_hash_get(const HV *hv, const prof_key *key)
{
    if (SvGMAGICAL(hv) || find_magic(hv, PERL_MAGIC_tied) != NULL || find_magic(hv, PERL_MAGIC_uvar) != NULL)
        return NULL;
    return find_key(hv, key);
}

SV *prof_hash_value(SV *sv, const prof_key *key)
{
    SV *referent = prof_referent(sv);
    return referent != NULL && SvTYPE(referent) == SVt_PVHV ? prof_hash_get((HV *)referent, key) : NULL;
}

/* A handle is a reference to a hash that is tied to the inner one, which has magic of DBI. Drivers get the
 * inner one itself. */
const HV *prof_dbi_handle(SV *sv)
{
    SV *hv = prof_referent(sv);
    if (hv == NULL || SvTYPE(hv) != SVt_PVHV)
        return NULL;
    const MAGIC *tied = find_magic((HV *)hv, PERL_MAGIC_tied);
    if (tied != NULL)
        hv = tied->mg_obj != NULL && SvROK(tied->mg_obj) ? SvRV(tied->mg_obj) : NULL;
    return hv != NULL && SvTYPE(hv) == SVt_PVHV && find_magic((HV *)hv, PERL_MAGIC_ext) != NULL ? (HV *)hv
                                                                                                : NULL;
}

const HEK *prof_dbi_class(const HV *handle)
{
    const MAGIC *mg = handle != NULL ? find_magic(handle, PERL_MAGIC_ext) : NULL;
    const SV *data = mg != NULL ? mg->mg_obj : NULL;
    return data != NULL && SvTYPE(data) >= SVt_PVMG && SvOBJECT(data) ? HvNAME_HEK(SvSTASH(data)) : NULL;
}
