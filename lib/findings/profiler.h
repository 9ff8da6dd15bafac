/* Whether the profiler's own cost hides the program's. */
#pragma once

#include "findings/finder.h"

void nytp_find_profiler(nytp_finder *finder);
