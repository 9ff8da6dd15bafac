#include "basics/ops.h"

#include "ops/builtins.h"
#include "session/control.h"
#include "hot.h"

#include <sys/syscall.h>

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

/* If exec succeeds, the program does not run any more, so the file must be complete before. If it fails, the
 * end is cut off again. */
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

/* Returns the number of the system call; -1 if that cannot be read without side effects. */
static long number_of_call(pTHX)
{
    SV **first = PL_stack_base + *PL_markstack_ptr + 1;
    if (first > PL_stack_sp || SvGMAGICAL(*first) || SvROK(*first) || !looks_like_number(*first))
        return -1;
    return (long)SvIV_nomg(*first);
}

/* Returns whether the system call ends a process that has one thread. */
static bool ends_process(long number)
{
    return number == SYS_exit || number == SYS_exit_group;
}

/* Returns whether the system call may fail in a process with threads, as a new user namespace does. */
static bool is_refused_to_threads(long number)
{
#if defined SYS_unshare && defined SYS_setns
    return number == SYS_unshare || number == SYS_setns;
#else
    return false;
#endif
}

static OP *call_without_thread(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p->out != NULL && !p->process.forked_child && is_refused_to_threads(number_of_call(aTHX)))
        prof_output_stop_thread(p->out);
    return prof_original[OP_SYSCALL](aTHX);
}

static OP *handle_SYSCALL(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p == NULL)
        return prof_original[OP_SYSCALL](aTHX);
    if (ends_process(number_of_call(aTHX))) {
        prof_finish(aTHX);
        return prof_original[OP_SYSCALL](aTHX);
    }
    if (!p->enabled.builtins)
        return call_without_thread(aTHX);
    return prof_run_builtin(aTHX_ p, OP_SYSCALL, call_without_thread);
}

#define SYSTEM_CALL_OPS(OP) OP(EXEC) OP(SYSCALL)
PROF_DEFINE_REPLACE(prof_replace_system_calls, SYSTEM_CALL_OPS)
