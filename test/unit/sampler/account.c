/* How the time of a thread is divided among its samples: a thread whose times are known, and samplers that
 * see it at other times. */
#include "sampler/sample/meter.h"

#include "test/unit/support.h"

#define HZ 100
enum { SECONDS = 100 };

/* In each cycle it works for 0.3 ms, waits for a processor for 0.2 ms, and sleeps for the rest of 1.5 ms. */
#define CYCLE_NS 1500000
#define RUN_NS   300000
#define WAIT_NS  200000
static const double run = 0.2, waiting = 2.0 / 15, sleeping = 2.0 / 3;

static int64_t within(int64_t ns, int64_t from, int64_t length)
{
    const int64_t part = ns % CYCLE_NS - from;
    return ns / CYCLE_NS * length + (part < 0 ? 0 : part > length ? length : part);
}

/* The kernel counts waiting when it ends. */
static sampler_times times_at(int64_t ns)
{
    const int64_t waits = ns / CYCLE_NS + (ns % CYCLE_NS >= RUN_NS + WAIT_NS);
    return (sampler_times){within(ns, 0, RUN_NS), waits * WAIT_NS};
}

static enum sampler_doing doing_at(int64_t ns)
{
    const int64_t part = ns % CYCLE_NS;
    return part < RUN_NS ? SAMPLER_RUNS : part < RUN_NS + WAIT_NS ? SAMPLER_WAITS : SAMPLER_SLEEPS;
}

typedef struct result {
    sampler_account account;
    double s[SAMPLER_STATES], sum_s;
} result;

/* What a sampler sees of a thread. */
typedef enum sampler_doing see_fn(int64_t ns);

static enum sampler_doing see_no_run(int64_t ns)
{
    return doing_at(ns) == SAMPLER_RUNS ? SAMPLER_SLEEPS : doing_at(ns);
}

static enum sampler_doing see_run_too_often(int64_t ns)
{
    return ns % 7 < 3 ? SAMPLER_RUNS : doing_at(ns);
}

static enum sampler_doing see_no_difference(int64_t ns)
{
    return doing_at(ns) == SAMPLER_SLEEPS ? SAMPLER_SLEEPS : SAMPLER_IS_READY;
}

static result sampled(see_fn *see, bool cpu, enum sampler_source source)
{
    result r = {0};
    sampler_pace pace = {.random = 42};
    sampler_account_begin(&r.account, HZ, cpu, source);
    sampler_account_skip(&r.account, 0, times_at(0));
    for (int64_t ns = 0; ns < SECONDS * INT64_C(1000000000);) {
        double share_s[SAMPLER_STATES];
        ns += (int64_t)(sampler_pace_gap(&pace) * 1e9 / HZ) + 1;
        sampler_account_pass(&r.account, ns, times_at(ns), false);
        r.sum_s += sampler_account_take(&r.account, see(ns), share_s);
        for (int n = 0; n < SAMPLER_STATES; n++)
            r.s[n] += share_s[n];
    }
    return r;
}

static void a_fair_sampler_has_all_times(void **state)
{
    result r = sampled(doing_at, false, SAMPLER_SOURCE_PERF);
    (void)state;
    assert_float_equal(r.s[SAMPLER_RUN] / r.sum_s, run, 0.01);
    assert_float_equal(r.s[SAMPLER_WAIT] / r.sum_s, waiting, 0.01);
    assert_float_equal(r.s[SAMPLER_SLEEP] / r.sum_s, sleeping, 0.01);
    assert_float_equal(r.sum_s, SECONDS, 2);
    assert_float_equal(r.account.total_s[SAMPLER_RUN], SECONDS * run, 0.1);
    assert_float_equal(sampler_account_missed_s(&r.account), 0, 1);
}

static void what_no_sample_saw_goes_to_no_stack(void **state)
{
    result r = sampled(see_no_run, false, SAMPLER_SOURCE_PERF);
    (void)state;
    assert_float_equal(r.s[SAMPLER_RUN], 0, 1e-9);
    assert_float_equal(sampler_account_missed_s(&r.account), SECONDS * run, 0.1);
    assert_float_equal(r.s[SAMPLER_WAIT], SECONDS * waiting, 1);
    assert_float_equal(r.s[SAMPLER_SLEEP], SECONDS * sleeping, 1); /* not the time in which it ran */
}

static void what_is_seen_too_often_gets_no_more_than_it_took(void **state)
{
    result r = sampled(see_run_too_often, false, SAMPLER_SOURCE_PERF);
    (void)state;
    assert_float_equal(r.s[SAMPLER_RUN], SECONDS * run, 0.1);
    assert_float_equal(sampler_account_missed_s(&r.account), 0, 0.1);
}

static void with_cpu_the_sum_is_the_processor_time(void **state)
{
    static see_fn *const ways[] = {doing_at, see_run_too_often, see_no_difference};
    (void)state;
    for (size_t n = 0; n < COUNT(ways); n++) {
        result r = sampled(ways[n], true, SAMPLER_SOURCE_PERF);
        assert_float_equal(r.sum_s, SECONDS * run, 0.1);
        assert_float_equal(r.s[SAMPLER_RUN], r.sum_s, 1e-9);
    }
    result r = sampled(see_no_run, true, SAMPLER_SOURCE_PERF);
    assert_float_equal(r.sum_s, 0, 1e-9);
    assert_float_equal(sampler_account_missed_s(&r.account), SECONDS * run, 0.1);
}

/* Without perf_event_open(). */
static void what_is_ready_runs_as_long_as_the_kernel_says(void **state)
{
    result r = sampled(see_no_difference, false, SAMPLER_SOURCE_SCHEDSTAT);
    (void)state;
    assert_float_equal(r.s[SAMPLER_RUN], SECONDS * run, 2);
    assert_float_equal(r.s[SAMPLER_WAIT], SECONDS * waiting, 2);
    assert_float_equal(r.s[SAMPLER_SLEEP], SECONDS * sleeping, 2);
}

static void without_times_a_sample_is_what_passed(void **state)
{
    result r = sampled(see_no_run, false, SAMPLER_SOURCE_CLOCK);
    (void)state;
    assert_float_equal(r.sum_s, SECONDS, 1);
    assert_float_equal(sampler_account_missed_s(&r.account), 0, 1e-9);
}

/* Waiting for ten seconds: the kernel counts it at its end. Then sleep, which the samples before had none of.
 */
static void waiting_that_goes_on_is_waiting(void **state)
{
    enum { WAITED_S = 10 };
    sampler_account a;
    double share_s[SAMPLER_STATES], waited_s = 0, slept_s = 0;
    sampler_times times = {0, 0};
    int64_t ns = 0;
    (void)state;
    sampler_account_begin(&a, HZ, false, SAMPLER_SOURCE_PERF);
    sampler_account_skip(&a, 0, times);
    for (; ns < WAITED_S * INT64_C(1000000000); ns += 10000000) {
        sampler_account_pass(&a, ns, times, false);
        sampler_account_take(&a, SAMPLER_WAITS, share_s);
        waited_s += share_s[SAMPLER_WAIT];
    }
    assert_float_equal(waited_s, WAITED_S, 0.1);
    times = (sampler_times){100, ns};
    for (; ns < INT64_C(2000000000) * WAITED_S; ns += 10000000) {
        sampler_account_pass(&a, ns, times, false);
        sampler_account_take(&a, SAMPLER_SLEEPS, share_s);
        slept_s += share_s[SAMPLER_SLEEP];
    }
    assert_float_equal(slept_s, WAITED_S, 0.1);
}

/* Without perf_event_open(), samples do not tell running from waiting. A thread that never sleeps waits when
 * its recording ends, which the kernel has not counted yet. */
static void waiting_at_the_end_is_waiting(void **state)
{
    const int64_t step_ns = 10000000, runs_ns = 20 * step_ns, end_ns = 50 * step_ns;
    sampler_account a;
    double share_s[SAMPLER_STATES], sum_s[SAMPLER_STATES] = {0};
    (void)state;
    sampler_account_begin(&a, HZ, false, SAMPLER_SOURCE_SCHEDSTAT);
    sampler_account_skip(&a, 0, (sampler_times){0, 0});
    for (int64_t ns = step_ns; ns < end_ns; ns += step_ns) {
        sampler_account_pass(&a, ns, (sampler_times){MIN(ns, runs_ns), 0}, false);
        sampler_account_take(&a, SAMPLER_IS_READY, share_s);
        for (int n = 0; n < SAMPLER_STATES; n++)
            sum_s[n] += share_s[n];
    }
    sampler_account_end(&a, end_ns, (sampler_times){runs_ns, 0}, false, true);
    for (int n = 0; n < SAMPLER_STATES; n++)
        sum_s[n] += sampler_account_rest(&a, n);
    assert_float_equal(sum_s[SAMPLER_RUN], 0.2, 1e-9);
    assert_float_equal(sum_s[SAMPLER_WAIT], 0.3, 1e-9);
    assert_float_equal(sum_s[SAMPLER_SLEEP], 0, 1e-9);
}

/* Short recordings, too: what samples have, what was missed and what was lost is what has passed. */
static void all_time_is_accounted_for(void **state)
{
    static see_fn *const ways[] = {doing_at, see_no_run, see_run_too_often, see_no_difference};
    static const double rates[] = {20, 1000};
    const int64_t end_ns = INT64_C(1000000000), begin_ns = RUN_NS + WAIT_NS / 2; /* while it waits */
    (void)state;
    for (unsigned nth = 0; nth < COUNT(ways) * COUNT(rates) * 50; nth++) {
        const double hz = rates[nth % COUNT(rates)];
        sampler_pace pace = {.random = nth + 1};
        sampler_account a;
        double share_s[SAMPLER_STATES], sum_s = 0;
        sampler_account_begin(&a, hz, false, SAMPLER_SOURCE_PERF);
        sampler_account_skip(&a, begin_ns, times_at(begin_ns));
        for (int64_t ns = begin_ns; ns < end_ns; ns += (int64_t)(sampler_pace_gap(&pace) * 1e9 / hz) + 1) {
            sampler_account_pass(&a, ns, times_at(ns), false);
            sum_s += sampler_account_take(&a, ways[nth / COUNT(rates) % COUNT(ways)](ns), share_s);
        }
        sampler_account_pass(&a, end_ns, times_at(end_ns), false);
        for (int n = 0; n < SAMPLER_STATES; n++)
            sum_s += sampler_account_rest(&a, n);
        assert_float_equal(sum_s + sampler_account_missed_s(&a) + a.lost_s, (double)(end_ns - begin_ns) / 1e9,
                           1 / hz);
    }
}

/* A thread on a busy machine. */
typedef struct busy {
    uint64_t random;
    enum sampler_doing does;
    int64_t until_ns, since_ns; /* it does that */
    sampler_times times;        /* as the kernel has them: running at ticks, waiting when it ends */
} busy;

static void busy_goes_on(busy *b, int64_t ns)
{
    enum { TICK_NS = 4000000 };
    static const int64_t most_ns[] = {
        [SAMPLER_RUNS] = 8000000, [SAMPLER_WAITS] = 200000000, [SAMPLER_SLEEPS] = 5000000};
    for (; b->until_ns <= ns;
         b->until_ns += (int64_t)random_below(&b->random, (uint64_t)most_ns[b->does]) + 1) {
        const int64_t passed_ns = b->until_ns - b->since_ns;
        b->times.run_ns += b->does == SAMPLER_RUNS ? passed_ns : 0;
        b->times.wait_ns += b->does == SAMPLER_WAITS ? passed_ns : 0;
        b->since_ns = b->until_ns;
        b->does = b->does == SAMPLER_WAITS           ? SAMPLER_RUNS
                  : b->does == SAMPLER_SLEEPS        ? SAMPLER_WAITS
                  : random_below(&b->random, 4) == 0 ? SAMPLER_SLEEPS
                                                     : SAMPLER_WAITS;
    }
    const int64_t tick_ns = ns / TICK_NS * TICK_NS;
    if (b->does == SAMPLER_RUNS && tick_ns > b->since_ns) {
        b->times.run_ns += tick_ns - b->since_ns;
        b->since_ns = tick_ns;
    }
}

static void on_a_busy_machine_too(void **state)
{
    const double hz = 1000;
    (void)state;
    for (uint64_t nth = 0; nth < 2000; nth++) {
        busy b = {.random = nth + 1, .does = SAMPLER_RUNS};
        sampler_pace pace = {.random = nth + 1};
        sampler_account a;
        double share_s[SAMPLER_STATES], sum_s = 0;
        const int64_t end_ns = 1000000000;
        sampler_account_begin(&a, hz, false, SAMPLER_SOURCE_SCHEDSTAT);
        sampler_account_skip(&a, 0, b.times);
        for (int64_t ns = 0; ns < end_ns; ns += (int64_t)(sampler_pace_gap(&pace) * 1e9 / hz) + 1) {
            busy_goes_on(&b, ns);
            sampler_account_pass(&a, ns, b.times, false);
            const bool is_known = b.does == SAMPLER_SLEEPS || random_below(&b.random, 3) == 0;
            sum_s += sampler_account_take(&a, is_known ? b.does : SAMPLER_IS_READY, share_s);
        }
        if (nth % 2 == 0) {
            busy_goes_on(&b, end_ns);
            sampler_account_end(&a, end_ns, b.times, false, b.does != SAMPLER_SLEEPS);
        }
        for (int n = 0; n < SAMPLER_STATES; n++)
            sum_s += sampler_account_rest(&a, n);
        assert_float_equal(sum_s + sampler_account_missed_s(&a) + a.lost_s, (double)a.last_ns / 1e9, 0.01);
    }
}

/* With a sleep of a second between two samples, nothing is lost. */
static void what_slept_loses_nothing(void **state)
{
    sampler_account a;
    double share_s[SAMPLER_STATES];
    (void)state;
    sampler_account_begin(&a, HZ, false, SAMPLER_SOURCE_PERF);
    sampler_account_skip(&a, 0, (sampler_times){5, 0});
    sampler_account_pass(&a, 1000000000, (sampler_times){5, 0}, true);
    assert_float_equal(sampler_account_take(&a, SAMPLER_SLEEPS, share_s), 1, 1e-9);
    assert_float_equal(a.lost_s, 0, 1e-9);
}

static void a_sampler_that_comes_too_late_loses_time(void **state)
{
    sampler_account a;
    double share_s[SAMPLER_STATES];
    (void)state;
    sampler_account_begin(&a, HZ, false, SAMPLER_SOURCE_CLOCK);
    sampler_account_skip(&a, 0, (sampler_times){0, 0});
    sampler_account_pass(&a, 7000000, (sampler_times){0, 0}, false);
    assert_float_equal(sampler_account_take(&a, SAMPLER_SLEEPS, share_s), 0.007, 1e-9);
    assert_float_equal(a.lost_s, 0, 1e-9);
    sampler_account_pass(&a, 1007000000, (sampler_times){0, 0}, false);
    assert_float_equal(sampler_account_take(&a, SAMPLER_SLEEPS, share_s), (double)SAMPLER_MOST_PERIODS / HZ,
                       1e-9);
    assert_float_equal(a.lost_s, 1 - (double)SAMPLER_MOST_PERIODS / HZ, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fair_sampler_has_all_times),
        cmocka_unit_test(what_no_sample_saw_goes_to_no_stack),
        cmocka_unit_test(what_is_seen_too_often_gets_no_more_than_it_took),
        cmocka_unit_test(with_cpu_the_sum_is_the_processor_time),
        cmocka_unit_test(what_is_ready_runs_as_long_as_the_kernel_says),
        cmocka_unit_test(without_times_a_sample_is_what_passed),
        cmocka_unit_test(waiting_that_goes_on_is_waiting),
        cmocka_unit_test(waiting_at_the_end_is_waiting),
        cmocka_unit_test(all_time_is_accounted_for),
        cmocka_unit_test(on_a_busy_machine_too),
        cmocka_unit_test(what_slept_loses_nothing),
        cmocka_unit_test(a_sampler_that_comes_too_late_loses_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
