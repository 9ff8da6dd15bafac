/* Whether a program ran. The attributes `state` say it of samples, each of the next one, and `wait_for_cpu`
 * of processes, how long they waited for a processor while others ran. */
#pragma once

#include "format/marks.h"
#include "nytprof-model.h"

/* In seconds. */
typedef struct nytp_states {
    double run_s, wait_s, sleep_s; /* wait: for a processor */
} nytp_states;

/* Of all samples; all are 0 if the profile does not say it. */
nytp_states nytp_profile_states(const nytp_profile *profile);

static inline double nytp_states_all_s(nytp_states states)
{
    return states.run_s + states.wait_s + states.sleep_s;
}

static inline void nytp_states_add(nytp_states *sum, nytp_states more)
{
    sum->run_s += more.run_s;
    sum->wait_s += more.wait_s;
    sum->sleep_s += more.sleep_s;
}

/* Returns what a mark says of a sample. */
nytp_states nytp_states_of(const nytp_mark *mark);

/* Returns how long the program waited for a processor, in seconds; 0 if the profile does not say it, and if
 * its times do not have such waiting because they are of processor time. */
double nytp_profile_waited_for_cpu_s(const nytp_profile *profile);

/* Returns the profiler's own time, which the program's does not have. */
double nytp_profile_overhead_ticks(const nytp_profile *profile);

/* Returns the share of the program's time in which it waited for a processor, from 0 to 1. */
double nytp_profile_busy_share(const nytp_profile *profile);

/* A machine that was busy for a smaller share disturbs times less than they vary. */
#define NYTP_BUSY_SHARE 0.02
