#include "test/unit/prof_support.h"

#include <dirent.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- files ---- */

static char directory[] = "/tmp/u-prof-XXXXXX";

int scratch_make(void **state)
{
    (void)state;
    return mkdtemp(directory) == NULL || chmod(directory, 0777) != 0;
}

int scratch_remove(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", directory);
    return system(command);
}

const char *scratch(const char *name)
{
    static char names[16][512];
    static unsigned next;
    char *path = names[next++ % COUNT(names)];
    snprintf(path, sizeof names[0], "%s/%s", directory, name);
    return path;
}

size_t count_entries(const char *name)
{
    size_t count = 0;
    DIR *entries = opendir(name);
    assert_non_null(entries);
    while (readdir(entries) != NULL)
        count++;
    closedir(entries);
    return count;
}

size_t file_size(const char *path)
{
    struct stat s;
    assert_int_equal(stat(path, &s), 0);
    return (size_t)s.st_size;
}

/* ---- events ---- */

static const nytp_chunk process_start = {.tag = NYTP_PID_START, .pid_start = {7, 1, 1.5}};
const nytp_chunk process_end = {.tag = NYTP_PID_END, .pid_end = {7, 2.5}};

/* Short and long times. */
static int32_t ticks_of_line(uint32_t line)
{
    return (int32_t)(line * 2654435761U >> line % 32);
}

prof_output *begin_output(const char *path, int level)
{
    static const nytp_chunk version = {.tag = NYTP_VERSION, .version = {5, 0}};
    const char *why = "";
    prof_output *output = prof_output_open(path, level, &why);
    if (output == NULL)
        fail_msg("%s: %s", path, why);
    prof_output_chunk(output, &version);
    prof_output_begin(output, true);
    prof_output_chunk(output, &process_start);
    return output;
}

void close_output(prof_output *output)
{
    prof_output_chunk(output, &process_end);
    prof_output_close(output);
}

void put_lines(prof_output *output, uint32_t first, uint32_t count)
{
    for (uint32_t line = first; line < first + count; line++) {
        unsigned char *at = prof_output_reserve(output);
        *at++ = NYTP_TIME_LINE;
        at = nytp_put_i32(at, ticks_of_line(line));
        at = nytp_put_u32(at, 1 + line % 3);
        prof_output_publish(output, nytp_put_u32(at, line));
    }
}

uint32_t read_lines(const char *path, int *end)
{
    nytp_chunk chunk;
    uint32_t count = 0;
    nytp_reader *reader = nytp_reader_new(nytp_source_file(path));
    nytp_reader_set_threads(reader, NYTP_THREADS_NEVER);
    while ((*end = nytp_reader_next(reader, &chunk)) == NYTP_OK) {
        if (chunk.tag != NYTP_TIME_LINE)
            continue;
        if (chunk.time.line != count || chunk.time.ticks != ticks_of_line(count))
            fail_msg("%s: line %u with %d ticks instead of line %u with %d", path, chunk.time.line,
                     chunk.time.ticks, count, ticks_of_line(count));
        count++;
    }
    if (*end < 0)
        fail_msg("%s", nytp_reader_error(reader)->message);
    nytp_reader_free(reader);
    return count;
}

void assert_lines(const char *path, uint32_t count, int end)
{
    int ended;
    assert_int_equal(read_lines(path, &ended), count);
    assert_int_equal(ended, end);
}

/* Generous: it says how long a defect takes to be found. */
enum { PATIENCE_TENTHS = 1200 };

void wait_for_at_least(const char *path, uint32_t count)
{
    int end;
    uint32_t got = 0;
    for (int tenths = 0; tenths < PATIENCE_TENTHS && got < count; tenths++) {
        usleep(100000);
        got = read_lines(path, &end);
    }
    assert_true(got >= count);
}

void wait_for_lines(const char *path, uint32_t count)
{
    int end;
    wait_for_at_least(path, count);
    assert_int_equal(read_lines(path, &end), count);
}

/* ---- processes ---- */

/* The thread sanitizer objects to a child that starts threads if its parent had some. */
__attribute__((visibility("default"))) const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
    return "die_after_fork=0";
}

/* The thread sanitizer takes the same descriptor in two threads for the same file, but a thread of the
 * collector has a descriptor table of its own. */
__attribute__((visibility("default"))) const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void)
{
    return "race_top:close\n";
}

pid_t start_child(void (*function)(void))
{
    fflush(stdout);
    fflush(stderr);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        setenv("CMOCKA_TEST_ABORT", "1", 1);
        function();
        _exit(0);
    }
    return pid;
}

void end_child(pid_t pid)
{
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (status != 0)
        fail_msg("the child ended with %#x", (unsigned)status);
}

void in_child(void (*function)(void))
{
    end_child(start_child(function));
}

void forbid_threads(void)
{
    const struct rlimit none = {0, 0};
    assert_int_equal(setrlimit(RLIMIT_NPROC, &none), 0);
    if (geteuid() == 0) /* the limit does not apply to root */
        assert_int_equal(setuid(65534), 0);
}

void need_filters(void)
{
    const bool known = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) == 0 || errno != EINVAL;
    if (!known)
        skip_because("system calls cannot be filtered (seccomp)");
}

void forbid_close_range(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {COUNT(code), code};
    assert_int_equal(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    assert_int_equal(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}
