/* How the time of a thread is divided among its samples.
 *
 * Samples say where time goes, and the kernel how long the thread ran, waited for a processor and slept in
 * all. A sampler that gets a processor only when its target sleeps sees it sleep too often. So there is a
 * pool for each state: what the kernel counts goes in, and a sample takes what is in the pool of the state
 * that it saw. Together, the samples of running, and those of waiting, take no more than so many can stand
 * for: the mean time between samples, as often as there are of them, and what chance may add to that. So most
 * of the running that no sample saw stays in its pool: no stack gets it. In the end, the last sample of each
 * state takes what its pool has got since then, so the times of all samples add up to the time that has
 * passed, but for what is missed or lost. */
#pragma once

#include "sampler/process/activity.h"

enum { SAMPLER_RUN, SAMPLER_WAIT, SAMPLER_SLEEP, SAMPLER_STATES };

typedef struct sampler_account {
    double rate_hz;
    bool cpu;           /* only running counts: a sample takes all that the pool has */
    bool has_times;     /* the kernel's times are known; if not, a sample is the time between samples */
    double ready_s;     /* for how long samples see it wait without having run in between */
    int64_t last_ns;    /* until when time is accounted for */
    sampler_times last; /* of the thread then */
    double counted_s, samples;     /* between samples, to know the mean */
    double pool_s[SAMPLER_STATES]; /* what passed and no sample has taken; without times, that of running has
                                      all */
    double uncounted_s; /* between the last two samples, neither running nor waiting that has ended */
    double seen_run, taken_run_s;   /* samples that saw it run, and what they took */
    int last_state;                 /* of the last sample */
    double total_s[SAMPLER_STATES]; /* what passed */
    double lost_s;                  /* time without samples: the sampler came too late */
} sampler_account;

void sampler_account_begin(sampler_account *account, double rate_hz, bool cpu, enum sampler_source source);

/* What passed until now is no sample's. To be called before the first one. */
void sampler_account_skip(sampler_account *account, int64_t now_ns, sampler_times times);

/* Notes that time has passed up to a sample, at which the thread has these times. What is beyond
 * SAMPLER_MOST_PERIODS is more than a sample can say, and lost, unless the thread has slept all the time. */
void sampler_account_pass(sampler_account *account, int64_t now_ns, sampler_times times, bool has_slept);

/* The time of a sample that saw the thread do that: *share_s by state. Returns the sum. */
double sampler_account_take(sampler_account *account, enum sampler_doing doing,
                            double share_s[SAMPLER_STATES]);

/* In the end: returns what the last sample of a state takes besides, or the last one of all if none saw the
 * thread wait or sleep. */
double sampler_account_rest(sampler_account *account, int state);

/* Returns how long it ran while no sample saw it run. */
double sampler_account_missed_s(const sampler_account *account);
