/* How the time of a thread is divided among its samples.
 *
 * Samples say where time goes, and the kernel how long the thread ran, waited for a processor and slept in
 * all. A sampler that gets a processor only when its target sleeps sees it sleep too often. So there is a
 * pool for each state: what the kernel counts goes in, and a sample takes out of the pool of the state that
 * it saw. A sample takes no more than the time between samples, and what earlier samples of that state left
 * of theirs. So running that no sample saw stays in its pool: no stack gets it. */
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
    double passed_s;    /* between the last two samples */
    double counted_s, samples;      /* sums of that, to know its mean */
    double pool_s[SAMPLER_STATES];  /* what passed and no sample has taken */
    double left_s[SAMPLER_STATES];  /* what samples of the state may take besides their own time */
    double total_s[SAMPLER_STATES]; /* what passed */
    double seen_run_s;              /* time between samples, as far as those saw it run */
    double lost_s;                  /* time without samples: the sampler came too late */
} sampler_account;

void sampler_account_begin(sampler_account *account, double rate_hz, bool cpu, enum sampler_source source);

/* What passed until now is no sample's. To be called before the first one. */
void sampler_account_skip(sampler_account *account, int64_t now_ns, sampler_times times);

/* Notes that time has passed up to a sample, at which the thread has these times. What is beyond
 * SAMPLER_MOST_PERIODS is more than a sample can say, and lost. */
void sampler_account_pass(sampler_account *account, int64_t now_ns, sampler_times times);

/* The time of a sample that saw the thread do that: *share_s by state. Returns the sum. */
double sampler_account_take(sampler_account *account, enum sampler_doing doing,
                            double share_s[SAMPLER_STATES]);

/* Returns how long it ran while no sample saw it run. */
double sampler_account_missed_s(const sampler_account *account);
