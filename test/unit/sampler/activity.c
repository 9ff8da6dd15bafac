/* How long a thread has run and waited. */
#include "sampler/process/activity.h"

#include "sampler/process/process.h"
#include "test/unit/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Returns a child that sleeps until the descriptor is closed. */
static pid_t new_sleeper(int *to)
{
    int ends[2];
    char c;
    sampler_process p = {0};
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[1]);
        _exit(read(ends[0], &c, 1) == 0 ? 0 : 1);
    }
    close(ends[0]);
    do
        assert_true(sampler_process_read(&p, pid));
    while (p.state != 'S');
    *to = ends[1];
    return pid;
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

/* It has waited for a processor at least once: when it was begun. */
static void times_begin_with_what_was_before(void **state)
{
    int to;
    const pid_t pid = new_sleeper(&to);
    const sampler_times before = schedstat_of(pid);
    sampler_activity *a = sampler_activity_new(pid, pid);
    (void)state;
    assert_non_null(a);
    assert_true(sampler_activity_begin(a));
    assert_int_equal(sampler_activity_times(a).run_ns, before.run_ns);
    assert_int_equal(sampler_activity_times(a).wait_ns, before.wait_ns);
    sampler_activity_free(a);
    close(to);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(times_begin_with_what_was_before)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
