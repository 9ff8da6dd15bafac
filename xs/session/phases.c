#include "session/phases.h"

#include "context.h"
#include "heap/heap.h"
#include "session/control.h"
#include "basics/ops.h"

#include <errno.h>

/* Of the whole process, like PL_ppaddr and the code of POSIX.so. */
static XSUBADDR_t original_posix_exit;
static Perl_ppaddr_t original_leaveeval;

static void finish_and_posix_exit(pTHX_ CV *cv)
{
    prof_finish(aTHX);
    original_posix_exit(aTHX_ cv);
}

/* A file that was required may have defined POSIX::_exit. Changes the code of the CV, which perl code cannot
 * see, so that references and imported names lead there too. */
static OP *leaveeval(pTHX)
{
    OP *next = original_leaveeval(aTHX);
    CV *cv = get_cvn_flags("POSIX::_exit", sizeof "POSIX::_exit" - 1, 0);
    if (cv != NULL && CvISXSUB(cv) && CvXSUB(cv) != finish_and_posix_exit) {
        original_posix_exit = CvXSUB(cv);
        CvXSUB(cv) = finish_and_posix_exit;
    }
    return next;
}

static void watch_posix_exit(void)
{
    if (original_leaveeval == NULL) {
        original_leaveeval = PL_ppaddr[OP_LEAVEEVAL];
        prof_ops_set(OP_LEAVEEVAL, leaveeval);
    }
}

static void db_sub(pTHX_ CV *cv)
{
    dXSARGS;
    PERL_UNUSED_VAR(cv);
    PERL_UNUSED_VAR(items);
    prof_statement_of_debugger(aTHX);
    XSRETURN_EMPTY;
}

static void call_before_end_blocks(pTHX_ CV *cv)
{
    av_unshift(PL_endav, 1);
    av_store(PL_endav, 0, SvREFCNT_inc_simple_NN((SV *)cv));
}

/* The program is compiled: start=init and start=end begin here. */
static void at_init(pTHX)
{
    prof *p = prof_of(aTHX);
    CV *enable = p->options.start == PROF_START_END ? get_cv("DB::enable_profile", 0) : NULL;
    if (p->options.start == PROF_START_INIT)
        prof_begin_profile(aTHX);
    else if (enable != NULL && PL_endav != NULL)
        call_before_end_blocks(aTHX_ enable);
    else
        p->phases.begins_at_end = enable != NULL;
}

/* The xsub in PL_initav. */
static void run_init(pTHX_ CV *cv)
{
    dXSARGS;
    PERL_UNUSED_VAR(cv);
    PERL_UNUSED_VAR(items);
    dSAVE_ERRNO;
    at_init(aTHX);
    prof_heap_watch_end(aTHX);
    prof_watch_end(aTHX);
    RESTORE_ERRNO;
    XSRETURN_EMPTY;
}

bool prof_is_phase(const CV *cv)
{
    return CvISXSUB(cv) && CvXSUB(cv) == run_init;
}

/* Perl calls the CVs in PL_initav from the first to the last. */
static void call_at_last_init(pTHX)
{
    if (PL_initav == NULL)
        PL_initav = newAV();
    av_push(PL_initav, (SV *)newXS(NULL, run_init, __FILE__));
}

/* Calls DB::enable_profile() as stock's END block does: if the program has enabled the profiler, the call is
 * recorded. */
static void call_enable(pTHX)
{
    dSP;
    PUSHMARK(SP);
    call_pv("DB::enable_profile", G_VOID | G_DISCARD | G_NOARGS | G_EVAL | G_KEEPERR);
}

/* Perl calls it after the last END block. Its result says whether perl must not destroy the interpreter,
 * because threads still run; a clone without a context has none. */
static int at_destruct(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p == NULL)
        return 0;
    if (p->phases.begins_at_end)
        call_enable(aTHX);
    prof_finish(aTHX);
    return p->phases.original_destruct(aTHX);
}

void prof_watch_end(pTHX)
{
    if (PL_threadhook == at_destruct)
        return;
    prof_of(aTHX)->phases.original_destruct = PL_threadhook;
    PL_threadhook = at_destruct;
}

void prof_phases_prepare(pTHX_ prof *p)
{
    if (p->options.use_db_sub)
        newXS("DB::DB", db_sub, __FILE__);
    if (p->options.posix_exit)
        watch_posix_exit();
    if (p->options.endatexit)
        PL_exit_flags |= PERL_EXIT_DESTRUCT_END;
    prof_watch_end(aTHX);
    if (PL_phase < PERL_PHASE_INIT)
        call_at_last_init(aTHX);
}

void prof_begin(pTHX_ int errno_before)
{
    if (prof_of(aTHX)->options.start == PROF_START_BEGIN)
        prof_begin_profile(aTHX);
    else if (PL_phase >= PERL_PHASE_INIT)
        at_init(aTHX); /* the module is required by a program that runs already */
    errno = errno_before;
}

const char *prof_signals(pTHX)
{
    const char *names = prof_of(aTHX)->options.sigexit;
    return names != NULL ? names : "";
}

void prof_exit_on_signal(pTHX)
{
    prof_finish(aTHX);
    my_exit(1);
}
