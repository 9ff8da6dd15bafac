/* What the collector reads of the time off the processor, on a machine that the test runs: a thread that is
 * queued while it reads, at any of the questions that it asks the system. */
#include "test/unit/support.h"

#include <string.h>
#include <sys/resource.h>
#include <time.h>

static struct {
    int64_t ns, run_ns, delay_ns;
    long voluntary, involuntary; /* switches */
    int questions, queued_at;    /* it is queued at this question */
} machine;

static const int64_t MS = 1000000, QUEUED_NS = 3 * MS;

static void works(int64_t ns)
{
    machine.ns += ns;
    machine.run_ns += ns;
}

static void sleeps(int64_t ns)
{
    machine.ns += ns;
    machine.voluntary++;
}

static void is_queued(int64_t ns)
{
    machine.ns += ns;
    machine.delay_ns += ns;
    machine.involuntary++;
}

static void question(void)
{
    works(300);
    if (++machine.questions == machine.queued_at)
        is_queued(QUEUED_NS);
}

static uint64_t told_ns(clockid_t id)
{
    question();
    return (uint64_t)(id == CLOCK_MONOTONIC ? machine.ns : machine.run_ns);
}

static int told_usage(int who, struct rusage *usage)
{
    (void)who;
    question();
    usage->ru_nvcsw = machine.voluntary;
    usage->ru_nivcsw = machine.involuntary;
    return 0;
}

static bool told_file(const char *path, char *text, size_t size)
{
    question();
    snprintf(text, size, "%lld %lld 7", (long long)machine.run_ns, (long long)machine.delay_ns);
    return strstr(path, "schedstat") != NULL;
}

/* The code under test, with the system of the test. */
#define prof_clock_ns        told_ns
#define getrusage            told_usage
#define nytp_small_file_read told_file
#include "xs/basics/usage.c" /* NOLINT(bugprone-suspicious-include): so that it calls the macros above */

typedef struct sums {
    int64_t asleep_ns, queued_ns;
} sums;

static void add_reading(prof_offcpu *off, sums *all)
{
    int64_t asleep_ns, queued_ns;
    if (!prof_offcpu_read(off, &asleep_ns, &queued_ns))
        return;
    assert_true(asleep_ns >= 0 && queued_ns >= 0);
    all->asleep_ns += asleep_ns;
    all->queued_ns += queued_ns;
}

/* A program that sleeps 60 ms. Returns whether it was queued. */
static bool check_queued_at(int question)
{
    memset(&machine, 0, sizeof machine);
    machine.ns = 1000 * MS;
    machine.queued_at = question;
    prof_offcpu off;
    sums all = {0, 0};
    assert_true(prof_offcpu_begin(&off));
    const bool is_before = machine.questions >= question;
    for (int i = 0; i < 3; i++) {
        works(MS);
        sleeps(20 * MS);
        add_reading(&off, &all);
    }
    add_reading(&off, &all);
    const bool was_queued = machine.questions >= question;
    assert_int_equal(all.asleep_ns, 60 * MS);
    assert_int_equal(all.queued_ns, was_queued && !is_before ? QUEUED_NS : 0);
    return was_queued;
}

/* The profiler works twice, for 0.2 ms each time, and is queued, or sleeps, in one of the two. */
static void check_own(int interval, void (*waits)(int64_t ns))
{
    memset(&machine, 0, sizeof machine);
    machine.ns = 1000 * MS;
    prof_offcpu off;
    sums all = {0, 0};
    assert_true(prof_offcpu_begin(&off));
    const int64_t works_ns = MS / 5, waits_ns = QUEUED_NS;
    int64_t own_ns = 0;
    for (int i = 0; i < 2; i++) {
        const int64_t began_ns = machine.ns;
        works(works_ns);
        if (i == interval)
            waits(waits_ns);
        const int64_t took_ns = machine.ns - began_ns;
        own_ns += took_ns - prof_offcpu_leave_out_asleep(&off, took_ns);
    }
    add_reading(&off, &all);
    const bool sleeps_in_it = waits == sleeps;
    assert_int_equal(own_ns, 2 * works_ns + (sleeps_in_it ? waits_ns : 0));
    assert_int_equal(all.asleep_ns, 0);
    assert_int_equal(all.queued_ns, sleeps_in_it ? 0 : waits_ns);
}

static void own_time(void **state)
{
    (void)state;
    for (int interval = 0; interval < 2; interval++) {
        check_own(interval, is_queued);
        check_own(interval, sleeps);
    }
}

static void queued_at_any_question(void **state)
{
    (void)state;
    int question = 1;
    while (check_queued_at(question))
        question++;
    assert_true(question > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(queued_at_any_question), cmocka_unit_test(own_time)};
    return cmocka_run_group_tests_name("the time off the processor", tests, NULL, NULL);
}
