/* Xsubs that say their name and wait for input. Waiting.pm loads them. */
#define PERL_NO_GET_CONTEXT
#include "EXTERN.h"
#include "perl.h"

#include "XSUB.h"

static void say_and_wait(pTHX_ CV *cv)
{
    char answer;
    GV *gv = CvGV(cv);
    PerlIO_printf(PerlIO_stdout(), "%s::%s\nready\n", HvNAME(GvSTASH(gv)), GvNAME(gv));
    PerlIO_flush(PerlIO_stdout());
    if (read(0, &answer, 1) < 0)
        croak("nothing to read");
}

XS(xs_waits);
XS(xs_waits)
{
    dXSARGS;
    PERL_UNUSED_VAR(items);
    say_and_wait(aTHX_ cv);
    XSRETURN_EMPTY;
}

/* What a PPCODE may do: the results take the place of what perl called. */
XS(xs_waits_with_results);
XS(xs_waits_with_results)
{
    dXSARGS;
    int results = items + 3;
    SP -= items;
    EXTEND(SP, results);
    for (int n = 0; n < results; n++)
        mPUSHi(n);
    mXPUSHi(results);
    SP--;
    PUTBACK;
    say_and_wait(aTHX_ cv);
}

/* Calls its last argument without arguments first, which takes that place, too. */
XS(xs_waits_after_call);
XS(xs_waits_after_call)
{
    dXSARGS;
    SV *code = ST(items - 1);
    PUSHMARK(SP);
    PUTBACK;
    call_sv(code, G_DISCARD | G_VOID | G_NOARGS);
    say_and_wait(aTHX_ cv);
    XSRETURN_EMPTY;
}

XS(xs_does_nothing);
XS(xs_does_nothing)
{
    dXSARGS;
    PERL_UNUSED_VAR(items);
    PERL_UNUSED_VAR(cv);
    XSRETURN_EMPTY;
}

/* Perl's function that an entry of this name in a shared object is. */
XS_EXTERNAL(boot_Waiting);
XS_EXTERNAL(boot_Waiting)
{
    dXSARGS;
    PERL_UNUSED_VAR(items);
    PERL_UNUSED_VAR(cv);
    newXS("Waiting::waits", xs_waits, __FILE__);
    newXS("Waiting::waits_with_results", xs_waits_with_results, __FILE__);
    newXS("Waiting::waits_after_call", xs_waits_after_call, __FILE__);
    newXS("Waiting::nothing", xs_does_nothing, __FILE__);
    XSRETURN_YES;
}
