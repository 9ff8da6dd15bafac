/* How long a run took, which takes a reading of its own. */
#pragma once

#include "nytprof.h"

/* Returns the time from the begin of the first process to the last moment of any, by the clocks of processes
 * (clock.h): the longest of the profiles of the reader. What is wrong with a profile ends it here; reading it
 * again reports it. */
double nytp_run_length_s(nytp_reader *reader);
