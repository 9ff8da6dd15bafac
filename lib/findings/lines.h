/* Rules about lines: which take much of the time, and which make string evals. */
#pragma once

#include "findings/finder.h"

void nytp_find_in_lines(nytp_finder *finder);
