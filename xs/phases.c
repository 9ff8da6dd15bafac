#include "phases.h"

#include <errno.h>

/* The CVs that stand in PL_initav and its kin: one XSUB, told apart by its index. */
typedef enum phase { PHASE_CHECK, PHASE_INIT, PHASE_LAST_BUT_ONE, PHASE_LAST_END } phase;

static void run_phase(pTHX_ CV *cv);

bool prof_is_phase(const CV *cv)
{
    return CvISXSUB(cv) && CvXSUB(cv) == run_phase;
}

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

static CV *phase_cv(pTHX_ phase which)
{
    CV *cv = newXS(NULL, run_phase, __FILE__);
    CvXSUBANY(cv).any_i32 = which;
    return cv;
}

/* Perl calls the CVs from the first to the last. */
static void call_last(pTHX_ AV **queue, phase which)
{
    if (*queue == NULL)
        *queue = newAV();
    av_push(*queue, (SV *)phase_cv(aTHX_ which));
}

static void call_first(pTHX_ AV **queue, CV *cv)
{
    if (*queue == NULL)
        *queue = newAV();
    av_unshift(*queue, 1);
    av_store(*queue, 0, SvREFCNT_inc_simple_NN((SV *)cv));
}

/* The program is compiled: what start=init and start=end wait for. */
static void at_init(pTHX)
{
    prof_start start = prof_options_of(aTHX)->start;
    CV *enable = start == PROF_START_END ? get_cv("DB::enable_profile", 0) : NULL;
    if (start == PROF_START_INIT)
        prof_begin_profile(aTHX);
    else if (enable != NULL)
        call_first(aTHX_ & PL_endav, enable);
}

static void run_phase(pTHX_ CV *cv)
{
    dXSARGS;
    PERL_UNUSED_VAR(items);
    dSAVE_ERRNO;
    switch ((phase)CvXSUBANY(cv).any_i32) {
    case PHASE_INIT: at_init(aTHX); break;
    case PHASE_LAST_BUT_ONE: break;
    case PHASE_CHECK:
    case PHASE_LAST_END: prof_finish(aTHX); break;
    }
    RESTORE_ERRNO;
    XSRETURN_EMPTY;
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
    if (PL_minus_c)
        call_last(aTHX_ & PL_checkav, PHASE_CHECK);
    /* With an END block perl clears $@. The object that was in there is destroyed when that returns: if it
     * were the one that finishes, nobody would see it. */
    call_last(aTHX_ & PL_endav, PHASE_LAST_BUT_ONE);
    call_last(aTHX_ & PL_endav, PHASE_LAST_END);
    if (PL_phase < PERL_PHASE_INIT)
        call_last(aTHX_ & PL_initav, PHASE_INIT);
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
