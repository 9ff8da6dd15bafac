#include "sampler/sample/meter.h"

#include <math.h>
#include <string.h>

void sampler_account_begin(sampler_account *a, double rate_hz, bool cpu, enum sampler_source source)
{
    *a =
        (sampler_account){.rate_hz = rate_hz, .cpu = cpu, .has_times = cpu || source != SAMPLER_SOURCE_CLOCK};
}

void sampler_account_skip(sampler_account *a, int64_t now_ns, sampler_times times)
{
    a->last_ns = now_ns;
    a->last = times;
}

static void put(sampler_account *a, int state, double seconds)
{
    a->pool_s[state] += seconds;
    a->total_s[state] += seconds;
}

/* The kernel counts waiting when it ends, so it may be more than what passed; until then it looks like sleep.
 * What began before the first sample is no time of this account. */
void sampler_account_pass(sampler_account *a, int64_t now_ns, sampler_times times, bool has_slept)
{
    const double passed_s = (double)(now_ns - a->last_ns) / 1e9, most_s = SAMPLER_MOST_PERIODS / a->rate_hz;
    const bool is_known = has_slept && a->has_times && times.run_ns == a->last.run_ns;
    const double counted_s = is_known ? passed_s : fmin(passed_s, most_s);
    const double part = passed_s > 0 ? counted_s / passed_s : 0;
    const double run_s = (double)(times.run_ns - a->last.run_ns) / 1e9 * (a->cpu ? 1 : part);
    const double ended_s = (double)(times.wait_ns - a->last.wait_ns) / 1e9 * part;
    const double wait_s = fmax(0, fmin(ended_s, counted_s - run_s + a->pool_s[SAMPLER_SLEEP]));
    a->last_ns = now_ns;
    a->last = times;
    a->counted_s += fmin(passed_s, most_s);
    a->samples++;
    a->lost_s += passed_s - counted_s;
    if (run_s > 0 || ended_s > 0)
        a->ready_s = 0;
    if (!a->has_times) {
        a->pool_s[SAMPLER_RUN] += counted_s;
        return;
    }
    put(a, SAMPLER_RUN, run_s);
    put(a, SAMPLER_WAIT, wait_s);
    a->uncounted_s = counted_s - run_s - wait_s;
    put(a, SAMPLER_SLEEP, a->uncounted_s);
}

void sampler_account_end(sampler_account *a, int64_t now_ns, sampler_times times, bool has_slept,
                         bool is_ready)
{
    sampler_account_pass(a, now_ns, times, has_slept);
    a->ready_s = is_ready ? a->ready_s + fmax(0, a->uncounted_s) : 0;
}

/* The time that a sample stands for: the mean, since the distances of samples are random. */
static double mean_s(const sampler_account *a)
{
    return a->samples > 0 ? a->counted_s / a->samples : 0;
}

/* The most that as many random samples of running stand for, but in one case of some hundreds: the bound of
 * the mean of a Poisson distribution that has given this number. */
static double most_run_s(const sampler_account *a)
{
    const double deviations = 3, n = a->seen_run;
    return mean_s(a) * (n + deviations * sqrt(n + deviations * deviations / 4) + deviations * deviations / 2);
}

/* Takes what there is, as far as samples may take it. */
static double take_from_pool(sampler_account *a, int state, double there_s)
{
    const double most_s = state == SAMPLER_RUN ? most_run_s(a) - a->taken_run_s : there_s;
    const double taken_s = fmax(0, fmin(most_s, there_s));
    if (state == SAMPLER_RUN)
        a->taken_run_s += taken_s;
    a->pool_s[state] -= taken_s;
    return taken_s;
}

static double asleep_s(const sampler_account *a)
{
    return a->pool_s[SAMPLER_SLEEP] + fmin(0, a->pool_s[SAMPLER_WAIT]);
}

/* What is ready to run may do either: running and waiting are divided as the kernel counts them. */
static void take_state(sampler_account *a, enum sampler_doing doing, double share_s[SAMPLER_STATES])
{
    switch (doing) {
    case SAMPLER_RUNS: share_s[SAMPLER_RUN] = take_from_pool(a, SAMPLER_RUN, a->pool_s[SAMPLER_RUN]); break;
    case SAMPLER_WAITS: /* waiting that goes on is not counted by the kernel yet */
        a->ready_s += fmax(0, a->uncounted_s);
        share_s[SAMPLER_WAIT] = take_from_pool(a, SAMPLER_WAIT, a->pool_s[SAMPLER_WAIT] + a->ready_s);
        break;
    case SAMPLER_SLEEPS:
        a->ready_s = 0;
        share_s[SAMPLER_SLEEP] = take_from_pool(a, SAMPLER_SLEEP, asleep_s(a));
        break;
    case SAMPLER_IS_READY:
        a->ready_s += fmax(0, a->uncounted_s);
        share_s[SAMPLER_RUN] = take_from_pool(a, SAMPLER_RUN, a->pool_s[SAMPLER_RUN]);
        share_s[SAMPLER_WAIT] = take_from_pool(a, SAMPLER_WAIT, a->pool_s[SAMPLER_WAIT]);
        break;
    }
}

double sampler_account_take(sampler_account *a, enum sampler_doing doing, double share_s[SAMPLER_STATES])
{
    static const int plain[] = {[SAMPLER_RUNS] = SAMPLER_RUN,
                                [SAMPLER_WAITS] = SAMPLER_WAIT,
                                [SAMPLER_SLEEPS] = SAMPLER_SLEEP,
                                [SAMPLER_IS_READY] = SAMPLER_RUN};
    const int state = a->last_state = plain[doing];
    memset(share_s, 0, SAMPLER_STATES * sizeof *share_s);
    a->seen_run += state == SAMPLER_RUN;
    if (!a->has_times || a->cpu)
        share_s[state] = sampler_account_rest(a, state);
    else
        take_state(a, doing, share_s);
    return share_s[SAMPLER_RUN] + share_s[SAMPLER_WAIT] + share_s[SAMPLER_SLEEP];
}

/* With cpu, a sample takes all that ran. Running that no sample saw is missed. */
double sampler_account_rest(sampler_account *a, int state)
{
    if (state == SAMPLER_RUN && a->seen_run == 0 && a->has_times)
        return 0;
    if (a->has_times && !a->cpu)
        return take_from_pool(a, state,
                              state == SAMPLER_SLEEP  ? asleep_s(a)
                              : state == SAMPLER_WAIT ? a->pool_s[state] + a->ready_s
                                                      : a->pool_s[state]);
    if (a->has_times ? state != SAMPLER_RUN : state != a->last_state)
        return 0;
    const double rest_s = fmax(0, a->pool_s[SAMPLER_RUN]);
    a->pool_s[SAMPLER_RUN] -= rest_s;
    return rest_s;
}

double sampler_account_missed_s(const sampler_account *a)
{
    if (!a->has_times)
        return 0;
    return fmax(0, a->cpu ? a->total_s[SAMPLER_RUN] - a->seen_run * mean_s(a) : a->pool_s[SAMPLER_RUN]);
}
