#include "sampler/sample/account.h"

#include "sampler/sample/pace.h"

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
 */
void sampler_account_pass(sampler_account *a, int64_t now_ns, sampler_times times)
{
    const double passed_s = (double)(now_ns - a->last_ns) / 1e9;
    const double counted_s = fmin(passed_s, SAMPLER_MOST_PERIODS / a->rate_hz);
    const double part = passed_s > 0 ? counted_s / passed_s : 0;
    const double run_s = (double)(times.run_ns - a->last.run_ns) / 1e9 * (a->cpu ? 1 : part);
    const double wait_s = (double)(times.wait_ns - a->last.wait_ns) / 1e9 * part;
    a->last_ns = now_ns;
    a->last = times;
    a->passed_s = counted_s;
    a->counted_s += counted_s;
    a->samples++;
    a->lost_s += passed_s - counted_s;
    if (run_s > 0)
        a->ready_s = 0;
    if (!a->has_times)
        return;
    put(a, SAMPLER_RUN, run_s);
    put(a, SAMPLER_WAIT, wait_s);
    put(a, SAMPLER_SLEEP, counted_s - run_s - wait_s);
}

/* Takes up to what samples of the state may take, of what there is. */
static double take(sampler_account *a, int state, double there_s)
{
    const double taken_s = fmax(0, fmin(a->left_s[state], there_s));
    a->left_s[state] -= taken_s;
    a->pool_s[state] -= taken_s;
    return taken_s;
}

/* Waiting that goes on is not counted by the kernel yet. */
static double waiting_s(sampler_account *a)
{
    a->ready_s += a->passed_s;
    return a->pool_s[SAMPLER_WAIT] + a->ready_s;
}

/* The time that a sample stands for: the mean, since the distances of samples are random. */
static double mean_s(const sampler_account *a)
{
    return a->counted_s / a->samples;
}

/* What is ready to run, but in no sub that waits, is rather running. */
static void take_ready(sampler_account *a, double share_s[SAMPLER_STATES])
{
    a->left_s[SAMPLER_RUN] += mean_s(a);
    share_s[SAMPLER_RUN] = take(a, SAMPLER_RUN, a->pool_s[SAMPLER_RUN]);
    const double rest_s = fmax(0, mean_s(a) - share_s[SAMPLER_RUN]);
    a->left_s[SAMPLER_RUN] -= rest_s;
    a->left_s[SAMPLER_WAIT] += rest_s;
    share_s[SAMPLER_WAIT] = take(a, SAMPLER_WAIT, a->pool_s[SAMPLER_WAIT]);
}

static void take_state(sampler_account *a, enum sampler_doing doing, double share_s[SAMPLER_STATES])
{
    switch (doing) {
    case SAMPLER_RUNS:
        a->left_s[SAMPLER_RUN] += mean_s(a);
        share_s[SAMPLER_RUN] = take(a, SAMPLER_RUN, a->pool_s[SAMPLER_RUN]);
        break;
    case SAMPLER_WAITS:
        a->left_s[SAMPLER_WAIT] += mean_s(a);
        share_s[SAMPLER_WAIT] = take(a, SAMPLER_WAIT, waiting_s(a));
        break;
    case SAMPLER_SLEEPS:
        a->ready_s = 0;
        a->left_s[SAMPLER_SLEEP] += mean_s(a);
        share_s[SAMPLER_SLEEP] =
            take(a, SAMPLER_SLEEP, a->pool_s[SAMPLER_SLEEP] + fmin(0, a->pool_s[SAMPLER_WAIT]));
        break;
    case SAMPLER_IS_READY: take_ready(a, share_s); break;
    }
}

double sampler_account_take(sampler_account *a, enum sampler_doing doing, double share_s[SAMPLER_STATES])
{
    static const int plain[] = {[SAMPLER_RUNS] = SAMPLER_RUN,
                                [SAMPLER_WAITS] = SAMPLER_WAIT,
                                [SAMPLER_SLEEPS] = SAMPLER_SLEEP,
                                [SAMPLER_IS_READY] = SAMPLER_RUN};
    const bool runs = doing == SAMPLER_RUNS || doing == SAMPLER_IS_READY;
    memset(share_s, 0, SAMPLER_STATES * sizeof *share_s);
    a->seen_run_s += runs ? mean_s(a) : 0;
    if (!a->has_times) {
        share_s[plain[doing]] = a->passed_s;
    } else if (a->cpu) {
        share_s[SAMPLER_RUN] = runs ? fmax(0, a->pool_s[SAMPLER_RUN]) : 0;
        a->pool_s[SAMPLER_RUN] -= share_s[SAMPLER_RUN];
    } else {
        take_state(a, doing, share_s);
    }
    return share_s[SAMPLER_RUN] + share_s[SAMPLER_WAIT] + share_s[SAMPLER_SLEEP];
}

double sampler_account_missed_s(const sampler_account *a)
{
    if (!a->has_times)
        return 0;
    return fmax(0, a->cpu ? a->total_s[SAMPLER_RUN] - a->seen_run_s : a->pool_s[SAMPLER_RUN]);
}
