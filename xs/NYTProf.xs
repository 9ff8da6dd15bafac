/* What perl code can call. */
#include "control.h"
#include "labels/spans.h"
#include "life.h"
#include "phases.h"
#include "test.h"

/* An optional name that may be undef. */
#define NAME_OR_NULL(sv) ((sv) != NULL && SvOK(sv) ? SvPV_nolen(sv) : NULL)

MODULE = Devel::NYTProf  PACKAGE = DB

PROTOTYPES: DISABLE

int
enable_profile(SV *file = NULL)
CODE:
    RETVAL = prof_enable(aTHX_ NAME_OR_NULL(file));
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
    prof_test_action(aTHX_ action, arg);
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
    prof_test_ticks(aTHX_ us);
    return;
