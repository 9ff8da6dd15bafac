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

/* A count of more than 32 bits takes several chunks. */
void prof_arc_chunks(const prof *p, const prof_arc *a, double ticks_per_s, prof_arc_put *put, void *context)
{
    const double s = 1.0 / ticks_per_s;
    nytp_chunk chunk = {.tag = NYTP_SUB_CALLERS};
    chunk.sub_callers.fid = a->fid;
    chunk.sub_callers.line = a->line;
    chunk.sub_callers.caller = prof_sub_name(&p->subs, a->caller);
    chunk.sub_callers.incl_s = (double)a->incl_ticks * s;
    chunk.sub_callers.excl_s = (double)a->excl_ticks * s;
    chunk.sub_callers.reci_s = (double)a->reci_ticks * s;
    chunk.sub_callers.max_depth = a->max_depth;
    chunk.sub_callers.called = prof_sub_name(&p->subs, a->callee);
    uint64_t left = a->count;
    do {
        chunk.sub_callers.count = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
        put(context, &chunk);
        chunk.sub_callers.incl_s = chunk.sub_callers.excl_s = chunk.sub_callers.reci_s = 0;
        left -= chunk.sub_callers.count;
    } while (left > 0);
}

/* Context of put_chunk(). */
typedef struct writing {
    prof_output *out;
    int64_t excl_values, incl_values; /* those that are not written */
} writing;

static void put_chunk(void *context, const nytp_chunk *chunk)
{
    writing *w = context;
    const uint64_t numbers[] = {(uint64_t)w->excl_values, (uint64_t)w->incl_values};
    prof_output_numbers(w->out, "kept", numbers, 2);
    prof_output_chunk(w->out, chunk);
    w->excl_values = w->incl_values = 0;
}

void prof_arcs_write(prof *p)
{
    prof_arcs *arcs = &p->arcs;
    for (uint32_t n = 0; n < arcs->count; n++) {
        prof_arc *a = &arcs->at[n];
        if (a->count == 0 && a->incl_ticks == 0 && a->reci_ticks == 0)
            continue;
        writing w = {p->out, a->excl_values, a->incl_values};
        prof_sub_mark_write(p, a->callee);
        prof_arc_chunks(p, a, PROF_TICKS_PER_S, put_chunk, &w);
        a->count = 0;
        a->incl_ticks = a->excl_ticks = a->reci_ticks = 0;
        a->incl_values = a->excl_values = 0;
    }
}
