/* What perl code can call. */
#include "context.h"
#include "session/control.h"
#include "ops/spans.h"
#include "ops/requests.h"
#include "life.h"
#include "session/phases.h"

/* Returns the text of an optional name, which may be tied; NULL if there is none, or it is undef. */
static const char *name_or_null(pTHX_ SV *sv)
{
    if (sv != NULL)
        SvGETMAGIC(sv);
    return sv != NULL && SvOK(sv) ? SvPV_nomg_nolen(sv) : NULL;
}

/* Devel::NYTProf::Test: subs written in C, for tests of profilers */

/* Runs action: a code reference, "eval" with the source arg, or "die". Does nothing if action is NULL or
 * false. */
static void test_action(pTHX_ SV *action, SV *arg)
{
    if (action == NULL || !SvTRUE(action))
        return;
    if (SvROK(action) && SvTYPE(SvRV(action)) == SVt_PVCV) {
        dSP;
        PUSHMARK(SP);
        call_sv(action, G_VOID | G_DISCARD);
    } else if (strEQ(SvPV_nolen(action), "eval")) {
        if (arg == NULL)
            Perl_croak(aTHX_ "example_xsub(eval): no source");
        eval_sv(arg, G_VOID | G_DISCARD);
        if (SvTRUE(ERRSV))
            croak_sv(ERRSV);
    } else if (strEQ(SvPV_nolen(action), "die")) {
        Perl_croak(aTHX_ "example_xsub(die)");
    } else {
        Perl_croak(aTHX_ "example_xsub: unknown action '%" SVf "'", SVfARG(action));
    }
}

/* Sleeps, and pushes four values on perl's stack, which must have space for them: the ticks that it took on
 * the clock in use, the ticks lost because they do not fit into 32 bits (always 0), the ticks in a second,
 * and the number of the clock. */
static void test_ticks(pTHX_ long us)
{
    prof *p = prof_of(aTHX);
    prof_clock own;
    if (p == NULL)
        prof_clock_start(&own, -1);
    const prof_clock *clock = p != NULL ? &p->probe.clock : &own;
    const uint64_t before = prof_clock_now(clock);
    usleep((useconds_t)us);
    const int64_t elapsed_ticks = prof_ticks(clock, prof_clock_now(clock)) - prof_ticks(clock, before);
    dSP;
    mPUSHn((double)elapsed_ticks);
    mPUSHn(0);
    mPUSHn(PROF_TICKS_PER_S);
    mPUSHi((int)clock->id);
    PUTBACK;
}

MODULE = Devel::NYTProf  PACKAGE = DB

PROTOTYPES: DISABLE

int
enable_profile(SV *file = NULL)
CODE:
    RETVAL = prof_enable(aTHX_ name_or_null(aTHX_ file));
OUTPUT:
    RETVAL

int
disable_profile()
CODE:
    RETVAL = prof_disable(aTHX);
OUTPUT:
    RETVAL

int
finish_profile()
CODE:
    RETVAL = prof_finish(aTHX);
OUTPUT:
    RETVAL

int
heap_snapshot(SV *file)
CODE:
    RETVAL = prof_heap_snapshot(aTHX_ name_or_null(aTHX_ file));
OUTPUT:
    RETVAL

void
set_option(const char *opt, const char *value)
CODE:
    prof_set_option(aTHX_ opt, value);

SV *
begin_span(SV *name = NULL)
CODE:
    RETVAL = prof_span_begin(aTHX_ cv, name);
OUTPUT:
    RETVAL

void
name_span(SV *name = NULL)
CODE:
    prof_span_name(aTHX_ cv, name);

SV *
start_request(SV *class = NULL, SV *name = NULL)
CODE:
    RETVAL = prof_request_start(aTHX_ cv, class, name);
OUTPUT:
    RETVAL

void
end_request(SV *request = NULL)
CODE:
    prof_request_end(aTHX_ cv, request);

SV *
wrap_for_request(SV *request = NULL, SV *code = &PL_sv_undef)
CODE:
    RETVAL = prof_request_wrap(aTHX_ cv, request, code);
OUTPUT:
    RETVAL

void
trace_span(SV *trace = NULL, SV *span = NULL)
CODE:
    prof_span_trace(aTHX_ cv, trace, span);

void
on_span(SV *ids = NULL)
CODE:
    prof_clone(aTHX); /* the CLONE of another module may come before ours */
    prof_span_ids_from(aTHX_ ids);

void
CLONE(...)
CODE:
    PERL_UNUSED_VAR(items);
    prof_clone(aTHX);

MODULE = Devel::NYTProf  PACKAGE = Devel::NYTProf::Core

void
prepare()
CODE:
    prof_load(aTHX);

bool
begin(int errno_before)
CODE:
    prof_begin(aTHX_ errno_before);
    RETVAL = true;
OUTPUT:
    RETVAL

const char *
signals()
CODE:
    RETVAL = prof_signals(aTHX);
OUTPUT:
    RETVAL

void
exit_on_signal(...)
CODE:
    PERL_UNUSED_VAR(items);
    prof_exit_on_signal(aTHX);

MODULE = Devel::NYTProf  PACKAGE = Devel::NYTProf::Test

void
example_xsub(SV *unused = NULL, SV *action = NULL, SV *arg = NULL)
PPCODE:
    PERL_UNUSED_VAR(unused);
    PUTBACK;
    test_action(aTHX_ action, arg);
    return;

void
example_xsub_eval(...)
PPCODE:
    PERL_UNUSED_VAR(items);
    PUTBACK;
    eval_pv("Devel::NYTProf::Test::example_xsub()", TRUE);
    return;

void
set_errno(int number)
CODE:
    errno = number;

void
ticks_for_usleep(long us)
PPCODE:
    EXTEND(SP, 4);
    PUTBACK;
    test_ticks(aTHX_ us);
    return;
