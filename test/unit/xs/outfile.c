/* The collector's output and its file: names, locks and the descriptor. */
#include "test/unit/prof_support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *with_pid(const char *path, const char *more)
{
    static char name[600];
    snprintf(name, sizeof name, "%s.%ld%s", path, (long)getpid(), more);
    return name;
}

/* ---- names and locks ---- */

static void an_existing_file_is_replaced(void **state)
{
    const char *path = scratch("old"), *link = scratch("link"), *other = scratch("other");
    struct stat s;
    (void)state;
    file_write(path, "old");
    assert_int_equal(chmod(path, 0), 0);
    assert_int_equal(linkat(AT_FDCWD, path, AT_FDCWD, other, 0), 0);
    mode_t mask = umask(027);
    close_output(begin_output(path, 6));
    umask(mask);
    assert_lines(path, 0, NYTP_END);
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0640);
    chmod(other, 0600);
    assert_file_holds(other, "old");
    assert_int_equal(symlink(other, link), 0);
    close_output(begin_output(link, 6));
    assert_file_holds(other, "old");
    assert_int_equal(lstat(link, &s), 0);
    assert_true(S_ISREG(s.st_mode));
}

static void open_where_no_directory_is(void)
{
    const char *why;
    assert_int_equal(mkdir(scratch("gone"), 0777), 0);
    assert_int_equal(chdir(scratch("gone")), 0);
    assert_int_equal(rmdir(scratch("gone")), 0);
    assert_null(prof_output_open("p.out", 6, &why));
    assert_string_equal(why, strerror(ENOENT));
}

static void a_missing_directory_is_reported(void **state)
{
    (void)state;
    in_child(open_where_no_directory_is);
}

/* No file is created in /dev, except in /dev/shm. */
static void devices_are_never_replaced(void **state)
{
    const char *why;
    char name[64];
    (void)state;
    assert_null(prof_output_open("/dev/nothing-there", 6, &why));
    assert_string_equal(why, strerror(ENOENT));
    assert_int_equal(access("/dev/nothing-there", F_OK), -1);
    snprintf(name, sizeof name, "/dev/shm/u-prof-outfile-%ld", (long)getpid());
    for (int times = 0; times < 2; times++) {
        close_output(begin_output(name, 6));
        assert_lines(name, 0, NYTP_END);
    }
    unlink(name);
}

static void a_file_being_written_is_not_replaced(void **state)
{
    const char *path = scratch("busy");
    (void)state;
    prof_output *first = begin_output(path, 6);
    file_write(with_pid(path, ""), "old");
    prof_output *second = begin_output(path, 6), *third = begin_output(path, 6);
    assert_string_equal(prof_output_path(second), with_pid(path, ""));
    assert_string_equal(prof_output_path(third), with_pid(path, ".2"));
    put_lines(first, 0, 10);
    put_lines(second, 0, 20);
    put_lines(third, 0, 30);
    close_output(first);
    close_output(second); /* no writing thread is left that may still have to give up its copy of first's descriptor */
    close_output(third);
    prof_output *fourth = begin_output(path, 6);
    assert_string_equal(prof_output_path(fourth), path);
    assert_lines(with_pid(path, ""), 20, NYTP_END);
    assert_lines(with_pid(path, ".2"), 30, NYTP_END);
    put_lines(fourth, 0, 40);
    close_output(fourth);
    assert_lines(path, 40, NYTP_END);
}

static char race_path[600];
static _Atomic unsigned *racers_at_the_end; /* shared with the racers */
enum { RACERS = 12 };

static void race(void)
{
    char report[700];
    for (uint32_t times = 0; times < 20; times++) {
        prof_output *output = begin_output(race_path, 6);
        put_lines(output, 0, 1000 + times);
        if (times == 19) {
            snprintf(report, sizeof report, "%s-of-%ld", race_path, (long)getpid());
            file_write(report, prof_output_path(output));
            atomic_fetch_add(racers_at_the_end, 1);
            while (atomic_load(racers_at_the_end) < RACERS) /* so that the others find its lock */
                usleep(1000);
        }
        close_output(output);
    }
}

/* Many processes open the same path at once. In the end each has the file that it names, complete, unless a
 * later process has replaced it. No file has the bytes of two processes. */
static void racing_processes_do_not_mix(void **state)
{
    pid_t pids[RACERS];
    char path[700], report[700];
    (void)state;
    snprintf(race_path, sizeof race_path, "%s", scratch("race"));
    racers_at_the_end =
        mmap(NULL, sizeof *racers_at_the_end, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(racers_at_the_end, MAP_FAILED);
    for (size_t i = 0; i < RACERS; i++)
        pids[i] = start_child(race);
    for (size_t i = 0; i < RACERS; i++)
        end_child(pids[i]);
    for (size_t i = 0; i < RACERS; i++) {
        snprintf(report, sizeof report, "%s-of-%ld", race_path, (long)pids[i]);
        FILE *f = fopen(report, "r");
        assert_non_null(f);
        assert_non_null(fgets(path, sizeof path, f));
        fclose(f);
        int end;
        uint32_t lines = read_lines(path, &end);
        assert_int_equal(end, NYTP_END);
        assert_in_range(lines, 1000, 1019);
    }
}

/* ---- the descriptor ---- */

/* Closes all descriptors that a program can close, as daemons do, and opens files on their numbers. */
static void close_and_open_all(const char *prefix, int count)
{
    char name[600];
    for (int fd = 3; fd < 1100; fd++)
        close(fd);
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s.%d", prefix, i);
        int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        assert_int_equal(fd, 3 + i);
        assert_int_equal(write(fd, "mine", 4), 4);
    }
}

static void assert_untouched(const char *prefix, int count)
{
    char name[600];
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s.%d", prefix, i);
        assert_file_holds(name, "mine");
        unlink(name);
    }
}

static void close_all_while_writing(void)
{
    enum { FILES = 1015 }; /* up to where the descriptor is, if the program shares it */
    const char *path = scratch("daemon"), *prefix = scratch("user");
    const char *message;
    struct rlimit files;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    files.rlim_cur = 1024; /* the hard limit cannot be lowered under valgrind */
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
    prof_output *output = begin_output(path, 6);
    put_lines(output, 0, 100000);
    prof_output_sync(output);
    close_and_open_all(prefix, FILES);
    put_lines(output, 100000, 300000);
    prof_output_sync(output);
    assert_false(prof_output_failed(output, &message));
    close_output(output);
    close_and_open_all("/dev/null", 0);
    assert_lines(path, 400000, NYTP_END);
    assert_untouched(prefix, FILES);
}

/* At any moment while the thread starts. */
__attribute__((unused)) static void close_all_at_once(void)
{
    const char *path = scratch("early"), *prefix = scratch("user");
    const char *message;
    for (useconds_t us = 0; us < 400; us += 5) {
        prof_output *output = begin_output(path, 6);
        usleep(us);
        close_and_open_all(prefix, 1);
        put_lines(output, 0, 1000);
        prof_output_sync(output);
        assert_false(prof_output_failed(output, &message));
        close_output(output);
        close_and_open_all("/dev/null", 0);
        assert_lines(path, 1000, NYTP_END);
        assert_untouched(prefix, 1);
    }
}

static void the_program_may_close_everything(void **state)
{
    (void)state;
#ifndef __SANITIZE_THREAD__ /* which rightly reports what the program does */
    in_child(close_all_at_once);
#endif
    in_child(close_all_while_writing);
}

static void close_all_without_a_thread(void)
{
    forbid_threads();
    close_all_while_writing();
}

static void close_all_with_a_shared_table(void)
{
    forbid_close_range();
    close_all_while_writing();
}

__attribute__((unused)) static void close_all_of_a_shared_table_at_once(void)
{
    forbid_close_range();
    close_all_at_once();
}

static void the_program_may_close_a_shared_descriptor(void **state)
{
    (void)state;
    need_filters();
#ifndef __SANITIZE_THREAD__
    in_child(close_all_of_a_shared_table_at_once);
#endif
    in_child(close_all_with_a_shared_table);
}

static void the_program_may_close_it_without_a_thread(void **state)
{
    (void)state;
    in_child(close_all_without_a_thread);
}

/* The program has no descriptor of the output, and a fork or exec inherits none. */
static void the_program_does_not_see_the_descriptor(void **state)
{
    size_t before = count_entries("/proc/self/fd");
    (void)state;
    prof_output *output = begin_output(scratch("hidden"), 6);
    prof_output_sync(output);
    assert_int_equal(count_entries("/proc/self/fd"), before);
    close_output(output);
}

static void look_at_a_shared_descriptor(void)
{
    forbid_close_range();
    prof_output *output = begin_output(scratch("high"), 6);
    int high = 1099;
    while (high > 2 && fcntl(high, F_GETFD) < 0)
        high--;
    assert_true(high >= 200);
    assert_int_equal(fcntl(high, F_GETFD), FD_CLOEXEC);
    close_output(output);
    assert_int_equal(fcntl(high, F_GETFD), -1);
}

static void a_shared_descriptor_has_a_high_number(void **state)
{
    (void)state;
    need_filters();
    in_child(look_at_a_shared_descriptor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_existing_file_is_replaced),
        cmocka_unit_test(a_missing_directory_is_reported),
        cmocka_unit_test(devices_are_never_replaced),
        cmocka_unit_test(a_file_being_written_is_not_replaced),
        cmocka_unit_test(racing_processes_do_not_mix),
        cmocka_unit_test(the_program_may_close_everything),
        cmocka_unit_test(the_program_may_close_a_shared_descriptor),
        cmocka_unit_test(the_program_may_close_it_without_a_thread),
        cmocka_unit_test(the_program_does_not_see_the_descriptor),
        cmocka_unit_test(a_shared_descriptor_has_a_high_number),
    };
    return cmocka_run_group_tests_name("prof-outfile", tests, scratch_make, scratch_remove);
}
