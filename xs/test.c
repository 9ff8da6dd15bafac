#include "test.h"

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
    double elapsed_ticks, overflow, ticks_per_s;
    int clock_id;
    prof_ticks_for_usleep(aTHX_ us, &elapsed_ticks, &overflow, &ticks_per_s, &clock_id);
    dSP;
    mPUSHn(elapsed_ticks);
    mPUSHn(overflow);
    mPUSHn(ticks_per_s);
    mPUSHi(clock_id);
    PUTBACK;
}
