/* Output that appears complete or not at all, and leaves no temporary file. */
#include "test/unit/support.h"
#include "cli/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Each test must leave only the files that it names. */
static size_t files_here(void)
{
    size_t count = 0;
    DIR *here = opendir(".");
    assert_non_null(here);
    for (const struct dirent *e; (e = readdir(here)) != NULL;)
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(here);
    return count;
}

static void put(const char *path, const char *text, mode_t mode)
{
    file_write(path, text);
    assert_int_equal(chmod(path, mode), 0);
}

static void assert_holds(const char *path, const char *text, mode_t mode)
{
    struct stat st;
    assert_file_holds(path, text);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, mode);
}

/* Returns what run prints to stderr. The caller frees it. */
static char *stderr_of(void (*run)(void))
{
    char *text = calloc(1, 1024);
    FILE *kept = tmpfile();
    int old = dup(STDERR_FILENO);
    assert_true(text != NULL && kept != NULL && old >= 0);
    dup2(fileno(kept), STDERR_FILENO);
    run();
    dup2(old, STDERR_FILENO);
    close(old);
    rewind(kept);
    text[fread(text, 1, 1023, kept)] = '\0';
    fclose(kept);
    return text;
}

static void assert_complains(void (*run)(void), const char *expected)
{
    char *complaint = stderr_of(run);
    assert_string_equal(complaint, expected);
    free(complaint);
}

/* ---- whole ---- */

static void a_new_file_appears_on_commit(void **state)
{
    (void)state;
    umask(027);
    nytp_output *output = nytp_output_open("new");
    assert_non_null(output);
    fputs("result\n", nytp_output_stream(output));
    fflush(nytp_output_stream(output));
    assert_int_equal(access("new", F_OK), -1);
    assert_int_equal(files_here(), 1); /* the hidden one */
    assert_int_equal(nytp_output_commit(output), 0);
    assert_holds("new", "result\n", 0640);
    assert_int_equal(files_here(), 1);
}

static void an_old_file_is_replaced_and_keeps_its_mode(void **state)
{
    (void)state;
    put("old", "before\n", 0604);
    int reader = open("old", O_RDONLY);
    nytp_output *output = nytp_output_open("./old");
    assert_non_null(output);
    fputs("after\n", nytp_output_stream(output));
    assert_holds("old", "before\n", 0604);
    assert_int_equal(nytp_output_commit(output), 0);
    assert_holds("old", "after\n", 0604);
    char byte;
    assert_int_equal(read(reader, &byte, 1), 1); /* a program that reads the old file goes on reading it */
    assert_int_equal(byte, 'b');
    close(reader);
    assert_int_equal(files_here(), 1);
}

static void a_link_stays_a_link(void **state)
{
    struct stat st;
    (void)state;
    assert_int_equal(mkdir("sub", 0755), 0);
    put("sub/target", "before\n", 0600);
    assert_int_equal(symlink("sub/target", "link"), 0);
    nytp_output *output = nytp_output_open("link");
    assert_non_null(output);
    fputs("after\n", nytp_output_stream(output));
    assert_int_equal(nytp_output_commit(output), 0);
    assert_int_equal(lstat("link", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_holds("sub/target", "after\n", 0600);
    assert_int_equal(files_here(), 2);
}

static void a_dangling_link_makes_the_file_that_it_names(void **state)
{
    struct stat st;
    (void)state;
    assert_int_equal(mkdir("sub", 0755), 0);
    assert_int_equal(symlink("second", "sub/first"), 0);
    assert_int_equal(symlink("sub/first", "link"), 0);
    nytp_output *output = nytp_output_open("link");
    assert_non_null(output);
    fputs("after\n", nytp_output_stream(output));
    assert_int_equal(files_here(), 2); /* link and sub, which has the temporary file */
    assert_int_equal(nytp_output_commit(output), 0);
    assert_int_equal(lstat("link", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(lstat("sub/first", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_holds("sub/second", "after\n", 0644);
}

static void a_device_is_written_in_place(void **state)
{
    struct stat st;
    (void)state;
    nytp_output *output = nytp_output_open("/dev/null");
    assert_non_null(output);
    fputs("nothing\n", nytp_output_stream(output));
    assert_int_equal(nytp_output_commit(output), 0);
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
}

static void a_pipe_is_written_in_place(void **state)
{
    int ends[2];
    char path[64], got[8] = "";
    (void)state;
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    nytp_output *output = nytp_output_open(path);
    assert_non_null(output);
    fputs("result\n", nytp_output_stream(output));
    assert_int_equal(nytp_output_commit(output), 0);
    assert_int_equal(read(ends[0], got, sizeof got - 1), 7);
    assert_string_equal(got, "result\n");
    close(ends[0]);
    close(ends[1]);
}

/* As a shell and its commands share one. */
static void an_open_file_goes_on_where_it_is(void **state)
{
    char path[64];
    (void)state;
    int fd = open("log", O_WRONLY | O_CREAT | O_EXCL, 0644);
    assert_int_equal(write(fd, "before\n", 7), 7);
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    assert_int_equal(symlink(path, "link"), 0);
    const char *const names[] = {path, "link"};
    for (size_t i = 0; i < COUNT(names); i++) {
        nytp_output *output = nytp_output_open(names[i]);
        assert_non_null(output);
        fputs("result\n", nytp_output_stream(output));
        assert_int_equal(nytp_output_commit(output), 0);
    }
    assert_int_equal(write(fd, "after\n", 6), 6);
    close(fd);
    assert_file_holds("log", "before\nresult\nresult\nafter\n");
}

static void standard_output_stays_open(void **state)
{
    (void)state;
    const char *const names[] = {NULL, "-"};
    for (size_t i = 0; i < COUNT(names); i++) {
        nytp_output *output = nytp_output_open(names[i]);
        assert_non_null(output);
        assert_ptr_equal(nytp_output_stream(output), stdout);
        assert_int_equal(nytp_output_commit(output), 0);
    }
    assert_true(fcntl(STDOUT_FILENO, F_GETFD) >= 0);
}

/* ---- or not at all ---- */

static void a_discarded_output_leaves_nothing(void **state)
{
    (void)state;
    put("old", "before\n", 0644);
    const char *const names[] = {"old", "new"};
    for (size_t i = 0; i < COUNT(names); i++) {
        nytp_output *output = nytp_output_open(names[i]);
        assert_non_null(output);
        fputs("half a", nytp_output_stream(output));
        nytp_output_discard(output);
    }
    assert_holds("old", "before\n", 0644);
    assert_int_equal(files_here(), 1);
}

static void open_impossible(void)
{
    assert_null(nytp_output_open("no/such/directory/out"));
    assert_null(nytp_output_open("."));
    assert_null(nytp_output_open("/proc/nytprof-cannot-be-here"));
}

static void an_output_that_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    char *complaint = stderr_of(open_impossible);
    assert_contains(
        complaint,
        "nytprof: no/such/directory/out: cannot create a temporary file in no/such/directory: No such file");
    assert_contains(complaint, "nytprof: .: cannot write: Is a directory\n");
    assert_contains(complaint,
                    "nytprof: /proc/nytprof-cannot-be-here: cannot create a temporary file in /proc: ");
    free(complaint);
    assert_int_equal(files_here(), 0);
}

static void open_loop(void)
{
    assert_null(nytp_output_open("loop"));
}

static void a_link_to_itself_stays_as_it_is(void **state)
{
    struct stat st;
    (void)state;
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_complains(open_loop, "nytprof: loop: cannot write: Too many levels of symbolic links\n");
    assert_int_equal(lstat("loop", &st), 0);
}

/* ---- what others have planted ---- */

enum { NOBODY = 65534 };

static void open_theirs(void)
{
    assert_null(nytp_output_open("theirs"));
    assert_null(nytp_output_open("fifo"));
    assert_null(nytp_output_open("ours-to-theirs"));
}

static void links_and_fifos_of_others_are_refused(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip_because("needs root");
    put("precious", "before\n", 0644);
    assert_int_equal(symlink("precious", "theirs") | symlink("theirs", "ours-to-theirs"), 0);
    assert_int_equal(mkfifo("fifo", 0666), 0);
    assert_int_equal(lchown("theirs", NOBODY, NOBODY) | lchown("fifo", NOBODY, NOBODY), 0);
    assert_complains(
        open_theirs,
        "nytprof: theirs: cannot write: it is a symbolic link of another user\n"
        "nytprof: fifo: cannot write: it is a FIFO of another user (use -o - with a redirection)\n"
        "nytprof: ours-to-theirs: cannot write: it is a symbolic link of another user\n");
    assert_holds("precious", "before\n", 0644);
}

/* Root may write everything anyway. */
static void links_of_root_are_followed(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip_because("needs root");
    assert_int_equal(chmod(".", 0777), 0);
    assert_int_equal(symlink("target", "link"), 0);
    assert_int_equal(seteuid(NOBODY), 0);
    nytp_output *output = nytp_output_open("link");
    int rc = output != NULL ? nytp_output_commit(output) : -1;
    assert_int_equal(seteuid(0), 0);
    assert_int_equal(rc, 0);
    assert_file_holds("target", "");
}

static void open_protected(void)
{
    const uid_t before_uid = geteuid();
    if (before_uid == 0) /* root may write everything */
        assert_int_equal(seteuid(NOBODY), 0);
    assert_null(nytp_output_open("old"));
    assert_int_equal(seteuid(before_uid), 0);
}

static void a_protected_file_is_not_replaced(void **state)
{
    (void)state;
    put("old", "before\n", 0444);
    assert_int_equal(chmod(".", 0777), 0);
    assert_complains(open_protected, "nytprof: old: cannot write: Permission denied\n");
    assert_holds("old", "before\n", 0444);
}

/* A limit of the process stands for a full disk. */
static void fill_disk(void)
{
    const struct rlimit small = {1000, RLIM_INFINITY};
    struct rlimit old;
    getrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    nytp_output *output = nytp_output_open("old");
    for (int i = 0; i < 100000; i++)
        fputs("more ", nytp_output_stream(output));
    assert_int_equal(nytp_output_commit(output), -1);
    setrlimit(RLIMIT_FSIZE, &old);
}

/* Here only the last write, by fclose(), fails. */
static void fill_disk_at_the_end(void)
{
    nytp_output *output = nytp_output_open("/dev/full");
    fputs("more ", nytp_output_stream(output));
    assert_int_equal(nytp_output_commit(output), -1);
}

static void a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    put("old", "before\n", 0644);
    assert_complains(fill_disk, "nytprof: old: cannot write: File too large\n");
    assert_holds("old", "before\n", 0644);
    assert_int_equal(files_here(), 1);
    assert_complains(fill_disk_at_the_end, "nytprof: /dev/full: cannot write: No space left on device\n");
}

static void remove_directory_before_commit(void)
{
    assert_int_equal(mkdir("gone", 0755), 0);
    nytp_output *output = nytp_output_open("gone/out");
    fputs("result\n", nytp_output_stream(output));
    assert_int_equal(system("rm -r gone"), 0);
    assert_int_equal(nytp_output_commit(output), -1);
}

static void a_directory_that_disappears_is_an_error(void **state)
{
    (void)state;
    assert_complains(remove_directory_before_commit,
                     "nytprof: gone/out: cannot write: No such file or directory\n");
}

/* ---- signals ---- */

/* Opens, is hit by the signal, and would go on. Returns how the process ended. */
static int end_by(int signal_number, bool ignored, bool commit)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); /* a core file would be one more file here */
        signal(signal_number, ignored ? SIG_IGN : SIG_DFL);
        nytp_output *output = nytp_output_open("out");
        fputs("half a", nytp_output_stream(output));
        fflush(nytp_output_stream(output));
        if (commit)
            nytp_output_commit(output);
        raise(signal_number);
        if (!commit)
            nytp_output_commit(output);
        _exit(17);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void a_signal_removes_the_temporary_file(void **state)
{
    static const int signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE,
                                  SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2};
    (void)state;
    for (size_t i = 0; i < COUNT(signals); i++) {
        int status = end_by(signals[i], false, false);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), signals[i]);
        assert_int_equal(files_here(), 0);
    }
}

static void an_ignored_signal_stays_ignored(void **state)
{
    (void)state;
    assert_int_equal(WEXITSTATUS(end_by(SIGHUP, true, false)), 17);
    assert_holds("out", "half a", 0644);
}

static void a_committed_file_outlives_signals(void **state)
{
    (void)state;
    assert_int_equal(WTERMSIG(end_by(SIGINT, false, true)), SIGINT);
    assert_holds("out", "half a", 0644);
    assert_int_equal(files_here(), 1);
}

#define in_directory(test) cmocka_unit_test_setup_teardown(test, enter_empty_directory, leave_directory)

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_directory(a_new_file_appears_on_commit),
        in_directory(an_old_file_is_replaced_and_keeps_its_mode),
        in_directory(a_link_stays_a_link),
        in_directory(a_dangling_link_makes_the_file_that_it_names),
        in_directory(a_device_is_written_in_place),
        in_directory(a_pipe_is_written_in_place),
        in_directory(an_open_file_goes_on_where_it_is),
        in_directory(standard_output_stays_open),
        in_directory(a_discarded_output_leaves_nothing),
        in_directory(an_output_that_cannot_be_written_is_an_error),
        in_directory(a_link_to_itself_stays_as_it_is),
        in_directory(links_and_fifos_of_others_are_refused),
        in_directory(links_of_root_are_followed),
        in_directory(a_protected_file_is_not_replaced),
        in_directory(a_full_disk_leaves_the_old_file),
        in_directory(a_directory_that_disappears_is_an_error),
        in_directory(a_signal_removes_the_temporary_file),
        in_directory(an_ignored_signal_stays_ignored),
        in_directory(a_committed_file_outlives_signals),
    };
    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
