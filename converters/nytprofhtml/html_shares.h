/* How the time is shared out: by phase of the program, and by whose code it is. */
#ifndef HTML_SHARES_H
#define HTML_SHARES_H

#include "html_report.h"

enum html_phase { HTML_COMPILE, HTML_RUN, HTML_END, HTML_PHASES };

typedef struct html_shares {
    double phases[HTML_PHASES];   /* ticks; compile: what ran in BEGIN blocks and imports */
    double origins[HTML_ORIGINS]; /* ticks of statements, without what they spent in native code */
    double native;                /* ticks in xsubs and built-ins */
} html_shares;

html_shares html_shares_of(const html_report *report);

#endif
