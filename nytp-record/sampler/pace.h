/* When samples are taken, and how much time each stands for. */
#ifndef RECORD_PACE_H
#define RECORD_PACE_H

#include <stdint.h>

typedef struct record_pace {
    int64_t period_ns, next_ns;
    uint64_t random;
} record_pace;

/* The first sample is due now. */
void record_pace_begin(record_pace *pace, double rate_hz);

/* Sleeps to the next sample, or until a signal comes. Distances between samples are random, because samples
 * at even ones would be in step with a program that does something at even ones. */
void record_pace_wait(record_pace *pace);

/* The time in seconds that a sample at now_ns stands for: what has passed since *last_ns, which becomes
 * now_ns. More than two periods are more than a sample can say; what is beyond them is added to *lost_s. */
double record_pace_passed_s(double rate_hz, int64_t *last_ns, int64_t now_ns, double *lost_s);

#endif
