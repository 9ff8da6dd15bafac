/* Rules about calls, from the arcs: what is called often, slowly, or deeply. */
#ifndef NYTP_FINDINGS_CALLS_H
#define NYTP_FINDINGS_CALLS_H

#include "findings/finder.h"

void nytp_find_in_calls(nytp_finder *finder);

#endif
