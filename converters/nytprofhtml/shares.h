/* Shares of the time: of each phase of the program, and of own and foreign code. page/app/shares.js has the
 * same of what a reader has chosen. */
#pragma once

#include "report.h"

enum html_phase { HTML_COMPILE, HTML_RUN, HTML_END, HTML_PHASES };

typedef struct html_shares {
    double phases[HTML_PHASES];   /* ticks; compile: in BEGIN blocks, with the imports that they call */
    double origins[HTML_ORIGINS]; /* ticks of subs themselves, by html_report_sub_origin() */
    double unknown;               /* ticks of subs of which that is not known */
    double outside;               /* ticks outside of subs */
} html_shares;

html_shares html_shares_of(const html_report *report);
