/* When samples are taken, and how much time each stands for. */
#pragma once

#include <stdint.h>

typedef struct sampler_pace {
    int64_t period_ns, next_ns;
    uint64_t random;
} sampler_pace;

/* The first sample is due now. */
void sampler_pace_begin(sampler_pace *pace, double rate_hz);

/* Sleeps to the next sample, or until a signal comes. Distances between samples are random, because samples
 * at even ones would be in step with a program that does something at even ones. */
void sampler_pace_wait(sampler_pace *pace);

/* The time in seconds that a sample at now_ns stands for: what has passed since *last_ns, which becomes
 * now_ns. More than two periods are more than a sample can say; what is beyond them is added to *lost_s. */
double sampler_pace_passed_s(double rate_hz, int64_t *last_ns, int64_t now_ns, double *lost_s);
