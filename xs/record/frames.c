#include "record/frames.h"

#include "record/statements.h"
#include "hot.h"
#include "basics/alloc.h"

void prof_frames_init(pTHX_ prof_frames *frames)
{
    static _Atomic uint16_t contexts;
    frames->mainstack = PL_mainstack;
    frames->serial = (uintptr_t)atomic_fetch_add(&contexts, 1) << (sizeof frames->serial * 8 - 16);
}

void prof_frames_clear(prof_frames *frames)
{
    free(frames->at);
    free(frames->evals.at);
    memset(frames, 0, sizeof *frames);
}

void prof_frames_grow(prof_frames *frames)
{
    dSAVE_ERRNO;
    frames->cap = frames->cap * 2 + 16;
    frames->at = prof_realloc(frames->at, frames->cap * sizeof *frames->at);
    RESTORE_ERRNO;
}

void prof_savestack_grow(pTHX)
{
    dSAVE_ERRNO;
    savestack_grow();
    RESTORE_ERRNO;
}

/* Writes a SUB_RETURN, if that is wanted. One whose name does not fit into what is reserved is encoded
 * elsewhere. */
static void write_return(prof *p, uint32_t depth, uint32_t number, int64_t incl_ticks, int64_t excl_ticks)
{
    const prof_sub *sub = &p->subs.at[number];
    if (p->out == NULL || p->options.calls == 0)
        return;
    if (LIKELY(sub->encoded_length <= PROF_NAME_MAX)) {
        prof_output_publish(p->out, prof_put_return(prof_reserve(p), sub, depth, incl_ticks, excl_ticks));
        return;
    }
    nytp_chunk chunk = {.tag = NYTP_SUB_RETURN};
    chunk.sub_return.depth = depth;
    chunk.sub_return.incl_ticks = (double)incl_ticks;
    chunk.sub_return.excl_ticks = (double)excl_ticks;
    chunk.sub_return.name = prof_sub_name(&p->subs, number);
    prof_output_chunk(p->out, &chunk);
}

void prof_frame_count(prof *p, prof_frame *f)
{
    f->recursion = p->subs.at[f->sub].open++ | PROF_COUNTED;
    p->frames.has_counted = true;
}

uint32_t prof_frame_uncount(prof *p, prof_frame *f)
{
    if (f->recursion & PROF_COUNTED)
        p->subs.at[f->sub].open--;
    return f->recursion &= ~(PROF_COUNTED | PROF_PART);
}

void prof_frames_count_shared(prof *p, uint32_t sub)
{
    for (prof_frame *f = p->frames.at; f < p->frames.at + p->frames.count; f++) {
        if (f->sub != sub || (f->recursion & PROF_COUNTED) != 0)
            continue;
        f->recursion |= PROF_COUNTED;
        p->subs.at[sub].open++;
    }
    p->frames.has_counted = p->frames.counts_some = true;
}

uint32_t prof_frames_recursion(prof *p, uint32_t sub, uint32_t recursion)
{
    prof_sub *s = &p->subs.at[sub];
    return s->is_shared ? s->open++ | PROF_COUNTED : recursion + s->open;
}

void prof_frames_recount(prof *p, const prof_frames *frames, bool runs)
{
    for (uint32_t n = 0; p->frames.has_counted && n < frames->count; n++)
        if (frames->at[n].recursion & PROF_COUNTED)
            p->subs.at[frames->at[n].sub].open += runs ? 1 : UINT32_MAX;
}

/* Returns the inclusive time of the call of a frame up to active_ticks: not less than that of what it has
 * called, though counters of two processors may differ a little. */
static inline int64_t incl_ticks_of(const prof *p, const prof_frame *f, int64_t child_ticks,
                                    int64_t active_ticks)
{
    const int64_t incl_ticks = active_ticks - p->frames.idle_ticks - f->start_ticks;
    return incl_ticks > child_ticks ? incl_ticks : child_ticks;
}

/* Says that the next returns are of parts of calls, which count none. */
static void write_parts(const prof *p, uint64_t count)
{
    if (p->out != NULL && p->options.calls != 0 && count > 0)
        prof_output_numbers(p->out, "parts", &count, 1);
}

/* Before the return of a frame that is a part. */
static void write_marks(const prof *p, const prof_frame *f)
{
    write_parts(p, f->recursion & PROF_PART ? 1 : 0);
    prof_request_write_id(p, f);
}

static bool is_of_span(const prof *p, const prof_frame *f)
{
    return p->subs.span != PROF_SUB_NONE && p->subs.at[f->sub].base == p->subs.span + 1;
}

/* Before the return of a span. */
static void write_left(pTHX_ const prof *p, const prof_frame *f)
{
    const uint64_t values = (uint64_t)(prof_values_now(aTHX) - f->start_values);
    if (p->out != NULL && p->options.calls != 0)
        prof_output_numbers(p->out, "left", &values, 1);
}

static inline void end_top_frame(pTHX_ prof *p, int64_t active_ticks)
{
    prof_frame *f = prof_top_frame(p);
    const int64_t incl_ticks = incl_ticks_of(p, f, f->child_ticks, active_ticks);
    const bool is_part = f->cxix < PROF_NO_CXIX;
    const uint64_t request = is_part ? prof_request_of_frame(&p->requests, f) : 0;
    if (UNLIKELY(is_part))
        write_marks(p, f);
    if (UNLIKELY(is_of_span(p, f)))
        write_left(aTHX_ p, f);
    write_return(p, p->frames.count, f->sub, incl_ticks, incl_ticks - f->child_ticks);
    prof_frame_remove(aTHX_ p, f, incl_ticks, incl_ticks - f->child_ticks);
    prof_request_end_part(p, request);
}

static void drop_top_frame(prof *p)
{
    prof_frame_uncount(p, prof_top_frame(p));
    p->frames.count--;
}

/* Records all calls and string evals up to active_ticks. They stay. goes_on: only parts of the calls, whose
 * values are recorded when they return. */
static void record_all(prof *p, int64_t active_ticks, int64_t values, bool goes_on)
{
    uint32_t evals = p->frames.evals.count;
    int64_t callee_ticks = 0, callee_values = 0;
    if (goes_on)
        write_parts(p, p->frames.count);
    for (uint32_t n = p->frames.count; n-- > 0;) {
        const prof_frame *f = &p->frames.at[n];
        const int64_t child_ticks = f->child_ticks + callee_ticks;
        const bool counts = !goes_on && (f->recursion & PROF_PART) == 0;
        evals = prof_evals_write_ends(p, evals, n + 1, active_ticks);
        callee_ticks = incl_ticks_of(p, f, child_ticks, active_ticks);
        if (goes_on)
            prof_request_write_id(p, f);
        else
            write_marks(p, f);
        write_return(p, n + 1, f->sub, callee_ticks, callee_ticks - child_ticks);
        const uint32_t recursion = f->recursion & ~(PROF_COUNTED | PROF_PART);
        prof_arc_add(&p->arcs, f->arc, recursion, counts, callee_ticks, callee_ticks - child_ticks);
        if (goes_on)
            continue;
        const int64_t child_values = f->child_values + callee_values;
        callee_values = values - f->start_values;
        prof_arc_add_kept(&p->arcs, f->arc, recursion, callee_values, callee_values - child_values);
    }
    prof_evals_write_ends(p, evals, 0, active_ticks);
}

void prof_frames_write_open(prof *p, int64_t active_ticks, int64_t values)
{
    record_all(p, active_ticks, values, false);
}

static void restart(prof_frames *frames, int64_t active_ticks)
{
    for (uint32_t n = 0; n < frames->count; n++) {
        frames->at[n].start_ticks = active_ticks - frames->idle_ticks;
        frames->at[n].child_ticks = 0;
    }
    prof_evals_restart(&frames->evals, active_ticks - frames->idle_ticks);
}

void prof_frames_write_parts(prof *p, int64_t active_ticks)
{
    if (!p->frames.has_returns && p->frames.evals.count == 0)
        return;
    record_all(p, active_ticks, 0, true);
    restart(&p->frames, active_ticks);
    p->frames.has_returns = false;
}

void prof_frames_begin_file(const prof *p, prof_frames *frames, int64_t active_ticks, int64_t values)
{
    restart(frames, active_ticks);
    for (prof_frame *f = frames->at; f < frames->at + frames->count; f++) {
        f->start_values = values;
        f->child_values = 0;
        if (!is_of_span(p, f))
            continue;
        f->recursion |= PROF_PART;
        f->cxix = MIN(f->cxix, PROF_PART_CXIX);
    }
}

static bool is_open(const prof_frames *frames, uintptr_t serial)
{
    uint32_t n = frames->count;
    while (n > 0 && frames->at[n - 1].serial > serial)
        n--;
    return n > 0 && frames->at[n - 1].serial == serial;
}

static __attribute__((noinline)) void end_frames(pTHX_ prof *p, uintptr_t serial, bool at_part)
{
    uint64_t now;
    const bool is_of_current = PL_mainstack == p->frames.mainstack;
    if (LIKELY(is_of_current) && !is_open(&p->frames, serial))
        return;
    /* The call may have forked, as open(P, "-|") does. Then its time is the parent's. */
    const bool has_forked = p->process.forked_child;
    prof_probe_begin(aTHX_ p, &p->enabled.any, &now); /* switches to the frames of the coroutine that runs */
    if (UNLIKELY(!is_of_current) && !is_open(&p->frames, serial))
        return;
    const int64_t active_ticks = at_part ? p->statements.start_ticks : prof_active_ticks(p, now);
    prof_waits_look(p, active_ticks, p->frames.count);
    while (p->frames.count > 0 && prof_top_frame(p)->serial >= serial) {
        if (has_forked && p->subs.at[prof_top_frame(p)->sub].xsub)
            drop_top_frame(p);
        else
            end_top_frame(aTHX_ p, active_ticks);
    }
    prof_probe_end(p, PROF_PROBE_RETURN, now);
    p->frames.last_end = now;
    p->frames.last_end_ticks = active_ticks;
}

void prof_frame_end_slowly(pTHX_ prof *p, uintptr_t serial, bool at_part)
{
    end_frames(aTHX_ p, serial, at_part);
}

static void end_slowly_by_destructor(pTHX_ void *serial)
{
    prof *p = prof_of(aTHX);
    if (p != NULL)
        end_frames(aTHX_ p, PTR2UV(serial), false);
}

/* How many of the frames below f are of its sub. */
static uint32_t frames_of_sub_below(const prof_frames *frames, const prof_frame *f)
{
    uint32_t count = 0;
    for (const prof_frame *other = frames->at; other < f; other++)
        count += other->sub == f->sub;
    return count;
}

/* The op that leaves the sub knows nothing of marks, so the destructor ends the frame, in the sub's scope. */
void prof_frame_resume(pTHX_ prof *p)
{
    prof_frame *f = prof_top_frame(p);
    if (f->stack != NULL)
        CX_CUR()->blk_oldsaveix -= PROF_DESTRUCTOR;
    f->stack = NULL;
    f->cxix = PROF_PART_CXIX;
    prof_frame_uncount(p, f);
    f->recursion = frames_of_sub_below(&p->frames, f) | PROF_PART | PROF_COUNTED;
    p->subs.at[f->sub].open++;
    p->frames.has_counted = p->frames.counts_some = true;
    PL_savestack[PL_savestack_ix - PROF_DESTRUCTOR].any_dxptr = end_slowly_by_destructor;
}

void prof_frame_end(pTHX_ prof *p, uintptr_t serial)
{
    if (UNLIKELY(p->enabled.fast_subs != PROF_PERL || !prof_try_end(aTHX_ p, serial)))
        end_frames(aTHX_ p, serial, false);
}

/* Returns whether the destructor of a frame is in the scope of its sub. */
static bool ends_with_its_scope(const prof_frame *f)
{
    return f->stack == NULL && (f->cxix >= 0 || f->cxix == PROF_PART_CXIX);
}

/* Spans and xsubs may be above the frame. A sub whose destructor ends its frame may not: perl has not left
 * that one, so it has left none below. Thus a return costs the same in a recursion of any depth. */
bool prof_frame_end_from(pTHX_ prof *p, I32 cxix)
{
    const uint32_t count = p->frames.count;
    uint32_t n = count;
    while (n > 0 && p->frames.at[n - 1].stack == NULL && !ends_with_its_scope(&p->frames.at[n - 1]))
        n--;
    if (n == 0 || p->frames.at[n - 1].stack != PL_curstackinfo || p->frames.at[n - 1].cxix < cxix)
        return false;
    /* An odd serial number: spans below have the even one (ops/spans.c). Use that one, so that they end as
     * well. */
    const uintptr_t serial = p->frames.at[n - 1].serial & ~(uintptr_t)1;
    prof_frame_end(aTHX_ p, serial);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): perl always has a stack */
    if (cxix > cxstack_ix && prof_destructor_is_top(aTHX_ serial))
        PL_savestack_ix -= PROF_DESTRUCTOR;
    return p->frames.count < count;
}

static __attribute__((noinline)) void end_any_by_destructor(pTHX_ uintptr_t serial)
{
    prof *p = prof_of(aTHX);
    if (p == NULL)
        return;
    end_frames(aTHX_ p, serial, false);
    if (p->frames.count == 0 && prof_is_called_by_host(aTHX_ cxstack_ix - 1)) /* no op runs after a die */
        prof_leave_perl(aTHX_ p);
}

void prof_frame_end_by_destructor(pTHX_ void *serial)
{
    prof *p = prof_latest;
    if (UNLIKELY(p->enabled.fast_subs != PROF_PERL || !prof_try_end(aTHX_ p, PTR2UV(serial))))
        end_any_by_destructor(aTHX_ PTR2UV(serial));
    else if (UNLIKELY(p->frames.count == 0 && prof_is_called_by_host(aTHX_ cxstack_ix - 1)))
        prof_leave_perl(aTHX_ p);
}
