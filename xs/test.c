#include "test.h"

#include "context.h"

void prof_test_action(pTHX_ SV *action, SV *arg)
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

void prof_test_ticks(pTHX_ long us)
{
    prof *p = prof_of(aTHX);
    prof_clock own;
    if (p == NULL)
        prof_clock_start(&own, -1);
    const prof_clock *clock = p != NULL ? &p->probe.clock : &own;
    const uint64_t before = prof_now(clock);
    usleep((useconds_t)us);
    const int64_t elapsed_ticks = prof_ticks(clock, prof_now(clock)) - prof_ticks(clock, before);
    dSP;
    mPUSHn((double)elapsed_ticks);
    mPUSHn(0);
    mPUSHn(PROF_TICKS_PER_S);
    mPUSHi((int)clock->id);
    PUTBACK;
}
