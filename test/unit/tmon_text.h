/* Files of Devel::DProf for tests, and the calls that come out of them. */
#pragma once

#include "nytprof.h"

/* A header that contains those lines, up to where the marks begin. */
#define TMON_HEAD(more)                                                                                      \
    "#fOrTyTwO\n$hz=1000;\n$XS_VERSION='DProf 20110802.00';\n# All values are given in HZ\n" more            \
    "$rrun_utime=500; $rrun_stime=70; $rrun_rtime=600;\n$total_marks=4     \n\nPART2\n"

/* Entries as "> NAME" and returns as "< DEPTH INCL EXCL NAME", a line each; for the caller to free. */
char *tmon_calls(nytp_reader *reader);

/* Expects the file to be complete and to have exactly these calls. */
void assert_calls(nytp_dprof_options options, const char *tmon, const char *expected);
