/* When the writing thread compresses strongly. Whether it does on an idle machine is a matter of test/bench.
 */
#include "bytes/deflate.h"
#include "test/unit/support.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void not_without_time(void **state)
{
    nytp_effort effort = {0};
    (void)state;
    for (int i = 0; i < 1000; i++)
        assert_int_equal(nytp_effort_begin(&effort, NYTP_EFFORT_LOW), NYTP_EFFORT_LOW);
}

static void not_with_one_processor(void **state)
{
    cpu_set_t allowed, one;
    nytp_effort effort = {0};
    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &allowed))
            CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    for (int i = 0; i < 100; i++)
        assert_int_equal(nytp_effort_begin(&effort, NYTP_EFFORT_HIGH), NYTP_EFFORT_LOW);
    assert_int_equal(sched_setaffinity(0, sizeof allowed, &allowed), 0);
}

/* As in a container with a limit. */
static void not_with_less_than_two(void **state)
{
    nytp_effort effort = {.quota = 1.5};
    (void)state;
    for (int i = 0; i < 100; i++)
        assert_int_equal(nytp_effort_begin(&effort, NYTP_EFFORT_HIGH), NYTP_EFFORT_LOW);
}

static pid_t spinning_child(void)
{
    const pid_t pid = fork();
    if (pid != 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) {
    }
}

/* With as many other processes as processors. Each is counted as soon as it was started. */
static void not_on_a_busy_machine(void **state)
{
    enum { MOST = 1024 };
    static pid_t children[MOST];
    nytp_effort effort = {0};
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    (void)state;
    assert_in_range(processors, 1, MOST);
    for (long i = 0; i < processors; i++)
        assert_in_range(children[i] = spinning_child(), 1, INT32_MAX);
    for (int i = 0; i < 100; i++)
        assert_int_equal(nytp_effort_begin(&effort, NYTP_EFFORT_HIGH), NYTP_EFFORT_LOW);
    for (long i = 0; i < processors; i++) {
        assert_int_equal(kill(children[i], SIGKILL), 0);
        assert_int_equal(waitpid(children[i], NULL, 0), children[i]);
    }
}

static bool is_low_for(nytp_effort *effort, unsigned blocks)
{
    for (unsigned i = 0; i < blocks; i++)
        if (nytp_effort_begin(effort, NYTP_EFFORT_HIGH) != NYTP_EFFORT_LOW)
            return false;
    return effort->low_left == 0;
}

/* A block that began long ago, by the clock, and took no time of the processor. */
static void not_soon_after_it_had_to_wait(void **state)
{
    nytp_effort effort = {0};
    (void)state;
    for (unsigned blocks = 8; blocks <= 1024; blocks *= 2) {
        nytp_effort_end(&effort);
        assert_true(is_low_for(&effort, blocks));
    }
    nytp_effort_end(&effort);
    assert_true(is_low_for(&effort, 1024));
    effort.run_ns = -effort.began_ns - INT64_MAX / 4; /* it ran all the time */
    nytp_effort_end(&effort);
    assert_int_equal(effort.low_left, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_without_time),
        cmocka_unit_test(not_with_one_processor),
        cmocka_unit_test(not_with_less_than_two),
        cmocka_unit_test(not_on_a_busy_machine),
        cmocka_unit_test(not_soon_after_it_had_to_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
