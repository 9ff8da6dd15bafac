#include "require.h"

#include "entersub.h"
#include "hot.h"
#include "ops.h"

/* `require 5.010` loads nothing. */
static bool is_version(int op_type, SV *sv)
{
    return op_type == OP_REQUIRE && (SvNIOKp(sv) || SvVOK(sv));
}

/* A file whose name only running code of the program would say is not named: the call is then that of a
 * built-in in the package that calls it. */
static prof_callee callee_of(pTHX_ int op_type, SV *sv)
{
    prof_callee callee = {.op_type = op_type};
    if (SvPOK(sv) && SvCUR(sv) > 0 && !SvROK(sv) && !SvGMAGICAL(sv))
        callee.file = sv;
    else
        callee.name = prof_name_of_op(aTHX_ op_type, &callee.package);
    return callee;
}

/* A file may do itself. */
static void count_recursion(const prof *p)
{
    prof_frame *top = prof_top_frame(p);
    for (const prof_frame *f = p->frames.at; f < top; f++)
        top->recursion += f->called == top->called;
}

/* Whether perl has compiled the file, and runs it next. (If something catches exceptions around the op, the
 * original handler has also run it.) */
static bool runs_next(pTHX_ const PERL_SI *stack, I32 innermost)
{
    return PL_curstackinfo == stack && cxstack_ix > innermost && CxTYPE(CX_CUR()) == CXt_EVAL;
}

/* A first destructor, in the caller's scope, ends the frame if the op dies. If the file runs next, a second
 * one ends it in the file's scope. */
static OP *run_load(pTHX_ int op_type)
{
    prof *p = prof_of(aTHX);
    uint64_t began;
    if (p == NULL || !p->enabled.subs || p->options.slowops < 3 || is_version(op_type, *PL_stack_sp))
        return prof_original[op_type](aTHX);
    const prof_callee callee = callee_of(aTHX_ op_type, *PL_stack_sp);
    if (!prof_call_begin(aTHX_ p, &callee, cxstack_ix, &began))
        return prof_original[op_type](aTHX);
    count_recursion(p);
    const uintptr_t serial = p->frames.serial;
    const PERL_SI *stack = PL_curstackinfo;
    const I32 innermost = cxstack_ix;
    const I32 before = PL_savestack_ix;
    SAVEDESTRUCTOR_X(prof_frame_end_by_destructor, INT2PTR(void *, serial));
    const I32 after = PL_savestack_ix;
    prof_probe_end(p, PROF_PROBE_CALL, began);
    OP *next = prof_original[op_type](aTHX);
    if (runs_next(aTHX_ stack, innermost)) {
        SAVEDESTRUCTOR_X(prof_frame_end_by_destructor, INT2PTR(void *, serial));
        return next;
    }
    prof_frame_end(aTHX_ p, serial);
    if (PL_savestack_ix == after && cxstack_ix == innermost)
        PL_savestack_ix = before;
    return next;
}

static OP *handle_REQUIRE(pTHX)
{
    return run_load(aTHX_ OP_REQUIRE);
}

static OP *handle_DOFILE(pTHX)
{
    return run_load(aTHX_ OP_DOFILE);
}

#define LOAD_OPS(OP) OP(REQUIRE) OP(DOFILE)
PROF_DEFINE_REPLACE(prof_replace_require, LOAD_OPS)
