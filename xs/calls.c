#include "calls.h"

#include "hot.h"
#include "alloc.h"

void prof_calls_init(prof_calls *calls)
{
    calls->slots = prof_alloc((PROF_CALLS + 1) * sizeof *calls->slots);
}

void prof_calls_clear(prof_calls *calls)
{
    free(calls->slots);
    memset(calls, 0, sizeof *calls);
}

void prof_calls_forget(prof_calls *calls)
{
    memset(calls->slots, 0, PROF_CALLS * sizeof *calls->slots);
}

static uint32_t sub_of(pTHX_ prof *p, const prof_callee *callee)
{
    if (callee->cv != NULL)
        return prof_sub_of_cv(aTHX_ p, callee->cv);
    if (callee->op_type == 0)
        return prof_sub_of_gv(aTHX_ p, callee->gv);
    return callee->file != NULL ? prof_sub_of_load(aTHX_ p, callee->op_type, callee->file)
                                : prof_sub_of_op(aTHX_ p, callee->op_type);
}

const prof_call *prof_call_find(pTHX_ prof *p, prof_call *slot, uint32_t caller, const prof_callee *callee,
                                const COP *cop)
{
    const prof_place *from = prof_place_of(aTHX_ p, cop, NYTP_FID_VIA_SUB);
    const bool lasts = from->cop != NULL && callee->name != NULL &&
                       (callee->cv == NULL || prof_name_is_one_sub(callee->name));
    if (!lasts)
        slot = &p->calls.slots[PROF_CALLS];
    slot->cop = from->cop;
    slot->package = callee->package;
    slot->name = callee->name;
    slot->seq = from->seq;
    slot->caller = caller;
    slot->called = sub_of(aTHX_ p, callee);
    slot->arc = prof_arc_find(&p->arcs, caller, slot->called, from->fid, from->line);
    return slot;
}
