/* What runs for every statement and every call. It allocates nothing, takes no lock, makes no system call,
 * formats nothing and leaves errno alone. */
#ifndef PROF_HOT_H
#define PROF_HOT_H

#include "context.h"

/* A multiplier for hashes. Use the upper bits of the product. */
#define PROF_MIX UINT64_C(0x9E3779B97F4A7C15)

/* ---- probe intervals ---- */

/* Returns whether no checkpoint is due. The next one is at most 0.4 s ahead, which is less than 2^32 counts;
 * a larger difference means that it is due, or that the counter went back. */
static inline bool prof_before_checkpoint(const prof *p, uint64_t now)
{
    return (atomic_load_explicit(&p->probe.checkpoint_at, memory_order_relaxed) - now) >> 32 == 0;
}

/* Returns whether no checkpoint is due, and the coroutine runs that ran before (coroutines.h). */
static inline bool prof_is_quiet(pTHX_ const prof *p, uint64_t now)
{
    return prof_before_checkpoint(p, now) && PL_mainstack == p->frames.mainstack;
}

/* Begins a probe interval at *now. Switches to the frames of the coroutine that runs (coroutines.h). wanted
 * points to p->enabled.stmts or .subs, which a checkpoint may change. Returns false if nothing must be
 * recorded. */
static inline bool prof_probe_begin(pTHX_ prof *p, const bool *wanted, uint64_t *now)
{
    *now = prof_now(&p->probe.clock);
    return LIKELY(prof_is_quiet(aTHX_ p, *now)) || (p->probe.checkpoint(aTHX_ p, *now) && *wanted);
}

/* Begins an interval that shares the time of the end of a call, which has read the clock some nanoseconds
 * ago. */
static inline uint64_t prof_shared_probe_begin(const prof *p)
{
    return UNLIKELY(p->probe.untimed_left[PROF_PROBE_SHARED] == 0) ? prof_now(&p->probe.clock)
                                                                   : p->frames.last_end;
}

/* Converts a count of the clock to active time (probe.h). */
static inline int64_t prof_active_ticks(const prof *p, uint64_t now)
{
    return prof_ticks(&p->probe.clock, now - p->probe.overhead);
}

/* Call it when the current interval does something unusual. The interval is then timed at both ends and left
 * out of the average. */
static inline void prof_probe_note_unusual(prof *p)
{
    p->probe.unusual = true;
    memset(p->probe.untimed_left, 0, sizeof p->probe.untimed_left);
}

/* Ends the probe interval that began at `began`. */
static inline void prof_probe_end(prof *p, prof_probe_kind kind, uint64_t began)
{
    if (UNLIKELY(p->probe.untimed_left[kind] == 0)) {
        prof_probe_end_timed(&p->probe, kind, began);
        return;
    }
    p->probe.untimed_left[kind]--;
    p->probe.overhead += p->probe.usual_counts[kind];
}

/* ---- output ---- */

/* Returns space for PROF_EVENT_MAX bytes of whole chunks. To move on to another block is unusual. */
static inline unsigned char *prof_reserve(prof *p)
{
    unsigned char *at = atomic_load_explicit(&p->out->at, memory_order_relaxed);
    if (LIKELY(at <= p->out->limit))
        return at;
    prof_probe_note_unusual(p);
    return prof_output_next_block(p->out);
}

/* ---- places ---- */

/* Returns the only slot that the place of cop can be in. COPs within 32 KiB have different ones. */
static inline prof_place *prof_place_slot(const prof *p, const COP *cop)
{
    return &p->places.slots[(uintptr_t)cop >> 3 & (PROF_PLACES - 1)];
}

/* Returns the place of cop. Valid until the next call. via: how its file became known, for NEW_FID. */
static inline const prof_place *prof_place_of(pTHX_ prof *p, const COP *cop, uint32_t via)
{
    prof_place *slot = prof_place_slot(p, cop);
    if (LIKELY(slot->cop == cop && slot->seq == cop->cop_seq))
        return slot;
    return prof_place_find(aTHX_ p, slot, cop, via);
}

/* ---- calls ---- */

/* Returns the only slot that a call can be in. */
static inline prof_callsite *prof_callsite_slot(const prof *p, uint32_t caller, const HEK *name,
                                                const COP *cop)
{
    const uint64_t hash = (((uint64_t)(uintptr_t)cop ^ (uint64_t)(uintptr_t)name << 1) + caller) * PROF_MIX;
    return &p->callsites.slots[hash >> (64 - PROF_CALLSITE_BITS)];
}

static inline bool prof_callsite_is(const prof_callsite *slot, uint32_t caller, const HEK *package,
                                    const HEK *name, const COP *cop)
{
    return slot->cop == cop && slot->name == name && slot->package == package && slot->caller == caller &&
           slot->seq == cop->cop_seq;
}

/* Returns the call, which is valid until the next call of this function. */
static inline const prof_callsite *prof_callsite_of(pTHX_ prof *p, uint32_t caller, const prof_callee *callee,
                                                    const COP *cop)
{
    prof_callsite *slot = prof_callsite_slot(p, caller, callee->name, cop);
    if (LIKELY(prof_callsite_is(slot, caller, callee->package, callee->name, cop)))
        return slot;
    return prof_callsite_find(aTHX_ p, slot, caller, callee, cop);
}

static inline prof_frame *prof_top_frame(const prof *p)
{
    return &p->frames.at[p->frames.count - 1];
}

#endif
