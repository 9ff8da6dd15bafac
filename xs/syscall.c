/* syscall(): asks the kernel past libc, which treats each thread as a process of its own, or threads as a
 * reason to refuse. Programs that have none of their own do not expect that.
 */
#include "calls.h"

#include <sys/syscall.h>

/* -1: it cannot be told without side effects. */
static long number_of_call(pTHX)
{
    SV **first = PL_stack_base + *PL_markstack_ptr + 1;
    if (first > PL_stack_sp || SvGMAGICAL(*first) || SvROK(*first) || !looks_like_number(*first))
        return -1;
    return (long)SvIV_nomg(*first);
}

/* A process with one thread. */
static bool ends_process(long number)
{
    return number == SYS_exit || number == SYS_exit_group;
}

/* A user namespace is for processes with one thread. */
static bool is_refused_to_threads(long number)
{
#if defined SYS_unshare && defined SYS_setns
    return number == SYS_unshare || number == SYS_setns;
#else
    return false;
#endif
}

static OP *call_alone(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p->out != NULL && !p->forked_child && is_refused_to_threads(number_of_call(aTHX)))
        prof_output_stop_thread(p->out);
    return prof_original[OP_SYSCALL](aTHX);
}

OP *prof_pp_syscall(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p == NULL)
        return prof_original[OP_SYSCALL](aTHX);
    if (ends_process(number_of_call(aTHX))) {
        prof_finish(aTHX);
        return prof_original[OP_SYSCALL](aTHX);
    }
    if (!p->subs_on || p->options.slowops == 0)
        return call_alone(aTHX);
    return prof_call_op(aTHX_ p, OP_SYSCALL, call_alone);
}
