/* When samples are taken, and how much time each stands for. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

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
