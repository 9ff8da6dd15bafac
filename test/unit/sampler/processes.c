/* Processes by pid and start time, and the descendants of one. */
#include "sampler/process/process.h"

#include "test/unit/support.h"

#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t start_child(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        pause();
        _exit(0);
    }
    return pid;
}

static void end_child(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static void a_process_is_its_pid_and_its_start(void **state)
{
    pid_t pid = start_child();
    sampler_process_id id = sampler_process_now(pid), other = {pid, id.start_ticks + 1};
    sampler_process p;
    (void)state;
    assert_int_equal(id.pid, pid);
    assert_int_equal(sampler_process_open(other), -1);
    assert_int_equal(errno, ESRCH);
    int fd = sampler_process_open(id);
    assert_true(fd >= 0);
    assert_true(sampler_process_exists(fd));
    assert_true(sampler_process_read_open(&p, fd));
    assert_int_equal(p.parent, getpid());
    end_child(pid);
    assert_false(sampler_process_exists(fd));
    assert_false(sampler_process_read_open(&p, fd));
    assert_true(sampler_process_now(pid).start_ticks != id.start_ticks);
    assert_int_equal(sampler_process_open(id), -1);
    close(fd);
}

static void note_pid(void *context, const sampler_process *p)
{
    g_string_append_printf(context, "%ld ", (long)p->id.pid);
}

static void descendants_are_those_of_one_process(void **state)
{
    pid_t pid = start_child();
    sampler_process_id self = sampler_process_now(getpid());
    int fd = sampler_process_open(self);
    (void)state;
    if (fd < 0) { /* as in qemu-user, which makes up /proc/self/stat */
        end_child(pid);
        skip_because("this process has two start times");
    }
    close(fd);
    GString *pids = g_string_new(NULL), *expected = g_string_new(NULL);
    sampler_process_descendants(self, note_pid, pids);
    g_string_printf(expected, "%ld ", (long)pid);
    assert_string_equal(pids->str, expected->str);
    g_string_truncate(pids, 0);
    self.start_ticks++; /* another process, which had this pid */
    sampler_process_descendants(self, note_pid, pids);
    assert_string_equal(pids->str, "");
    end_child(pid);
    g_string_free(pids, TRUE);
    g_string_free(expected, TRUE);
}

/* Also where the kernel has no lists of children, and what was no descendant is not read again. */
static void a_descent_finds_what_is_new(void **state)
{
    sampler_descent *descent = sampler_descent_new(sampler_process_now(getpid()));
    GString *pids = g_string_new(NULL), *expected = g_string_new(NULL);
    (void)state;
    sampler_descent_look(descent, note_pid, pids);
    assert_string_equal(pids->str, "");
    for (int n = 0; n < 2; n++) {
        pid_t pid = start_child();
        g_string_truncate(pids, 0);
        sampler_descent_look(descent, note_pid, pids);
        g_string_printf(expected, "%ld ", (long)pid);
        assert_string_equal(pids->str, expected->str);
        end_child(pid);
    }
    sampler_descent_free(descent);
    g_string_free(pids, TRUE);
    g_string_free(expected, TRUE);
}

static sampler_process process(pid_t pid, pid_t parent, uint64_t start_ticks)
{
    return (sampler_process){.id = {pid, start_ticks}, .parent = parent};
}

/* Lists that were read while pids went to other processes. */
static void circles_end(void **state)
{
    const sampler_process list[] = {
        process(10, 40, 1), /* root, below its own descendant */
        process(20, 10, 2), process(30, 20, 3),
        process(40, 30, 3), process(30, 10, 3), /* 30 is there twice */
        process(50, 10, 0),                     /* older than root */
        process(60, 60, 5),
    };
    GString *pids = g_string_new(NULL);
    (void)state;
    sampler_process_descendants_in(list, COUNT(list), (sampler_process_id){10, 1}, note_pid, pids);
    assert_string_equal(pids->str, "20 30 40 ");
    g_string_free(pids, TRUE);
}

/* A chain of 5,000 processes, each the child of the one before, is no matter of the stack. */
static void long_chains_are_followed(void **state)
{
    enum { LENGTH = 5000 };
    sampler_process *list = g_new(sampler_process, LENGTH);
    GString *pids = g_string_new(NULL);
    (void)state;
    for (int n = 0; n < LENGTH; n++)
        list[n] = process(n + 2, n + 1, 1);
    sampler_process_descendants_in(list, LENGTH, (sampler_process_id){1, 1}, note_pid, pids);
    assert_true(g_str_has_suffix(pids->str, " 5001 "));
    g_string_free(pids, TRUE);
    g_free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_is_its_pid_and_its_start),
        cmocka_unit_test(descendants_are_those_of_one_process),
        cmocka_unit_test(a_descent_finds_what_is_new),
        cmocka_unit_test(circles_end),
        cmocka_unit_test(long_chains_are_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
