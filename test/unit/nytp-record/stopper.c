/* A process that is stopped for moments: it goes on as if nothing had been, also after signals. Skipped where
 * the system forbids to trace other processes. */
#include "nytp-record/processes.h"

#include "test/unit/support.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct fixture {
    pid_t pid;
    record_stopper stopper;
} fixture;

static char state_of(pid_t pid)
{
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    assert_non_null(fgets(text, sizeof text, in));
    fclose(in);
    return strrchr(text, ')')[2];
}

static void wait_for_state(pid_t pid, char state)
{
    while (state_of(pid) != state)
        usleep(1000);
}

static void on_signal(int number)
{
    _exit(number);
}

static int set_up(void **state)
{
    static fixture f;
    f = (fixture){.pid = fork()};
    if (f.pid == 0) {
        signal(SIGUSR1, on_signal);
        for (;;)
            pause();
    }
    *state = &f;
    wait_for_state(f.pid, 'S');
    return 0;
}

static int tear_down(void **state)
{
    const fixture *f = *state;
    kill(f->pid, SIGKILL);
    waitpid(f->pid, NULL, 0);
    return 0;
}

static void seize(fixture *f)
{
    if (record_stopper_seize(&f->stopper, f->pid) == 0)
        return;
    const int why = errno;
    assert_true(why == EPERM || why == ENOSYS); /* the system forbids it, or an emulator cannot do it */
    skip_because(strerror(why));
}

static void it_stops_and_goes_on(void **state)
{
    fixture *f = *state;
    seize(f);
    for (int times = 0; times < 3; times++) {
        assert_int_equal(record_stopper_stop(&f->stopper, RECORD_STOPPER_LONG_NS), 0);
        assert_int_equal(state_of(f->pid), 't');
        assert_int_equal(record_stopper_stop(&f->stopper, RECORD_STOPPER_LONG_NS), 0); /* it is already */
        assert_int_equal(record_stopper_go_on(&f->stopper), 0);
        wait_for_state(f->pid, 'S');
    }
    record_stopper_release(&f->stopper);
    assert_int_equal(f->stopper.pid, 0);
    wait_for_state(f->pid, 'S');
}

static int end_of(pid_t pid)
{
    int status;
    while (record_stopper_reap(&status) != pid)
        usleep(1000);
    return status;
}

/* The tracer is asked before the signal comes. The process may have ended when the stopper looks for more. */
static void pass_on_until_it_ends(const fixture *f)
{
    wait_for_state(f->pid, 't');
    assert_true(record_stopper_pass_on(&f->stopper) == 0 || errno == ESRCH);
}

static void a_signal_is_handed_on(void **state)
{
    fixture *f = *state;
    int status = 0;
    seize(f);
    kill(f->pid, SIGUSR1);
    wait_for_state(f->pid, 't');
    assert_int_equal(record_stopper_reap(&status), 0);
    pass_on_until_it_ends(f);
    status = end_of(f->pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), SIGUSR1);
}

static void a_signal_while_it_is_stopped_is_not_lost(void **state)
{
    fixture *f = *state;
    int status;
    seize(f);
    assert_int_equal(record_stopper_stop(&f->stopper, RECORD_STOPPER_LONG_NS), 0);
    kill(f->pid, SIGUSR1);
    assert_int_equal(record_stopper_reap(&status), 0);
    assert_int_equal(record_stopper_go_on(&f->stopper), 0);
    pass_on_until_it_ends(f);
    assert_int_equal(WEXITSTATUS(end_of(f->pid)), SIGUSR1);
}

/* As Ctrl-Z does. */
static void what_a_signal_stops_stays_so(void **state)
{
    fixture *f = *state;
    seize(f);
    kill(f->pid, SIGSTOP);
    wait_for_state(f->pid, 't');
    assert_int_equal(record_stopper_pass_on(&f->stopper), 0); /* the signal */
    assert_int_equal(record_stopper_stop(&f->stopper, RECORD_STOPPER_LONG_NS), 0);
    assert_int_equal(record_stopper_go_on(&f->stopper), 0);
    for (int times = 0; times < 20; times++) {
        assert_int_not_equal(state_of(f->pid), 'S');
        usleep(1000);
    }
    record_stopper_release(&f->stopper);
    kill(f->pid, SIGCONT);
    wait_for_state(f->pid, 'S');
}

static void what_has_ended_is_no_success(void **state)
{
    fixture *f = *state;
    seize(f);
    kill(f->pid, SIGKILL);
    assert_int_equal(record_stopper_stop(&f->stopper, RECORD_STOPPER_LONG_NS), -1);
    assert_int_equal(errno, ESRCH);
    assert_int_equal(WTERMSIG(end_of(f->pid)), SIGKILL);
}

#define of_process(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        of_process(it_stops_and_goes_on),
        of_process(a_signal_is_handed_on),
        of_process(a_signal_while_it_is_stopped_is_not_lost),
        of_process(what_a_signal_stops_stays_so),
        of_process(what_has_ended_is_no_success),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
