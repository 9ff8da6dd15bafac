#include "sampler/sample/pace.h"

#include "sampler/process/clock.h"

#include <sys/prctl.h>

enum { MOST_PERIODS = 2 };

void sampler_pace_begin(sampler_pace *p, double rate_hz)
{
    prctl(PR_SET_TIMERSLACK, 1UL); /* wakes up at the time, not up to 50 us later */
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

/* The next sample is up to a quarter of a period from where it would be in an even row. */
void sampler_pace_wait(sampler_pace *p)
{
    int64_t now = sampler_now_ns();
    p->next_ns += p->period_ns;
    if (p->next_ns < now - p->period_ns)
        p->next_ns = now; /* too late: none are made up for */
    int64_t at = p->next_ns + (int64_t)((random_share(p) - 0.5) * 0.5 * (double)p->period_ns);
    struct timespec until = {at / SAMPLER_SECOND_NS, at % SAMPLER_SECOND_NS};
    if (at > now)
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

double sampler_pace_passed_s(double rate_hz, int64_t *last_ns, int64_t now_ns, double *lost_s)
{
    double passed_s = (double)(now_ns - *last_ns) / 1e9, most_s = MOST_PERIODS / rate_hz;
    *last_ns = now_ns;
    if (passed_s <= most_s)
        return passed_s;
    *lost_s += passed_s - most_s;
    return most_s;
}
