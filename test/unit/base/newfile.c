/* Creating a profile's file: names, locks, and what must not be replaced. */
#include "base/newfile.h"
#include "test/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PID = 4711, NOBODY = 65534 };

/* Creates a file, and expects it to have that name and to be locked. */
static int create(const char *path, bool add_pid, const char *expected)
{
    char *name;
    int fd = nytp_newfile_create(path, PID, add_pid, &name);
    if (fd < 0)
        fail_msg("%s: %s", path, strerror(errno));
    assert_string_equal(name, expected);
    free(name);
    int other = open(expected, O_RDONLY);
    assert_true(other >= 0);
    assert_false(nytp_newfile_lock(other));
    close(other);
    assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
    return fd;
}

/* Expects that error, and the name in question. */
static void create_fails(const char *path, int error_number)
{
    char *name;
    assert_int_equal(nytp_newfile_create(path, PID, false, &name), -1);
    assert_int_equal(errno, error_number);
    assert_string_equal(name, path);
    free(name);
}

static void put(int fd, const char *text)
{
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    assert_int_equal(close(fd), 0);
}

static mode_t kind_of(const char *path)
{
    struct stat s;
    return lstat(path, &s) == 0 ? s.st_mode & S_IFMT : 0;
}

/* ---- replacing ---- */

static void an_old_file_is_unlinked(void **state)
{
    (void)state;
    file_write("p", "old");
    assert_int_equal(link("p", "kept"), 0);
    put(create("p", false, "p"), "new");
    assert_file_holds("p", "new");
    assert_file_holds("kept", "old");
}

static void a_link_is_replaced_and_not_followed(void **state)
{
    (void)state;
    file_write("target", "old");
    assert_int_equal(symlink("target", "to-file"), 0);
    assert_int_equal(symlink("/dev/null", "to-device"), 0);
    assert_int_equal(symlink("missing", "to-nothing"), 0);
    put(create("to-file", false, "to-file"), "new");
    put(create("to-device", false, "to-device"), "new");
    put(create("to-nothing", false, "to-nothing"), "new");
    assert_file_holds("target", "old");
    assert_file_holds("to-file", "new");
    assert_file_holds("to-device", "new");
    assert_int_equal(kind_of("missing"), 0);
}

static void what_cannot_be_created_has_a_reason(void **state)
{
    (void)state;
    create_fails("missing/p", ENOENT);
    assert_int_equal(mkdir("directory", 0777), 0);
    create_fails("directory", EISDIR);
}

/* Without descriptors the lock cannot be asked for, so the old file stays. */
static void an_old_file_outlives_failures(void **state)
{
    struct rlimit before, none;
    (void)state;
    file_write("p", "old");
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    create_fails("p", EMFILE);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_file_holds("p", "old");
}

/* ---- names and locks ---- */

static void a_file_being_written_keeps_its_name(void **state)
{
    (void)state;
    int first = create("p", false, "p"), second = create("p", false, "p.4711");
    file_write("p.4711.2", "old");
    put(create("p", false, "p.4711.2"), "third");
    put(create("p", true, "p.4711.2"), "fourth");
    put(second, "second");
    put(create("p", true, "p.4711"), "fifth");
    put(first, "first");
    assert_file_holds("p", "first");
    assert_file_holds("p.4711", "fifth");
    assert_file_holds("p.4711.2", "fourth");
    put(create("p", false, "p"), "sixth");
    assert_file_holds("p", "sixth");
}

static void create_in_vain(void)
{
    char *name;
    if (setegid(NOBODY) != 0 || seteuid(NOBODY) != 0)
        _exit(1);
    int fd = nytp_newfile_create("p", PID, false, &name);
    _exit(fd >= 0 && strcmp(name, "p.4711") == 0 ? 0 : 2);
}

/* Its lock cannot be asked for. */
static void an_unreadable_file_of_another_user_stays(void **state)
{
    int status;
    (void)state;
    if (geteuid() != 0)
        skip_because("needs root");
    int fd = create("p", false, "p");
    assert_int_equal(fchmod(fd, 0600), 0);
    assert_int_equal(chmod(".", 0777), 0);
    pid_t pid = fork();
    if (pid == 0)
        create_in_vain();
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    put(fd, "first");
    assert_file_holds("p", "first");
}

/* ---- devices ---- */

/* All of these lead to one file, which has other text already. */
static void links_to_open_files_are_written_through(void **state)
{
    char link[64], relative[64], *name;
    (void)state;
    int open_file = open("target", O_RDWR | O_CREAT, 0666);
    snprintf(link, sizeof link, "/dev/fd/%d", open_file);
    snprintf(relative, sizeof relative, "/proc/./self//fd/%d", open_file);
    const char *const paths[] = {link, relative, strrchr(link, '/') + 1};
    for (size_t i = 0; i < COUNT(paths); i++) {
        assert_int_equal(pwrite(open_file, "before", 6, 0), 6);
        int here = open(".", O_RDONLY | O_DIRECTORY);
        if (paths[i][0] != '/')
            assert_int_equal(chdir("/dev/fd"), 0);
        int fd = nytp_newfile_create(paths[i], PID, false, &name);
        assert_int_equal(fchdir(here), 0);
        close(here);
        assert_true(fd >= 0);
        assert_string_equal(name, paths[i]);
        free(name);
        put(fd, "new");
        assert_file_holds("target", "newore");
    }
    close(open_file);
}

static void nothing_is_created_among_devices(void **state)
{
    char name[64];
    (void)state;
    create_fails("/dev/nothing-there", ENOENT);
    create_fails("//dev/../dev/./nothing-there", ENOENT);
    assert_int_equal(access("/dev/nothing-there", F_OK), -1);
    snprintf(name, sizeof name, "/dev/shm/u-newfile-%ld", (long)getpid());
    put(create(name, false, name), "new");
    put(create(name, false, name), "newer");
    assert_file_holds(name, "newer");
    unlink(name);
    assert_true(nytp_newfile_is_device("/dev/stdout"));
    assert_false(nytp_newfile_is_device("/device"));
    assert_false(nytp_newfile_is_device("dev/p"));
}

static void a_device_elsewhere_stays(void **state)
{
    char *name;
    (void)state;
    if (mknod("null", S_IFCHR | 0666, makedev(1, 3)) != 0)
        skip_because("only root makes devices");
    int fd = nytp_newfile_create("null", PID, false, &name);
    free(name);
    assert_true(fd >= 0 || errno == EACCES); /* the file system may be mounted without devices */
    close(fd);
    assert_int_equal(kind_of("null"), S_IFCHR);
}

#define in_directory(test) cmocka_unit_test_setup_teardown(test, enter_empty_directory, leave_directory)

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_directory(an_old_file_is_unlinked),
        in_directory(a_link_is_replaced_and_not_followed),
        in_directory(what_cannot_be_created_has_a_reason),
        in_directory(an_old_file_outlives_failures),
        in_directory(a_file_being_written_keeps_its_name),
        in_directory(an_unreadable_file_of_another_user_stays),
        in_directory(links_to_open_files_are_written_through),
        in_directory(nothing_is_created_among_devices),
        in_directory(a_device_elsewhere_stays),
    };
    return cmocka_run_group_tests_name("newfile", tests, NULL, NULL);
}
