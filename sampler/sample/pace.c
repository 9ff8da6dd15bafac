#include "sampler/sample/meter.h"

#include "sampler/process/process.h"

#include <math.h>
#include <sys/prctl.h>

void sampler_pace_begin(sampler_pace *p, double rate_hz)
{
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); /* wakes up at the time, not up to 50 us later */
    p->period_ns = (int64_t)((double)SAMPLER_SECOND_NS / rate_hz);
    p->next_ns = sampler_now_ns();
    p->random = (uint64_t)p->next_ns | 1;
}

/* xorshift64*, from 0 to 1. */
static double random_share(sampler_pace *p)
{
    p->random ^= p->random >> 12;
    p->random ^= p->random << 25;
    p->random ^= p->random >> 27;
    return (double)(p->random * UINT64_C(0x2545F4914F6CDD1D) >> 11) / 9007199254740992.0;
}

/* The time to the next sample is distributed exponentially, so how likely a sample is does not depend on how
 * long ago the last one was. It must not: when the sampler gives its processor back, the scheduler may choose
 * a thread that waits, so that threads often begin to run just after a sample. */
double sampler_pace_gap(sampler_pace *p)
{
    double gap;
    do
        gap = -log1p(-random_share(p));
    while (gap > SAMPLER_MOST_PERIODS / 2.0);
    return gap;
}

int64_t sampler_pace_next(sampler_pace *p)
{
    enum { INERTIA = 16 }; /* periods in which what is ahead or behind is made up for */
    const int64_t now = sampler_now_ns();
    p->next_ns += p->period_ns;
    if (p->next_ns < now - INERTIA * p->period_ns)
        p->next_ns = now; /* too late: none are made up for */
    const double ahead = (double)(p->next_ns - now) / (double)(INERTIA * p->period_ns);
    const double mean_ns = (double)p->period_ns * fmin(2, fmax(0.5, 1 + ahead));
    return now + (int64_t)(sampler_pace_gap(p) * mean_ns);
}

bool sampler_pace_sleep(int64_t until_ns)
{
    const struct timespec until = {until_ns / SAMPLER_SECOND_NS, until_ns % SAMPLER_SECOND_NS};
    return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0;
}

void sampler_pace_wait(sampler_pace *p)
{
    sampler_pace_sleep(sampler_pace_next(p));
}
