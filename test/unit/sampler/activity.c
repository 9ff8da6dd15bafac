/* How long a thread has run and waited. */
#include "sampler/process/activity.h"

#include "sampler/process/process.h"
#include "test/unit/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that reads what it is given, and sleeps in between. */
typedef struct sleeper {
    pid_t pid;
    int to;
} sleeper;

static void wait_until_it_sleeps(const sleeper *s)
{
    sampler_process p = {0};
    int unread = 0;
    do {
        assert_int_equal(ioctl(s->to, FIONREAD, &unread), 0);
        assert_true(sampler_process_read(&p, s->pid));
    } while (unread > 0 || p.state != 'S');
}

static sleeper new_sleeper(void)
{
    int ends[2];
    char c;
    assert_int_equal(pipe(ends), 0);
    const sleeper s = {fork(), ends[1]};
    if (s.pid == 0) {
        close(ends[1]);
        while (read(ends[0], &c, 1) == 1)
            ;
        _exit(0);
    }
    close(ends[0]);
    wait_until_it_sleeps(&s);
    return s;
}

static void end_sleeper(const sleeper *s)
{
    close(s->to);
    assert_int_equal(waitpid(s->pid, NULL, 0), s->pid);
}

static sampler_times schedstat_of(pid_t pid)
{
    char path[40];
    sampler_times times = {0};
    snprintf(path, sizeof path, "/proc/%ld/schedstat", (long)pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        skip_because("the kernel does not count waiting");
    assert_int_equal(fscanf(file, "%" SCNd64 " %" SCNd64, &times.run_ns, &times.wait_ns), 2);
    fclose(file);
    return times;
}

/* Expects a thread that sleeps, or is about to, to have the times that the kernel says. */
static void assert_has_all_times(sampler_activity *a, pid_t pid)
{
    sampler_times all;
    do {
        all = schedstat_of(pid);
        assert_true(sampler_activity_begin(a));
    } while (sampler_activity_is_ready(a) || schedstat_of(pid).run_ns != all.run_ns);
    assert_int_equal(sampler_activity_times(a).run_ns, all.run_ns);
    assert_int_equal(sampler_activity_times(a).wait_ns, all.wait_ns);
}

/* It has waited for a processor at least once: when it was begun. */
static void times_begin_with_what_was_before(void **state)
{
    const sleeper s = new_sleeper();
    sampler_activity *a = sampler_activity_new(s.pid, s.pid);
    (void)state;
    assert_non_null(a);
    assert_has_all_times(a, s.pid);
    sampler_activity_free(a);
    end_sleeper(&s);
}

static void times_have_what_switches_take(void **state)
{
    enum { ROUNDS = 100 };
    const sleeper s = new_sleeper();
    sampler_activity *a = sampler_activity_new(s.pid, s.pid);
    (void)state;
    assert_non_null(a);
    for (int n = 0; n < ROUNDS; n++) {
        assert_int_equal(write(s.to, ".", 1), 1);
        assert_true(sampler_activity_begin(a));
        wait_until_it_sleeps(&s);
    }
    assert_has_all_times(a, s.pid);
    sampler_activity_free(a);
    end_sleeper(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(times_begin_with_what_was_before),
                                       cmocka_unit_test(times_have_what_switches_take)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
