/* When a run began, and how long it took, which take a reading of their own. What is wrong with a profile
 * ends that; reading it again reports it. */
#pragma once

#include "nytprof.h"

/* Returns when the first process of a merged profile began, in seconds since 1970, whichever comes first in
 * it; 0 if the profile is another one: the first process is then the first that comes. */
double nytp_run_begin_s(nytp_reader *reader);

/* Returns the time from the begin of the first process to the last moment of any, by the clocks of processes
 * (clock.h): the longest of the profiles of the reader. */
double nytp_run_length_s(nytp_reader *reader);
