#include "names/places.h"

#include "hot.h"
#include "basics/alloc.h"

void prof_places_init(prof_places *places)
{
    places->slots = prof_alloc((PROF_PLACES + 1) * sizeof *places->slots);
    /* NULL, which PL_curcop may be, belongs in the first two slots. It must not find an empty one there. */
    places->slots[0].cop = places->slots[1].cop = (const COP *)places;
}

void prof_places_free(prof_places *places)
{
    free(places->slots);
}

/* A COP without a line, which the optimizer has removed, stands for the next one that has a line. */
static line_t line_near(pTHX_ const COP *cop)
{
    for (const OP *o = (const OP *)cop; o != NULL; o = OpSIBLING(o))
        if ((o->op_type == OP_NEXTSTATE || o->op_type == OP_DBSTATE) && CopLINE((const COP *)o) != 0)
            return CopLINE((const COP *)o);
    return PL_curcop != NULL && CopLINE(PL_curcop) != 0 ? CopLINE(PL_curcop) : 1;
}

static void fill_place(pTHX_ prof *p, prof_place *place, const COP *cop, uint32_t via)
{
    dSAVE_ERRNO;
    const char *file = CopFILE(cop);
    const uint32_t fid = file != NULL ? prof_fid(aTHX_ p, file, strlen(file), via) : 0;
    place->line = (uint32_t)CopLINE(cop);
    const uint32_t shown = place->line != 0 ? place->line : (uint32_t)line_near(aTHX_ cop);
    unsigned char *end = nytp_put_u32(nytp_put_u32(place->time.bytes + PROF_PLACE_AT, fid), shown);
    place->time.bytes[0] = NYTP_TIME_LINE;
    place->time.length = fid != 0 ? (uint8_t)(end - place->time.bytes) : 0;
    RESTORE_ERRNO;
}

/* Returns the statement that called the code that ran. */
static const COP *calling_cop(pTHX)
{
    for (const PERL_SI *si = PL_curstackinfo; si != NULL; si = si->si_prev) {
        for (I32 i = si->si_cxix; i >= 0; i--) {
            const PERL_CONTEXT *cx = &si->si_cxstack[i];
            if (CxTYPE(cx) != CXt_SUBST && cx->blk_oldcop != NULL)
                return cx->blk_oldcop;
        }
    }
    return &PL_compiling;
}

const prof_place *prof_place_find(pTHX_ prof *p, const COP *cop, uint32_t via)
{
    prof_probe_note_unusual(p);
    if (cop == NULL) {
        cop = calling_cop(aTHX);
        const prof_place *kept = prof_place_kept(p, cop);
        if (kept != NULL)
            return kept;
    }
    /* PL_compiling changes its line while perl parses. Its copy for folding constants is on the C stack. */
    const bool lasts = cop->op_type == OP_NEXTSTATE || cop->op_type == OP_DBSTATE;
    prof_place *slot = lasts ? prof_place_slots(p, cop) : &p->places.slots[PROF_PLACES];
    if (lasts)
        slot[1] = slot[0];
    fill_place(aTHX_ p, slot, cop, via);
    slot->cop = lasts ? cop : NULL;
    slot->seq = cop->cop_seq;
    return slot;
}
