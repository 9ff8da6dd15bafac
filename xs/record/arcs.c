#include "record/arcs.h"

#include "hot.h"
#include "basics/alloc.h"
#include "names/subinfo.h"

void prof_arcs_free(prof_arcs *arcs)
{
    free(arcs->at);
    free(arcs->slots.at);
}

/* Context of is_same(). */
typedef struct key {
    const prof_arc *arcs;
    uint32_t caller, callee, fid, line;
} key;

static inline uint64_t hash_of(uint32_t caller, uint32_t callee, uint32_t fid, uint32_t line)
{
    uint64_t a = ((uint64_t)caller << 32 | callee) * PROF_MIX;
    uint64_t b = ((uint64_t)fid << 32 | line) * UINT64_C(0xC2B2AE3D27D4EB4F);
    return (a ^ b >> 29) * PROF_MIX >> 32;
}

static inline uint64_t hash_at(const void *arcs, uint32_t number)
{
    const prof_arc *a = (const prof_arc *)arcs + number;
    return hash_of(a->caller, a->callee, a->fid, a->line);
}

static inline bool is_same(const void *context, uint32_t number)
{
    const key *k = context;
    const prof_arc *a = &k->arcs[number];
    return a->callee == k->callee && a->line == k->line && a->caller == k->caller && a->fid == k->fid;
}

uint32_t prof_arc_find(prof_arcs *arcs, uint32_t caller, uint32_t callee, uint32_t fid, uint32_t line)
{
    if (UNLIKELY(arcs->count == arcs->cap))
        arcs->at =
            prof_grow_entries(arcs->at, arcs->count, &arcs->cap, sizeof *arcs->at, &arcs->slots, hash_at);
    const key k = {arcs->at, caller, callee, fid, line};
    uint32_t *slot = nytp_slots_find(&arcs->slots, hash_of(caller, callee, fid, line), is_same, &k);
    if (*slot != 0)
        return *slot - 1;
    arcs->at[arcs->count] = (prof_arc){.caller = caller, .callee = callee, .fid = fid, .line = line};
    *slot = ++arcs->count;
    return arcs->count - 1;
}

void prof_arcs_forget(prof_arcs *arcs)
{
    for (uint32_t n = 0; n < arcs->count; n++) {
        prof_arc *a = &arcs->at[n];
        const int64_t any = a->incl_ticks | a->excl_ticks | a->reci_ticks | a->incl_values | a->excl_values;
        if (a->count == 0 && a->max_depth == 0 && any == 0)
            continue; /* without writing: a forked child would copy all pages of the array */
        *a = (prof_arc){.caller = a->caller, .callee = a->callee, .fid = a->fid, .line = a->line};
    }
}

/* A count of more than 32 bits takes several chunks, the first of which has the sums. */
static void write_arc(const prof *p, const prof_arc *a)
{
    const double s = 1.0 / PROF_TICKS_PER_S;
    nytp_chunk chunk = {.tag = NYTP_SUB_CALLERS};
    chunk.sub_callers.fid = a->fid;
    chunk.sub_callers.line = a->line;
    chunk.sub_callers.caller = prof_sub_name(&p->subs, a->caller);
    chunk.sub_callers.incl_s = (double)a->incl_ticks * s;
    chunk.sub_callers.excl_s = (double)a->excl_ticks * s;
    chunk.sub_callers.reci_s = (double)a->reci_ticks * s;
    chunk.sub_callers.max_depth = a->max_depth;
    chunk.sub_callers.called = prof_sub_name(&p->subs, a->callee);
    uint64_t kept[] = {(uint64_t)a->excl_values, (uint64_t)a->incl_values};
    uint64_t left = a->count;
    do {
        chunk.sub_callers.count = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
        prof_output_numbers(p->out, "kept", kept, 2);
        prof_output_chunk(p->out, &chunk);
        chunk.sub_callers.incl_s = chunk.sub_callers.excl_s = chunk.sub_callers.reci_s = 0;
        kept[0] = kept[1] = 0;
        left -= chunk.sub_callers.count;
    } while (left > 0);
}

void prof_arcs_write(prof *p)
{
    prof_arcs *arcs = &p->arcs;
    for (uint32_t n = 0; n < arcs->count; n++) {
        prof_arc *a = &arcs->at[n];
        if (a->count == 0 && a->incl_ticks == 0 && a->reci_ticks == 0)
            continue;
        prof_sub_mark_write(p, a->callee);
        write_arc(p, a);
        a->count = 0;
        a->incl_ticks = a->excl_ticks = a->reci_ticks = 0;
        a->incl_values = a->excl_values = 0;
    }
}
