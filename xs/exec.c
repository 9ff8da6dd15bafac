#include "exec.h"

#include "hot.h"
#include "ops.h"

/* A destructor, which runs however the op is left, even by die. */
static void exec_failed(pTHX_ void *context)
{
    prof *p = context;
    PERL_UNUSED_CONTEXT;
    dSAVE_ERRNO;
    /* The arguments may be tied or overloaded, and their code may have closed the output. */
    if (p->out != NULL)
        prof_session_resume(p);
    RESTORE_ERRNO;
}

static OP *handle_EXEC(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p == NULL || p->out == NULL || p->process.forked_child)
        return prof_original[OP_EXEC](aTHX);
    if (p->enabled.stmts && p->options.leave)
        prof_leave_statement(aTHX_ p);
    prof_session_end_for_exec(aTHX_ p);
    ENTER;
    SAVEDESTRUCTOR_X(exec_failed, p);
    OP *next = prof_original[OP_EXEC](aTHX);
    LEAVE;
    return next;
}

#define EXEC_OP(OP) OP(EXEC)
PROF_DEFINE_REPLACE(prof_replace_exec, EXEC_OP)
