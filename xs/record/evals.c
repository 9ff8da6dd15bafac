#include "record/evals.h"

#include "basics/alloc.h"
#include "basics/ops.h"
#include "hot.h"

static void write_mark(const prof *p, const char *key, const uint64_t *numbers, int count)
{
    if (p->out != NULL && p->options.calls != 0)
        prof_output_numbers(p->out, key, numbers, count);
}

static void write_begin(prof *p, const prof_eval *e)
{
    write_mark(p, "eval_begin", (const uint64_t[]){e->depth, e->fid, e->line}, 3);
}

static int64_t ticks_of(const prof *p, const prof_eval *e, int64_t active_ticks)
{
    const int64_t ticks = active_ticks - p->frames.idle_ticks - e->start_ticks;
    return e->left_ticks >= 0 ? e->left_ticks : ticks > 0 ? ticks : 0;
}

static void write_end(prof *p, const prof_eval *e, int64_t active_ticks)
{
    write_mark(p, "eval_end", (const uint64_t[]){e->depth, (uint64_t)ticks_of(p, e, active_ticks)}, 2);
}

void prof_evals_write_begins(prof *p)
{
    for (uint32_t n = 0; n < p->frames.evals.count; n++)
        write_begin(p, &p->frames.evals.at[n]);
}

uint32_t prof_evals_write_ends(prof *p, uint32_t count, uint32_t depth, int64_t active_ticks)
{
    const prof_evals *evals = &p->frames.evals;
    for (; count > 0 && evals->at[count - 1].depth >= depth; count--)
        write_end(p, &evals->at[count - 1], active_ticks);
    return count;
}

void prof_evals_restart(prof_evals *evals, int64_t active_ticks)
{
    for (uint32_t n = 0; n < evals->count; n++)
        evals->at[n].start_ticks = active_ticks;
}

void prof_evals_expect_mark(prof *p, uint64_t now)
{
    if (!p->options.stmts && p->frames.evals.count > 0)
        prof_probe_expect_mark(&p->probe, now);
}

static bool is_open(const prof_evals *evals, uintptr_t serial)
{
    uint32_t n = evals->count;
    while (n > 0 && evals->at[n - 1].serial > serial)
        n--;
    return n > 0 && evals->at[n - 1].serial == serial;
}

/* Notes that evals from that serial number on have ended. Spans that began in them may go on. */
static void note_ends(prof *p, uintptr_t serial, int64_t active_ticks)
{
    const prof_evals *evals = &p->frames.evals;
    for (uint32_t n = evals->count; n > 0 && evals->at[n - 1].serial >= serial; n--)
        evals->at[n - 1].left_ticks = ticks_of(p, &evals->at[n - 1], active_ticks);
}

/* A span may also have ended within an eval. The eval then began in a call that is not there any more, and
 * the stream does not have its end. */
void prof_evals_settle(prof *p)
{
    prof_evals *evals = &p->frames.evals;
    for (; evals->count > 0; evals->count--) {
        const prof_eval *e = &evals->at[evals->count - 1];
        if (e->depth == p->frames.count && e->left_ticks >= 0)
            write_end(p, e, 0);
        else if (e->depth <= p->frames.count)
            return;
    }
}

static void end_eval(pTHX_ prof *p, uintptr_t serial)
{
    uint64_t now;
    const bool is_of_current = PL_mainstack == p->frames.mainstack;
    if (LIKELY(is_of_current) && !is_open(&p->frames.evals, serial))
        return;
    dSAVE_ERRNO;
    prof_probe_begin(aTHX_ p, &p->enabled.any, &now); /* switches to the evals of the coroutine that runs */
    if (is_open(&p->frames.evals, serial)) {
        note_ends(p, serial, prof_active_ticks(p, now));
        prof_evals_settle(p);
    }
    prof_probe_end(p, PROF_PROBE_EVAL, now);
    RESTORE_ERRNO;
}

static void end_by_destructor(pTHX_ void *serial)
{
    prof *p = prof_of(aTHX);
    if (p != NULL)
        end_eval(aTHX_ p, PTR2UV(serial));
}

/* The statement that runs is that of the eval. Returns false if evals are not recorded. */
static bool begin_eval(pTHX_ prof *p)
{
    uint64_t now;
    if (!prof_probe_begin(aTHX_ p, &p->enabled.subs, &now))
        return false;
    prof_evals *evals = &p->frames.evals;
    prof_evals_settle(p);
    const prof_place *place = prof_place_of(aTHX_ p, PL_curcop, NYTP_FID_VIA_STMT);
    evals->at = prof_grow(evals->at, &evals->cap, evals->count, sizeof *evals->at);
    prof_eval *e = &evals->at[evals->count++];
    *e = (prof_eval){.serial = p->frames.serial += 2,
                     .depth = p->frames.count,
                     .fid = prof_place_fid(place),
                     .line = place->line,
                     .start_ticks = prof_active_ticks(p, now) - p->frames.idle_ticks,
                     .left_ticks = -1};
    write_begin(p, e);
    prof_evals_expect_mark(p, now);
    prof_probe_end(p, PROF_PROBE_EVAL, now);
    return true;
}

static OP *handle_ENTEREVAL(pTHX)
{
    prof *p = prof_of(aTHX);
    dSAVE_ERRNO;
    if (p != NULL && p->enabled.subs && p->options.calls != 0 && begin_eval(aTHX_ p))
        SAVEDESTRUCTOR_X(end_by_destructor, INT2PTR(void *, p->frames.serial));
    RESTORE_ERRNO;
    return prof_original[OP_ENTEREVAL](aTHX);
}

/* Perl calls it when it begins to compile the text of an eval, or a file. The context is there. What was the
 * top of the savestack before is the destructor of handle_ENTEREVAL(). */
static void begin_scope(pTHX_ OP *op)
{
    PERL_CONTEXT *cx = CX_CUR();
    const I32 at = cx->blk_oldsaveix - PROF_DESTRUCTOR;
    if (op->op_type == OP_ENTEREVAL && at >= 0 && PL_savestack[at + 2].any_uv == SAVEt_DESTRUCTOR_X &&
        PL_savestack[at].any_dxptr == end_by_destructor)
        cx->blk_oldsaveix = at;
}

void prof_evals_watch(pTHX)
{
    static BHK hooks;
    BhkENTRY_set(&hooks, bhk_eval, begin_scope);
    Perl_blockhook_register(aTHX_ & hooks);
}

#define ENTEREVAL_OP(OP) OP(ENTEREVAL)
PROF_DEFINE_REPLACE(prof_replace_evals, ENTEREVAL_OP)
