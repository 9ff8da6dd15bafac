/* Rules about lines: which take much of the time, and which make string evals. */
#ifndef NYTP_FINDINGS_LINES_H
#define NYTP_FINDINGS_LINES_H

#include "findings/finder.h"

void nytp_find_in_lines(nytp_finder *finder);

#endif
