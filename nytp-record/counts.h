/* How a recording went, in numbers. */
#pragma once

#include "sources.h"

#include "sampler/sampler.h"

#include <stdint.h>
#include <sys/types.h>

enum { RECORD_LOSSES = 3 };

/* What a process has lost. */
typedef struct record_loss {
    pid_t pid;
    double lost_s;
} record_loss;

typedef struct record_counts {
    uint64_t samples, torn, idle;   /* idle: not running, with --cpu */
    uint64_t cut;                   /* samples whose outer calls are left out */
    double state_s[SAMPLER_STATES]; /* what the threads did, as far as it is known */
    double missed_s;                /* of running, what no sample saw */
    double lost_s;                  /* time without samples: the sampler came too late */
    double cpu_s;                   /* processor time of the process; negative: not known */
    double life_cpu_s;              /* the same since it was started, at the last sample */
    double children_cpu_s;          /* processor time of children that it has waited for meanwhile */
    double unseen_cpu_s;            /* of a recording: processor time of children that no sample saw */
    double until_s;                 /* until when all that is counted, in seconds since 1970 */
    record_source_counts sources;
    record_loss worst[RECORD_LOSSES]; /* the processes that have lost most; 0: none */
    size_t losers;                    /* how many have lost something */
} record_counts;

/* Adds those of another process. The sum has no processor time. */
void record_counts_add(record_counts *sum, const record_counts *more);

/* Returns what was counted of one process between two moments. Sources are counted anew in each profile. */
record_counts record_counts_between(const record_counts *before, const record_counts *after);

/* Notes what a process has lost, if that is something. */
void record_counts_lose(record_counts *counts, pid_t pid, double lost_s);

/* Returns the share of all time in which the program ran while no sample saw it run, if that is to be said:
 * if it is more than 2 %, more than a tenth of the time in which it ran, and more than chance explains.
 * Otherwise 0. */
double record_counts_missed(const record_counts *counts);
