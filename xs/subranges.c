#include "subranges.h"

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
    HV *ranges = PL_DBsub != NULL ? GvHV(PL_DBsub) : NULL;
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
    HV *ranges = PL_DBsub != NULL ? GvHV(PL_DBsub) : NULL;
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
