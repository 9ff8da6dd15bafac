/* The time of each sample of a thread. */
#pragma once

#include "sampler/process/activity.h"
#include "sampler/sample/resolve.h"

#include <stdbool.h>
#include <stdint.h>

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

enum { SAMPLER_RUN, SAMPLER_WAIT, SAMPLER_SLEEP, SAMPLER_STATES };

typedef struct sampler_account {
    double rate_hz;
    bool cpu;       /* only running counts: a sample takes all that the pool has */
    bool has_times; /* the kernel's times are known; if not, a sample is the time between samples */
    double ready_s; /* for how long samples see it ready to run, since it ran last or the kernel has counted a
                       wait */
    int64_t last_ns;               /* until when time is accounted for */
    sampler_times last;            /* of the thread then */
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

/* The same in the end, when no sample comes any more: whether it is ready to run then. */
void sampler_account_end(sampler_account *account, int64_t now_ns, sampler_times times, bool has_slept,
                         bool is_ready);

/* In the end: returns what the last sample of a state takes besides, or the last one of all if none saw the
 * thread wait or sleep. */
double sampler_account_rest(sampler_account *account, int state);

/* Returns how long it ran while no sample saw it run. */
double sampler_account_missed_s(const sampler_account *account);

/* Between two samples there are at most so many periods, unless the sampler comes too late. */
enum { SAMPLER_MOST_PERIODS = 16 };

typedef struct sampler_pace {
    int64_t period_ns, next_ns;
    uint64_t random;
} sampler_pace;

/* Returns the time to the next sample, as a multiple of what it is on average; see pace.c. */
double sampler_pace_gap(sampler_pace *pace);

/* The first sample is due now. */
void sampler_pace_begin(sampler_pace *pace, double rate_hz);

/* Returns when the next sample is due, by sampler_now_ns(). Distances between samples are random. */
int64_t sampler_pace_next(sampler_pace *pace);

/* Sleeps until then. false: a signal came before. */
bool sampler_pace_sleep(int64_t until_ns);

/* Both: sleeps to the next sample, or until a signal comes. */
void sampler_pace_wait(sampler_pace *pace);

typedef struct sampler_meter {
    pid_t tid; /* the thread */
    sampler_activity *activity;
    sampler_account account;
    int64_t now_ns; /* when sampler_meter_before() was called */
    int64_t run_ns; /* of the thread then */
    bool has_slept; /* it slept then, and has not run since the call before that: its stack is what it was */
    bool is_woken;  /* it was ready to run then, and has not run since it slept */
    bool is_off;    /* it slept then, or was woken */
} sampler_meter;

enum sampler_wanted {
    SAMPLER_WANTED,
    SAMPLER_UNWANTED, /* with cpu: it sleeps */
    SAMPLER_NO_THREAD /* it has ended */
};

/* cpu: only samples of a thread that runs have time. Returns false if there is no such thread; errno says
 * why. */
bool sampler_meter_begin(sampler_meter *meter, pid_t pid, pid_t tid, double rate_hz, bool cpu);
void sampler_meter_clear(sampler_meter *meter);

/* The process executes another program now, or another thread counts: what passed until now is no sample's.
 */
void sampler_meter_skip(sampler_meter *meter, pid_t pid, pid_t tid);

/* Call these just before and just after a stack is read. The second returns its time in seconds, and *share_s
 * has it by state; it is negative if the sample does not count, since with cpu the thread did not run. If a
 * stack cannot be read, do not call the second: the time goes to the next sample. */
enum sampler_wanted sampler_meter_before(sampler_meter *meter);
double sampler_meter_after(sampler_meter *meter, const sampler_stack *stack, double share_s[SAMPLER_STATES]);

/* No sample comes any more: notes what has passed up to now, or up to the end of the thread, for
 * sampler_account_rest(). */
void sampler_meter_end(sampler_meter *meter);
