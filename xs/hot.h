/* What runs for every statement and every call. It allocates nothing, takes no lock, makes no system call,
 * formats nothing and leaves errno alone. */
#pragma once

#include "context.h"

/* A multiplier for hashes. Use the upper bits of the product. */
#define PROF_MIX UINT64_C(0x9E3779B97F4A7C15)

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
    *now = prof_now(p);
    return LIKELY(prof_is_quiet(aTHX_ p, *now)) || (p->probe.checkpoint(aTHX_ p, *now) && *wanted);
}

/* Begins an interval that shares the time of the end of a call, which has read the clock some nanoseconds
 * ago. */
static inline uint64_t prof_shared_probe_begin(const prof *p)
{
    return UNLIKELY(p->probe.untimed_left[PROF_PROBE_SHARED] == 0) ? prof_now(p) : p->frames.last_end;
}

/* Converts a count of the clock to active time (probe.h). */
static inline int64_t prof_active_ticks(const prof *p, uint64_t now)
{
    return prof_ticks(&p->probe.clock, now - p->probe.overhead);
}

/* Call it when the current interval does something unusual. The interval, whatever its kind will be, is then
 * timed at both ends and left out of the mean; so is the next one of each other kind, since those that follow
 * something unusual take longer than others. */
static inline void prof_probe_note_unusual(prof *p)
{
    p->probe.unusual = true;
    for (int kind = 0; kind < PROF_PROBE_KINDS; kind++) {
        p->probe.postponed[kind] += p->probe.untimed_left[kind];
        p->probe.untimed_left[kind] = 0;
    }
}

/* Ends the probe interval that began at `began`. */
static inline void prof_probe_end(prof *p, prof_probe_kind kind, uint64_t began)
{
    if (UNLIKELY(--p->probe.untimed_left[kind] < 0)) {
        prof_probe_end_timed(&p->probe, kind, began);
        return;
    }
    p->probe.overhead += p->probe.usual_counts[kind];
}

/* Returns space for PROF_EVENT_MAX bytes of whole chunks. To move on to another block is unusual. */
static inline unsigned char *prof_reserve(prof *p)
{
    unsigned char *at = atomic_load_explicit(&p->out->at, memory_order_relaxed);
    if (LIKELY(at <= p->out->limit))
        return at;
    prof_probe_note_unusual(p);
    return prof_output_next_block(p->out);
}

/* Sets *at to that space. Returns whether an event at `now` needs nothing else before it; changes nothing. */
static inline bool prof_is_ready(pTHX_ const prof *p, uint64_t now, unsigned char **at)
{
    *at = atomic_load_explicit(&p->out->at, memory_order_relaxed);
    return LIKELY(prof_is_quiet(aTHX_ p, now) && *at <= p->out->limit);
}

/* Returns the two slots in which the place of cop can be. COPs within 32 KiB have different ones. */
static inline prof_place *prof_place_slots(const prof *p, const COP *cop)
{
    return &p->places.slots[(uintptr_t)cop >> 3 & (PROF_PLACES - 2)];
}

static inline bool prof_place_is(const prof_place *slot, const COP *cop)
{
    return slot->cop == cop && slot->seq == cop->cop_seq;
}

/* Returns the place of cop if the cache has it, otherwise NULL. Valid until a place is filled in. */
static inline const prof_place *prof_place_kept(const prof *p, const COP *cop)
{
    const prof_place *slots = prof_place_slots(p, cop);
    if (LIKELY(prof_place_is(&slots[0], cop)))
        return &slots[0];
    return prof_place_is(&slots[1], cop) ? &slots[1] : NULL;
}

/* Returns the place of cop. Valid until the next call. via: how its file became known, for NEW_FID. */
static inline const prof_place *prof_place_of(pTHX_ prof *p, const COP *cop, uint32_t via)
{
    const prof_place *place = prof_place_kept(p, cop);
    return LIKELY(place != NULL) ? place : prof_place_find(aTHX_ p, cop, via);
}

/* Returns the two slots in which a call can be. */
static inline prof_callsite *prof_callsite_slots(const prof *p, uint32_t caller, const HEK *name,
                                                 const COP *cop)
{
    const uint64_t hash = (((uint64_t)(uintptr_t)cop ^ (uint64_t)(uintptr_t)name << 1) + caller) * PROF_MIX;
    return &p->callsites.slots[hash >> (64 - PROF_CALLSITE_BITS) & (PROF_CALLSITES - 2)];
}

static inline bool prof_callsite_is(const prof_callsite *slot, uint32_t caller, const HEK *package,
                                    const HEK *name, const OP *code, const COP *cop)
{
    return slot->cop == cop && slot->name == name && slot->package == package && slot->code == code &&
           slot->caller == caller && slot->seq == cop->cop_seq;
}

/* Returns the call if the cache has it, otherwise NULL. Valid until a call is filled in. */
__attribute__((always_inline)) static inline const prof_callsite *
prof_callsite_kept(const prof *p, uint32_t caller, const HEK *package, const HEK *name, const OP *code,
                   const COP *cop)
{
    const prof_callsite *slots = prof_callsite_slots(p, caller, name, cop);
    if (LIKELY(prof_callsite_is(&slots[0], caller, package, name, code, cop)))
        return &slots[0];
    return prof_callsite_is(&slots[1], caller, package, name, code, cop) ? &slots[1] : NULL;
}

/* Returns the call, which is valid until the next call of this function. */
static inline const prof_callsite *prof_callsite_of(pTHX_ prof *p, uint32_t caller, const prof_callee *callee,
                                                    const COP *cop)
{
    const prof_callsite *site =
        prof_callsite_kept(p, caller, callee->package, callee->name, callee->code, cop);
    return LIKELY(site != NULL) ? site : prof_callsite_find(aTHX_ p, caller, callee, cop);
}

/* Returns whether the main program's own code called, given the caller's pad: no sub runs that code. That
 * needs no search of perl's contexts, which is 7 % of a call from a loop. */
static inline bool prof_is_main_pad(pTHX_ const PAD *pad)
{
    const PERL_SI *si = PL_curstackinfo;
    return PL_main_root != NULL && si->si_prev == NULL && si->si_cxix >= 0 &&
           pad == PadlistARRAY(CvPADLIST(PL_main_cv))[1];
}

static inline prof_frame *prof_top_frame(const prof *p)
{
    return &p->frames.at[p->frames.count - 1];
}

/* Names are copied in pieces of this size, which is that of most, because names are padded. */
enum { PROF_NAME_PIECE = 48 };
_Static_assert((int)PROF_NAME_PIECE <= (int)NYTP_PAD, "names are padded by NYTP_PAD");

/* The length of encoded names that fit, with all of their last piece, into what is reserved for an event: a
 * return and a time. */
enum {
    PROF_NAME_PIECES = (PROF_EVENT_MAX - NYTP_FIXED_MAX - (int)sizeof(prof_encoded) - 1) / PROF_NAME_PIECE,
    PROF_NAME_MAX = PROF_NAME_PIECES * PROF_NAME_PIECE
};

/* Writes a SUB_RETURN at `at`. The name has at most PROF_NAME_MAX bytes. Returns the end. */
static inline unsigned char *prof_put_return(unsigned char *at, const prof_sub *sub, uint32_t depth,
                                             int64_t incl_ticks, int64_t excl_ticks)
{
    *at = NYTP_SUB_RETURN;
    at = nytp_put_u32(at + 1, depth);
    at = nytp_put_nv(nytp_put_nv(at, (double)incl_ticks), (double)excl_ticks);
    memcpy(at, sub->encoded, PROF_NAME_PIECE);
    for (size_t n = PROF_NAME_PIECE; UNLIKELY(n < sub->encoded_length); n += PROF_NAME_PIECE)
        memcpy(at + n, sub->encoded + n, PROF_NAME_PIECE);
    return at + sub->encoded_length;
}

/* Returns how many values perl has, less those that are mortal: perl frees them, among them what a call
 * returns, with the next statement around the call. */
static inline int64_t prof_values_now(pTHX)
{
    return (int64_t)PL_sv_count - PL_tmps_ix;
}

/* Adds the call of f, the top frame, to its arc, and removes the frame. */
static inline void prof_frame_remove(pTHX_ prof *p, prof_frame *f, int64_t incl_ticks, int64_t excl_ticks)
{
    const int64_t incl_values = prof_values_now(aTHX) - f->start_values;
    prof_frames *frames = &p->frames;
    uint32_t recursion = 0;
    uint64_t calls = 1;
    if (UNLIKELY(f->recursion != 0)) {
        calls = (f->recursion & PROF_PART) == 0;
        recursion = prof_frame_uncount(p, f);
    }
    prof_arc_add(&p->arcs, f->arc, recursion, calls, incl_ticks, excl_ticks);
    prof_arc_add_kept(&p->arcs, f->arc, recursion, incl_values, incl_values - f->child_values);
    if (--frames->count > 0) {
        f[-1].child_ticks += incl_ticks;
        f[-1].child_values += incl_values;
    }
    frames->has_returns = true;
}

/* Returns whether a time takes one byte. (Counters of two processors may differ a little, so it may be below
 * 0.) In a longer one the program may have been off its processor: see record/waits.h. */
static inline bool prof_is_short(int64_t ticks)
{
    return (uint64_t)ticks < 0x80;
}

/* Ends the call of f, the top frame, in space at `at`. Returns the end of what was written; NULL if its time
 * is long or its name is not a usual one, and then has changed nothing. */
__attribute__((always_inline)) static inline unsigned char *
prof_try_return(pTHX_ prof *p, prof_frame *f, unsigned char *at, int64_t active_ticks)
{
    const prof_sub *sub = &p->subs.at[f->sub];
    const int64_t incl_ticks = active_ticks - p->frames.idle_ticks - f->start_ticks;
    const int64_t excl_ticks = incl_ticks - f->child_ticks;
    if (UNLIKELY((uint64_t)excl_ticks >= p->waits.long_ticks || sub->encoded_length > PROF_NAME_MAX))
        return NULL;
    at = prof_put_return(at, sub, p->frames.count, incl_ticks, excl_ticks);
    prof_frame_remove(aTHX_ p, f, incl_ticks, excl_ticks);
    return at;
}

/* Ends the frame with that serial number, if it is the top one and nothing must be done before; otherwise
 * returns false, and has changed nothing. Needs p->enabled.fast_subs. */
__attribute__((always_inline)) static inline bool prof_try_end(pTHX_ prof *p, uintptr_t serial)
{
    if (UNLIKELY(p->frames.count == 0 || prof_top_frame(p)->serial != serial))
        return false;
    prof_frame *f = prof_top_frame(p);
    const uint64_t now = prof_now(p);
    unsigned char *at;
    if (UNLIKELY(!prof_is_ready(aTHX_ p, now, &at)))
        return false;
    const int64_t active_ticks = prof_active_ticks(p, now);
    at = prof_try_return(aTHX_ p, f, at, active_ticks);
    if (UNLIKELY(at == NULL))
        return false;
    prof_output_publish(p->out, at);
    p->frames.last_end = now;
    p->frames.last_end_ticks = active_ticks;
    prof_probe_end(p, PROF_PROBE_RETURN, now);
    return true;
}

/* Begins a call. There must be space for one more frame. recursion and cxix are as in prof_frame; stack is
 * the context stack if the op that leaves the sub ends the frame, otherwise NULL. Returns the frame's serial
 * number. */
static inline uintptr_t prof_frame_push(pTHX_ prof *p, const prof_callsite *site, uint32_t recursion,
                                        I32 cxix, const PERL_SI *stack, int64_t active_ticks)
{
    prof_frame *f = &p->frames.at[p->frames.count];
    f->serial = p->frames.serial += 2;
    f->sub = site->callee;
    f->arc = site->arc;
    f->recursion = recursion;
    f->cxix = cxix;
    f->stack = stack;
    f->start_ticks = active_ticks - p->frames.idle_ticks;
    f->child_ticks = 0;
    f->start_values = prof_values_now(aTHX);
    f->child_values = 0;
    p->frames.count++;
    return f->serial;
}

/* Returns the top frame if perl has left its sub, and the op that does that ends the frame; otherwise NULL.
 * Spans may be above such a frame: see prof_frame_end_from(). */
static inline prof_frame *prof_left_frame(pTHX_ const prof *p)
{
    const PERL_SI *stack = PL_curstackinfo;
    if (p->frames.count == 0)
        return NULL;
    prof_frame *f = prof_top_frame(p);
    return f->stack == stack && f->cxix > stack->si_cxix ? f : NULL;
}

enum { PROF_DESTRUCTOR = 3 }; /* entries of the savestack that a destructor takes */

/* Puts a destructor for the frame with that serial number on the savestack. Returns the new top. Every
 * destructor of a frame is put there by this function: it does what SAVEDESTRUCTOR_X() does, but makes room
 * first, as perl counts on some free entries past PL_savestack_max, leaves errno alone, and is inline, which
 * saves 2 % of a call. */
static inline I32 prof_destructor_push(pTHX_ uintptr_t serial)
{
    if (UNLIKELY(PL_savestack_ix + PROF_DESTRUCTOR > PL_savestack_max))
        prof_savestack_grow(aTHX);
    ANY *entry = &PL_savestack[PL_savestack_ix];
    entry[0].any_dxptr = prof_frame_end_by_destructor;
    entry[1].any_ptr = INT2PTR(void *, serial);
    entry[2].any_uv = SAVEt_DESTRUCTOR_X;
    return PL_savestack_ix += PROF_DESTRUCTOR;
}

/* Returns whether that destructor is the topmost on the savestack. It must have been put there, so the stack
 * is not empty. */
static inline bool prof_destructor_is_top(pTHX_ uintptr_t serial)
{
    const ANY *entry = &PL_savestack[PL_savestack_ix - PROF_DESTRUCTOR];
    return entry[0].any_dxptr == prof_frame_end_by_destructor && PTR2UV(entry[1].any_ptr) == serial;
}

/* Writes the time of the statement that ends at `at`; nothing if it has no place. ticks is at most INT32_MAX.
 * has_blocks: the statement may have a block, or another tag than TIME_LINE. Returns the end. */
__attribute__((always_inline)) static inline unsigned char *prof_put_time(const prof *p, unsigned char *at,
                                                                          int64_t ticks, bool has_blocks)
{
    const prof_encoded *current = &p->places.current, *block = &p->places.block;
    memcpy(at, current, sizeof *current);
    if (has_blocks)
        *at = p->statements.time_tag;
    if (LIKELY(ticks < 0x80)) {
        at[1] = (unsigned char)ticks;
        at += current->length;
    } else if (current->length > 0) {
        at = nytp_put_i32(at + 1, (int32_t)ticks);
        memcpy(at, current->bytes + PROF_PLACE_AT, sizeof *current - PROF_PLACE_AT);
        at += current->length - PROF_PLACE_AT;
    }
    if (has_blocks && current->length > 0) {
        memcpy(at, block->bytes, sizeof block->bytes);
        at += block->length;
    }
    return at;
}

/* Ends the statement that runs, which took that many ticks more than was written of it, in space at `at`, and
 * begins that of `next`. discount: that was counted before. Returns the end of what was written. */
__attribute__((always_inline)) static inline unsigned char *prof_put_statement(prof *p, unsigned char *at,
                                                                               const prof_place *next,
                                                                               int64_t ticks, bool discount,
                                                                               bool has_blocks)
{
    at = prof_put_time(p, at, ticks, has_blocks);
    if (discount)
        *at++ = NYTP_DISCOUNT;
    p->statements.start_ticks += ticks;
    p->places.current = next->time;
    return at;
}

/* prof_statement_next() where the next place is in the cache, the time is short, and the block has space;
 * otherwise returns false, and has changed nothing. Needs p->enabled.fast_stmts. */
__attribute__((always_inline)) static inline bool
prof_try_statement(pTHX_ prof *p, uint64_t began, int64_t active_ticks, bool discount, prof_probe_kind kind)
{
    const COP *cop = PL_curcop;
    const prof_place *next = prof_place_kept(p, cop);
    const int64_t ticks = active_ticks - p->statements.start_ticks;
    prof_output *out = p->out;
    unsigned char *at = atomic_load_explicit(&out->at, memory_order_relaxed);
    if (UNLIKELY(next == NULL || !prof_is_short(ticks) || at > out->limit))
        return false;
    prof_output_publish(out, prof_put_statement(p, at, next, ticks, discount, false));
    prof_probe_end(p, kind, began);
    return true;
}
