#include "fold.h"

#include <glib.h>
#include <math.h>

#define LEAST_MISSED   0.02
#define CHANCE_PERIODS 5 /* two random times between samples are longer in one case of 25 */

void record_counts_add(record_counts *sum, const record_counts *more)
{
    sum->samples += more->samples;
    sum->torn += more->torn;
    sum->idle += more->idle;
    sum->cut += more->cut;
    for (int state = 0; state < SAMPLER_STATES; state++)
        sum->state_s[state] += more->state_s[state];
    sum->missed_s += more->missed_s;
    sum->sources.newer += more->sources.newer;
    sum->sources.hidden += more->sources.hidden;
    sum->lost_s += more->lost_s;
    const size_t losers = sum->losers + more->losers;
    for (int n = 0; n < RECORD_LOSSES; n++)
        record_counts_lose(sum, more->worst[n].pid, more->worst[n].lost_s);
    sum->losers = losers;
}

void record_counts_lose(record_counts *counts, pid_t pid, double lost_s)
{
    const double least_s = 0.01;
    record_loss new = {pid, lost_s};
    if (lost_s < least_s)
        return;
    counts->losers++;
    for (int n = 0; n < RECORD_LOSSES; n++)
        if (new.lost_s > counts->worst[n].lost_s) {
            const record_loss smaller = counts->worst[n];
            counts->worst[n] = new;
            new = smaller;
        }
}

record_counts record_counts_between(const record_counts *before, const record_counts *after)
{
    record_counts counts = *after;
    counts.samples -= before->samples;
    counts.torn -= before->torn;
    counts.idle -= before->idle;
    counts.cut -= before->cut;
    for (int state = 0; state < SAMPLER_STATES; state++)
        counts.state_s[state] -= before->state_s[state];
    counts.missed_s -= before->missed_s;
    counts.lost_s -= before->lost_s;
    if (before->cpu_s >= 0 && after->cpu_s >= 0)
        counts.cpu_s -= before->cpu_s;
    return counts;
}

/* By chance, as many samples see too little by twice the standard deviation, and a program runs before the
 * first one and after the last one. */
double record_counts_missed(const record_counts *counts)
{
    const double *s = counts->state_s, all_s = s[SAMPLER_RUN] + s[SAMPLER_WAIT] + s[SAMPLER_SLEEP];
    const double run = all_s > 0 ? s[SAMPLER_RUN] / all_s : 0;
    const double missed = all_s > 0 ? counts->missed_s / all_s : 0;
    const double samples = (double)MAX(counts->samples + counts->idle, 1);
    const double chance = MAX(2 * sqrt(run * (1 - run) / samples), CHANCE_PERIODS / samples);
    return missed > MAX(LEAST_MISSED, MAX(chance, run / 10)) ? missed : 0;
}
