/* When a thread runs, as the kernel notes it. */
#include "sampler/process/switches.h"

#include "sampler/process/process.h"
#include "test/unit/support.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 300 }; /* more records than there is room for */

/* A child that works when it is told to. */
typedef struct worker {
    pid_t pid;
    int to, from;
} worker;

static void work(int from, int to)
{
    for (char c; read(from, &c, 1) == 1;) {
        const int64_t until_ns = nytp_time_ns(CLOCK_PROCESS_CPUTIME_ID) + 200000;
        while (nytp_time_ns(CLOCK_PROCESS_CPUTIME_ID) < until_ns)
            ;
        if (write(to, &c, 1) != 1)
            break;
    }
    _exit(0);
}

static worker new_worker(void)
{
    int to[2], from[2];
    assert_int_equal(pipe(to), 0);
    assert_int_equal(pipe(from), 0);
    const worker w = {fork(), to[1], from[0]};
    assert_true(w.pid >= 0);
    if (w.pid == 0) {
        close(to[1]);
        close(from[0]);
        work(to[0], from[1]);
    }
    close(to[0]);
    close(from[1]);
    return w;
}

static void have_it_work(const worker *w)
{
    char c = '.';
    assert_int_equal(write(w->to, &c, 1), 1);
    assert_int_equal(read(w->from, &c, 1), 1);
}

static void end_worker(const worker *w)
{
    close(w->to);
    close(w->from);
    assert_int_equal(waitpid(w->pid, NULL, 0), w->pid);
}

static sampler_switches *open_or_skip(const worker *w)
{
    sampler_switches *s = sampler_switches_new(w->pid);
    if (s == NULL) {
        const char *why = strerror(errno);
        end_worker(w);
        skip_because(why);
    }
    return s;
}

/* The worker waits for the next byte, soon if not yet. */
static void take_until_it_sleeps(sampler_switches *s)
{
    do
        assert_true(sampler_switches_take(s));
    while (sampler_switches_runs(s));
}

static int64_t run_ns(const sampler_switches *s)
{
    return sampler_switches_run_ns(s, sampler_now_ns());
}

static void records_and_the_counter_have_the_same_times(void **state)
{
    const worker w = new_worker();
    sampler_switches *often = open_or_skip(&w), *once = sampler_switches_new(w.pid);
    (void)state;
    assert_non_null(once);
    take_until_it_sleeps(often);
    const int64_t often_ns = run_ns(often), once_ns = run_ns(once);
    for (int n = 0; n < ROUNDS; n++) {
        have_it_work(&w);
        take_until_it_sleeps(often);
    }
    take_until_it_sleeps(once);
    assert_true(run_ns(often) - often_ns > ROUNDS * INT64_C(190000));
    assert_float_equal((double)(run_ns(often) - often_ns) / (double)(run_ns(once) - once_ns), 1, 0.1);
    sampler_switches_free(often);
    sampler_switches_free(once);
    end_worker(&w);
}

static void what_sleeps_does_not_run(void **state)
{
    const worker w = new_worker();
    sampler_switches *s = open_or_skip(&w);
    (void)state;
    take_until_it_sleeps(s);
    const int64_t before_ns = run_ns(s);
    assert_true(sampler_switches_take(s));
    assert_int_equal(run_ns(s), before_ns);
    sampler_switches_free(s);
    end_worker(&w);
}

static void the_end_of_a_thread_is_noticed(void **state)
{
    const worker w = new_worker();
    sampler_switches *s = open_or_skip(&w);
    (void)state;
    have_it_work(&w);
    end_worker(&w);
    while (sampler_switches_take(s) && sampler_switches_runs(s))
        ;
    sampler_switches_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_and_the_counter_have_the_same_times),
        cmocka_unit_test(what_sleeps_does_not_run),
        cmocka_unit_test(the_end_of_a_thread_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
