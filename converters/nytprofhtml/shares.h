/* Shares of the time: of each phase of the program, and of own and foreign code. */
#pragma once

#include "report.h"

enum html_phase { HTML_COMPILE, HTML_RUN, HTML_END, HTML_PHASES };

typedef struct html_shares {
    double phases[HTML_PHASES];   /* ticks; compile: in BEGIN blocks, with the imports that they call */
    double origins[NYTP_ORIGINS]; /* ticks of statements, less the time that they spent in native code */
    double native;                /* ticks in xsubs and built-ins */
} html_shares;

html_shares html_shares_of(const html_report *report);
