#include "counts.h"

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
