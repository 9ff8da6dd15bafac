/* What a program did that was sampled: the attributes `state`, each of which is of the next sample. */
#pragma once

#include "nytprof-model.h"

/* In seconds. */
typedef struct nytp_states {
    double run_s, wait_s, sleep_s; /* wait: for a processor */
} nytp_states;

/* All are 0 if the profile does not say it. */
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

/* Reads `RUN WAIT SLEEP`, in ns. Numbers that cannot be times count as 0. */
nytp_states nytp_states_read(nytp_str value);
