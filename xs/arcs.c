/* Call arcs: sums since they were last written, by caller, called sub and calling line. */
#include "calls.h"

static uint32_t slot_for(const prof *p, uint32_t caller, uint32_t called, uint32_t fid, uint32_t line)
{
    uint64_t a = ((uint64_t)caller << 32 | called) * PROF_MIX;
    uint64_t b = ((uint64_t)fid << 32 | line) * UINT64_C(0xC2B2AE3D27D4EB4F);
    uint64_t h = (a ^ b >> 29) * PROF_MIX;
    return (uint32_t)(h >> 32) & p->arc_mask;
}

static void grow(prof *p)
{
    p->arc_room = p->arc_room * 2 + 512;
    p->arcs = prof_realloc(p->arcs, p->arc_room * sizeof *p->arcs);
    p->arc_mask = 1024;
    while (p->arc_mask < p->arc_room * 2)
        p->arc_mask *= 2;
    p->arc_mask--;
    free(p->arc_slots);
    p->arc_slots = prof_alloc(((size_t)p->arc_mask + 1) * sizeof *p->arc_slots);
    for (uint32_t n = 0; n < p->arc_count; n++) {
        const prof_arc *a = &p->arcs[n];
        uint32_t i = slot_for(p, a->caller, a->called, a->fid, a->line);
        while (p->arc_slots[i] != 0)
            i = (i + 1) & p->arc_mask;
        p->arc_slots[i] = n + 1;
    }
}

/* The index of an arc, which stays the same as long as the context lives. */
static uint32_t arc_of(prof *p, uint32_t caller, uint32_t called, const prof_place *from)
{
    const uint32_t fid = from->fid, line = from->line;
    if (UNLIKELY(p->arc_count == p->arc_room))
        grow(p);
    uint32_t i = slot_for(p, caller, called, fid, line);
    for (; p->arc_slots[i] != 0; i = (i + 1) & p->arc_mask) {
        const prof_arc *a = &p->arcs[p->arc_slots[i] - 1];
        if (a->called == called && a->line == line && a->caller == caller && a->fid == fid)
            return p->arc_slots[i] - 1;
    }
    p->arcs[p->arc_count] = (prof_arc){.caller = caller, .called = called, .fid = fid, .line = line};
    p->arc_slots[i] = ++p->arc_count;
    return p->arc_count - 1;
}

static uint32_t sub_of(pTHX_ prof *p, const prof_callee *callee)
{
    return callee->cv != NULL   ? prof_sub_of_cv(aTHX_ p, callee->cv)
           : callee->gv != NULL ? prof_sub_of_gv(aTHX_ p, callee->gv)
                                : prof_sub_of_op(aTHX_ p, callee->op_type);
}

const prof_call *prof_call_find(pTHX_ prof *p, prof_call *slot, uint32_t caller, const prof_callee *callee,
                                const COP *cop)
{
    const prof_place *from = prof_place_of(aTHX_ p, cop, NYTP_FID_VIA_SUB);
    const bool lasts = from->cop != NULL && callee->name != NULL &&
                       (callee->cv == NULL || prof_name_is_one_sub(callee->name));
    if (!lasts)
        slot = &p->calls[PROF_CALLS];
    slot->cop = from->cop;
    slot->package = callee->package;
    slot->name = callee->name;
    slot->seq = from->seq;
    slot->caller = caller;
    slot->called = sub_of(aTHX_ p, callee);
    slot->arc = arc_of(p, caller, slot->called, from);
    return slot;
}

/* Only the outermost call of a recursion counts as inclusive; the others' time is in it already. */
void prof_arc_add(prof *p, const prof_frame *frame, int64_t incl_ticks, int64_t excl_ticks)
{
    prof_arc *a = &p->arcs[frame->arc];
    a->count++;
    a->excl_ticks += excl_ticks;
    if (LIKELY(frame->recursion == 0)) {
        a->incl_ticks += incl_ticks;
        return;
    }
    a->reci_ticks += incl_ticks;
    if (a->max_depth < frame->recursion)
        a->max_depth = frame->recursion;
}

/* Says once of an xsub or built-in that it is one: an arc from nowhere. */
static void write_mark(prof *p, uint32_t called)
{
    nytp_chunk chunk = {.tag = NYTP_SUB_CALLERS};
    prof_sub *sub = &p->subs[called];
    if (!sub->xsub || sub->mark_written)
        return;
    chunk.sub_callers.called = prof_sub_name(p, called);
    prof_output_chunk(p->out, &chunk);
    sub->mark_written = true;
}

/* A chunk has room for 32 bits of the count: several tell of more. */
static void write_arc(prof *p, const prof_arc *a)
{
    const double s = 1.0 / PROF_TICKS_PER_S;
    nytp_chunk chunk = {.tag = NYTP_SUB_CALLERS};
    chunk.sub_callers.fid = a->fid;
    chunk.sub_callers.line = a->line;
    chunk.sub_callers.caller = prof_sub_name(p, a->caller);
    chunk.sub_callers.incl_s = (double)a->incl_ticks * s;
    chunk.sub_callers.excl_s = (double)a->excl_ticks * s;
    chunk.sub_callers.reci_s = (double)a->reci_ticks * s;
    chunk.sub_callers.max_depth = a->max_depth;
    chunk.sub_callers.called = prof_sub_name(p, a->called);
    for (uint64_t left = a->count; left > 0; left -= chunk.sub_callers.count) {
        chunk.sub_callers.count = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
        prof_output_chunk(p->out, &chunk);
        chunk.sub_callers.incl_s = chunk.sub_callers.excl_s = chunk.sub_callers.reci_s = 0;
    }
}

/* Readers add arcs up, so differences can be written at any time. */
void prof_arcs_write(prof *p)
{
    for (uint32_t n = 0; n < p->arc_count; n++) {
        prof_arc *a = &p->arcs[n];
        if (a->count == 0)
            continue;
        write_mark(p, a->called);
        write_arc(p, a);
        a->count = 0;
        a->incl_ticks = a->excl_ticks = a->reci_ticks = 0;
    }
}

/* Open calls know their arcs. */
void prof_arcs_forget(prof *p)
{
    for (uint32_t n = 0; n < p->arc_count; n++) {
        prof_arc *a = &p->arcs[n];
        *a = (prof_arc){.caller = a->caller, .called = a->called, .fid = a->fid, .line = a->line};
    }
}
