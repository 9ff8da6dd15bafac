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

/* ---- handles of DBI ---- */

void prof_handles_init(pTHX_ prof_handles *handles)
{
    handles->held_statement = newSVpvs_share("Statement");
    handles->statement =
        prof_key_of(aTHX_ SvPVX_const(handles->held_statement), (I32)SvCUR(handles->held_statement));
}

void prof_handles_free(pTHX_ prof_handles *handles)
{
    SvREFCNT_dec(handles->held_statement);
    prof_hek_release(aTHX_ handles->held_class);
    memset(handles, 0, sizeof *handles);
}

/* The class of a handle's data is DBD::DRIVER::st_mem. */
static prof_sql_dialect dialect_of(const HEK *class)
{
    static const struct {
        const char *begin;
        prof_sql_dialect dialect;
    } drivers[] = {{"DBD::SQLite::", PROF_SQL_SQLITE},
                   {"DBD::Pg::", PROF_SQL_STANDARD},
                   {"DBD::mysql::", PROF_SQL_MYSQL},
                   {"DBD::MariaDB::", PROF_SQL_MYSQL},
                   {"DBD::Oracle::", PROF_SQL_STANDARD}};
    for (size_t i = 0; i < C_ARRAY_LENGTH(drivers); i++)
        if (strncmp(HEK_KEY(class), drivers[i].begin, strlen(drivers[i].begin)) == 0)
            return drivers[i].dialect;
    return PROF_SQL_UNKNOWN;
}

prof_sql_dialect prof_handle_find_dialect(pTHX_ prof_handles *handles, HEK *class)
{
    HEK *held = handles->held_class;
    handles->dialect = class != NULL ? dialect_of(class) : PROF_SQL_UNKNOWN;
    handles->held_class = prof_hek_hold(class);
    handles->class = class;
    prof_hek_release(aTHX_ held);
    return handles->dialect;
}
