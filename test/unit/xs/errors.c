/* The collector's output if writing fails, or if no thread can be started. */
#include "test/unit/prof_support.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void assert_fails(prof_output *output, int error_number)
{
    const char *message = NULL;
    char expected[1024];
    prof_output_finish(output);
    assert_true(prof_output_failed(output, &message));
    snprintf(expected, sizeof expected, "%s: cannot write: %s", prof_output_path(output),
             strerror(error_number));
    assert_string_equal(message, expected);
    assert_true(prof_output_failed(output, &message));
    assert_null(message);
    put_lines(output, 0, 200000); /* the program goes on */
    prof_output_close(output);
}

static void lose_the_file(bool replace)
{
    const char *path = scratch("lost");
    forbid_close_range();
    prof_output *output = begin_output(path, 6);
    put_lines(output, 0, 1000);
    prof_output_sync(output);
    unlink(path);
    if (replace)
        close_output(begin_output(path, 6));
    for (int fd = 3; fd < 1100; fd++)
        close(fd);
    put_lines(output, 1000, 100000);
    assert_fails(output, replace ? ESTALE : ENOENT);
    if (replace)
        assert_lines(path, 0, NYTP_END);
}

static void unlink_it(void)
{
    lose_the_file(false);
}

static void replace_it(void)
{
    lose_the_file(true);
}

static void a_lost_file_is_reported(void **state)
{
    (void)state;
    need_filters();
    in_child(unlink_it);
    in_child(replace_it);
}

static void fill_devices(void)
{
    int ends[2];
    char path[64];
    prof_output *output = begin_output("/dev/full", 6);
    put_lines(output, 0, 2000000);
    assert_fails(output, ENOSPC);
    output = begin_output("/dev/null", 6);
    put_lines(output, 0, 2000000);
    close_output(output);
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    output = begin_output(path, 6);
    prof_output_sync(output);
    close(ends[0]);
    put_lines(output, 0, 2000000);
    assert_fails(output, EPIPE); /* and no SIGPIPE */
    close(ends[1]);
}

static void fill_files(void)
{
    const char *path = scratch("limited");
    const struct rlimit limit = {100000, 100000};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    prof_output *output = begin_output(path, 6);
    put_lines(output, 0, 2000000);
    assert_fails(output, EFBIG); /* and no SIGXFSZ */
    assert_int_equal(file_size(path), 100000);
    int end;
    assert_true(read_lines(path, &end) > 10000);
    assert_int_equal(end, NYTP_CUT);
}

/* Each way to fail has its own signal. */
static void fill_in_line(void)
{
    sigset_t pending;
    forbid_threads();
    fill_devices();
    fill_files();
    sigpending(&pending);
    assert_false(sigismember(&pending, SIGPIPE));
    assert_false(sigismember(&pending, SIGXFSZ));
}

static void a_full_disk_is_reported_once(void **state)
{
    (void)state;
    in_child(fill_devices);
    in_child(fill_files);
    in_child(fill_in_line);
}

static void write_in_line(void)
{
    const size_t threads = count_entries("/proc/self/task");
    forbid_threads();
    for (int level = 0; level < 10; level++) {
        prof_output *output = begin_output(scratch("in-line"), level);
        put_lines(output, 0, 100000);
        prof_output_sync(output);
        int end;
        assert_int_equal(read_lines(scratch("in-line"), &end), 100000);
        put_lines(output, 100000, 100000);
        assert_int_equal(count_entries("/proc/self/task"), threads);
        close_output(output);
        assert_lines(scratch("in-line"), 200000, NYTP_END);
    }
}

static void an_output_without_a_thread_works(void **state)
{
    (void)state;
    in_child(write_in_line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lost_file_is_reported),
        cmocka_unit_test(a_full_disk_is_reported_once),
        cmocka_unit_test(an_output_without_a_thread_works),
    };
    return cmocka_run_group_tests_name("prof-errors", tests, scratch_make, scratch_remove);
}
