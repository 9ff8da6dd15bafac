#include "context.h"
#include "phases.h"

#include <errno.h>

/* ---- POSIX::_exit ---- */

/* Process-wide, as PL_ppaddr and the code of POSIX.so are. */
static XSUBADDR_t posix_exit;
static Perl_ppaddr_t leaveeval_below;

static void finish_and_posix_exit(pTHX_ CV *cv)
{
    prof_finish(aTHX);
    posix_exit(aTHX_ cv);
}

/* After a file was required there may be a POSIX::_exit that was not there before.
 * What finishes the profile goes below the CV, so that nobody can see it and
 * references taken and names imported at any time lead there too. */
static OP *leaveeval(pTHX)
{
    OP *next = leaveeval_below(aTHX);
    CV *cv = get_cvn_flags("POSIX::_exit", sizeof "POSIX::_exit" - 1, 0);
    if (cv != NULL && CvISXSUB(cv) && CvXSUB(cv) != finish_and_posix_exit) {
        posix_exit = CvXSUB(cv);
        CvXSUB(cv) = finish_and_posix_exit;
    }
    return next;
}

static void watch_posix_exit(void)
{
    if (leaveeval_below == NULL) {
        leaveeval_below = PL_ppaddr[OP_LEAVEEVAL];
        PL_ppaddr[OP_LEAVEEVAL] = leaveeval;
    }
}

/* ---- DB::DB ---- */

static void db_sub(pTHX_ CV *cv)
{
    dXSARGS;
    PERL_UNUSED_VAR(cv);
    PERL_UNUSED_VAR(items);
    prof_db_sub(aTHX);
    XSRETURN_EMPTY;
}

/* ---- phases ---- */

static void call_before_end_blocks(pTHX_ CV *cv)
{
    av_unshift(PL_endav, 1);
    av_store(PL_endav, 0, SvREFCNT_inc_simple_NN((SV *)cv));
}

/* The program is compiled: what start=init and start=end wait for. */
static void at_init(pTHX)
{
    prof_start start = prof_options_of(aTHX)->start;
    CV *enable = start == PROF_START_END ? get_cv("DB::enable_profile", 0) : NULL;
    if (start == PROF_START_INIT)
        prof_begin_profile(aTHX);
    else if (enable != NULL && PL_endav != NULL)
        call_before_end_blocks(aTHX_ enable);
    else
        prof_of(aTHX)->begins_at_end = enable != NULL;
}

/* Stands in PL_initav. */
static void run_init(pTHX_ CV *cv)
{
    dXSARGS;
    PERL_UNUSED_VAR(cv);
    PERL_UNUSED_VAR(items);
    dSAVE_ERRNO;
    at_init(aTHX);
    prof_watch_end(aTHX);
    RESTORE_ERRNO;
    XSRETURN_EMPTY;
}

bool prof_is_phase(const CV *cv)
{
    return CvISXSUB(cv) && CvXSUB(cv) == run_init;
}

/* Perl calls the CVs from the first to the last. */
static void call_at_last_init(pTHX)
{
    if (PL_initav == NULL)
        PL_initav = newAV();
    av_push(PL_initav, (SV *)newXS(NULL, run_init, __FILE__));
}

/* ---- the end ---- */

/* As an END block, which stock has for it: a call that is recorded if the program has enabled the profiler.
 */
static void call_enable(pTHX)
{
    dSP;
    PUSHMARK(SP);
    call_pv("DB::enable_profile", G_VOID | G_DISCARD | G_NOARGS | G_EVAL | G_KEEPERR);
}

/* Perl calls it after the last END block, and then destroys what is left unless the result forbids it. A
 * clone that has no context is not the one that waits for its threads. */
static int at_destruct(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p == NULL)
        return 0;
    if (p->begins_at_end)
        call_enable(aTHX);
    prof_finish(aTHX);
    return p->destruct_below(aTHX);
}

void prof_watch_end(pTHX)
{
    if (PL_threadhook == at_destruct)
        return;
    prof_of(aTHX)->destruct_below = PL_threadhook;
    PL_threadhook = at_destruct;
}

void prof_prepare(pTHX)
{
    prof_load(aTHX);
    const prof_options *options = prof_options_of(aTHX);
    if (options->use_db_sub)
        newXS("DB::DB", db_sub, __FILE__);
    if (options->posix_exit)
        watch_posix_exit();
    if (options->endatexit)
        PL_exit_flags |= PERL_EXIT_DESTRUCT_END;
    prof_watch_end(aTHX);
    if (PL_phase < PERL_PHASE_INIT)
        call_at_last_init(aTHX);
}

void prof_begin(pTHX_ int errno_before)
{
    if (prof_options_of(aTHX)->start == PROF_START_BEGIN)
        prof_begin_profile(aTHX);
    else if (PL_phase >= PERL_PHASE_INIT)
        at_init(aTHX); /* required by a program that runs already */
    errno = errno_before;
}

/* ---- signals ---- */

const char *prof_signals(pTHX)
{
    const char *names = prof_options_of(aTHX)->sigexit;
    return names != NULL ? names : "";
}

void prof_exit_on_signal(pTHX)
{
    prof_finish(aTHX);
    my_exit(1);
}
