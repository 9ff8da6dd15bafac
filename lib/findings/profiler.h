/* Whether the profiler's own cost hides the program's. */
#ifndef NYTP_FINDINGS_PROFILER_H
#define NYTP_FINDINGS_PROFILER_H

#include "findings/finder.h"

void nytp_find_profiler(nytp_finder *finder);

#endif
