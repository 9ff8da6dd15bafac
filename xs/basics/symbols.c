#include "basics/symbols.h"

#include "basics/alloc.h"

#ifndef HVhek_NOTSHARED
#define HVhek_NOTSHARED HVhek_UNSHARED /* its name before perl 5.38 */
#endif

void prof_name_append(prof_name *n, const char *bytes, STRLEN length)
{
    n->bytes = prof_realloc(n->bytes, n->length + length + 1);
    memcpy(n->bytes + n->length, bytes, length);
    n->length += length;
    n->bytes[n->length] = '\0';
}

static void convert_to_utf8(pTHX_ prof_name *n)
{
    STRLEN length = n->length;
    char *converted = (char *)bytes_to_utf8((U8 *)n->bytes, &length);
    n->length = 0;
    prof_name_append(n, converted, length);
    Safefree(converted);
}

void prof_name_append_part(pTHX_ prof_name *n, const char *bytes, STRLEN length, bool utf8)
{
    if (!utf8 && n->utf8) {
        char *converted = (char *)bytes_to_utf8((U8 *)bytes, &length);
        prof_name_append(n, converted, length);
        Safefree(converted);
        return;
    }
    if (utf8 && !n->utf8 && n->length > 0)
        convert_to_utf8(aTHX_ n);
    n->utf8 = n->utf8 || utf8;
    prof_name_append(n, bytes, length);
}

void prof_name_append_package(pTHX_ prof_name *n, const HEK *package)
{
    if (package != NULL)
        prof_name_append_part(aTHX_ n, HEK_KEY(package), (STRLEN)HEK_LEN(package), HEK_UTF8(package));
    else
        prof_name_append(n, "__GONE__", 8);
    n->package_length = n->length;
}

prof_name prof_name_join(pTHX_ const HEK *package, const HEK *name)
{
    prof_name n = {0};
    prof_name_append_package(aTHX_ & n, package);
    prof_name_append(&n, "::", 2);
    prof_name_append_part(aTHX_ & n, HEK_KEY(name), (STRLEN)HEK_LEN(name), HEK_UTF8(name));
    if (package != NULL && HEK_UTF8(name) && !HEK_UTF8(package)) /* the package was converted */
        n.package_length = n.length - (STRLEN)HEK_LEN(name) - 2;
    return n;
}

/* Returns %DB::sub, or NULL: the program may have removed it. */
static HV *ranges_of_subs(pTHX)
{
    return PL_DBsub != NULL && isGV_with_GP(PL_DBsub) ? GvHV(PL_DBsub) : NULL;
}

/* Parses "FILE:FIRST-LAST". FILE may contain colons and dashes. */
static bool parse_range(const char *text, STRLEN length, prof_range *range)
{
    const char *dash = text + length, *colon;
    while (dash > text && *dash != '-')
        dash--;
    for (colon = dash; colon > text && *colon != ':'; colon--)
        ;
    if (colon == text)
        return false;
    range->file = text;
    range->file_length = (STRLEN)(colon - text);
    range->first_line = (uint32_t)strtoul(colon + 1, NULL, 10);
    range->last_line = (uint32_t)strtoul(dash + 1, NULL, 10);
    return true;
}

bool prof_sub_range(pTHX_ const char *name, STRLEN length, bool utf8, prof_range *range)
{
    HV *ranges = ranges_of_subs(aTHX);
    SV **found = ranges != NULL ? hv_fetch(ranges, name, utf8 ? -(I32)length : (I32)length, 0) : NULL;
    if (found == NULL || !SvPOK(*found))
        return false;
    return parse_range(SvPVX(*found), SvCUR(*found), range);
}

/* Visits the buckets without perl's iterator, because the program may be using that, or may have tied the
 * hash. */
void prof_sub_ranges_each(pTHX_ prof *p,
                          void (*visit)(pTHX_ prof *p, nytp_str name, const prof_range *range, void *context),
                          void *context)
{
    HV *ranges = ranges_of_subs(aTHX);
    prof_range range;
    if (ranges == NULL || HvARRAY(ranges) == NULL)
        return;
    for (STRLEN n = 0; n <= HvMAX(ranges); n++) {
        for (HE *entry = HvARRAY(ranges)[n]; entry != NULL; entry = HeNEXT(entry)) {
            STRLEN length;
            const char *name = HePV(entry, length);
            SV *value = HeVAL(entry);
            if (SvPOK(value) && parse_range(SvPVX(value), SvCUR(value), &range))
                visit(aTHX_ p, (nytp_str){name, length, HeUTF8(entry)}, &range, context);
        }
    }
}

HEK *prof_hek_hold(HEK *hek)
{
    if (hek == NULL || (HEK_FLAGS(hek) & HVhek_NOTSHARED))
        return NULL;
    return share_hek_hek(hek);
}

/* Undoes share_hek_hek(), for which perl has nothing that modules may call: an SV holds the string, too,
 * until the SV is freed. */
void prof_hek_release(pTHX_ HEK *hek)
{
    if (hek == NULL)
        return;
    SV *sv = newSVhek(hek);
    struct shared_he *entry =
        (struct shared_he *)((char *)hek - STRUCT_OFFSET(struct shared_he, shared_he_hek));
    entry->shared_he_he.he_valu.hent_refcount--;
    SvREFCNT_dec(sv);
}
