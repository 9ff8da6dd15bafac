/* A source that follows a file delivers all that is written to it, and ends when its writer does. */
#include "test/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char dir[] = "/tmp/nytp-u-follow-XXXXXX";
static char path[64];

static int make_dir(void **state)
{
    (void)state;
    if (mkdtemp(dir) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/p.out", dir);
    return 0;
}

static int remove_dir(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(dir);
}

/* ---- a writer, as the collector is one: it holds the lock while it has the file open ---- */

static int open_locked(void)
{
    unlink(path);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
    return fd;
}

static int write_fd(void *context, const void *data, size_t size)
{
    return write(*(int *)context, data, size) == (ssize_t)size ? 0 : -EIO;
}

static nytp_writer *writer_of(int *fd, bool compressed)
{
    const nytp_chunk version = {.tag = NYTP_VERSION, .version = {5, 0}},
                     deflate = {.tag = NYTP_START_DEFLATE},
                     start = {.tag = NYTP_PID_START, .pid_start = {7, 1, 0}};
    nytp_writer *writer = nytp_writer_new(nytp_sink_callback(write_fd, fd, "p.out"), 6);
    assert_int_equal(nytp_writer_chunk(writer, &version), 0);
    if (compressed)
        assert_int_equal(nytp_writer_chunk(writer, &deflate), 0);
    assert_int_equal(nytp_writer_chunk(writer, &start), 0);
    assert_int_equal(nytp_writer_flush(writer), 0);
    return writer;
}

static void put_line(nytp_writer *writer, uint32_t line)
{
    const nytp_chunk chunk = {.tag = NYTP_TIME_LINE, .time = {.ticks = 1, .fid = 1, .line = line}};
    assert_int_equal(nytp_writer_chunk(writer, &chunk), 0);
    assert_int_equal(nytp_writer_flush(writer), 0);
}

static void put_end(nytp_writer *writer)
{
    const nytp_chunk end = {.tag = NYTP_PID_END, .pid_end = {7, 1}};
    assert_int_equal(nytp_writer_chunk(writer, &end), 0);
    assert_int_equal(nytp_writer_finish(writer), 0);
}

/* ---- on one thread: whenever the source waits, the next line is written ---- */

typedef struct script {
    nytp_writer *writer;
    int fd;
    uint32_t written, lines, read;
    bool ends; /* the profile is completed in the end; otherwise the writer dies */
    unsigned waits, most_waits;
} script;

static bool write_next(void *context)
{
    script *s = context;
    assert_int_equal(s->read, s->written); /* what was flushed has been delivered before it waits */
    if (s->most_waits > 0 && ++s->waits == s->most_waits)
        return false;
    if (s->written < s->lines) {
        put_line(s->writer, ++s->written);
    } else if (s->fd >= 0) {
        if (s->ends)
            put_end(s->writer);
        close(s->fd);
        s->fd = -1;
    }
    return true;
}

static int follow(script *s, bool compressed)
{
    nytp_chunk chunk;
    int rc;
    s->fd = open_locked();
    s->writer = writer_of(&s->fd, compressed);
    nytp_reader *reader = nytp_reader_new(nytp_source_follow(path, write_next, s));
    nytp_reader_set_threads(reader, NYTP_THREADS_NEVER);
    while ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
        if (chunk.tag == NYTP_TIME_LINE)
            assert_int_equal(chunk.time.line, ++s->read);
    nytp_reader_free(reader);
    nytp_writer_free(s->writer);
    if (s->fd >= 0)
        close(s->fd);
    return rc;
}

static void chunks_come_as_they_are_written(void **state)
{
    script s = {.lines = 5, .ends = true};
    (void)state;
    assert_int_equal(follow(&s, false), NYTP_END);
    assert_int_equal(s.read, 5);
    s = (script){.lines = 5, .ends = true};
    assert_int_equal(follow(&s, true), NYTP_END);
    assert_int_equal(s.read, 5);
}

static void the_profile_of_a_writer_that_died_is_cut(void **state)
{
    (void)state;
    for (int compressed = 0; compressed < 2; compressed++) {
        script s = {.lines = 3};
        assert_int_equal(follow(&s, compressed), NYTP_CUT);
        assert_int_equal(s.read, 3);
    }
}

static void the_callback_can_end_the_waiting(void **state)
{
    (void)state;
    for (int compressed = 0; compressed < 2; compressed++) {
        script s = {.lines = 100, .most_waits = 3};
        assert_int_equal(follow(&s, compressed), NYTP_CUT);
        assert_int_equal(s.read, 2);
    }
}

static bool shorten(void *context)
{
    assert_int_equal(ftruncate(*(int *)context, 5), 0);
    return true;
}

static void a_file_that_becomes_shorter_is_an_error(void **state)
{
    char message[128];
    nytp_chunk chunk;
    int rc, fd = open_locked();
    (void)state;
    nytp_writer *writer = writer_of(&fd, false);
    nytp_reader *reader = nytp_reader_new(nytp_source_follow(path, shorten, &fd));
    while ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK) {
    }
    assert_int_equal(rc, NYTP_ERR_IO);
    snprintf(message, sizeof message, "%s: became shorter while it was read", path);
    assert_string_equal(nytp_reader_error(reader)->message, message);
    nytp_reader_free(reader);
    nytp_writer_free(writer);
    close(fd);
}

/* ---- with threads and processes ---- */

/* Starts a process that writes lines with pauses and then ends the profile. The file exists on return. */
static pid_t start_writer(uint32_t lines, bool compressed)
{
    int fd = open_locked();
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        nytp_writer *writer = writer_of(&fd, compressed);
        for (uint32_t line = 1; line <= lines; line++) {
            nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
            put_line(writer, line);
        }
        put_end(writer);
        _exit(0);
    }
    close(fd);
    return pid;
}

static void it_follows_another_process_to_its_end(void **state)
{
    (void)state;
    for (int round = 0; round < 4; round++) {
        nytp_chunk chunk;
        uint32_t lines = 0;
        int rc;
        pid_t pid = start_writer(10, round % 2 == 0);
        nytp_reader *reader = nytp_reader_new(nytp_source_follow(path, NULL, NULL));
        nytp_reader_set_threads(reader, round < 2 ? NYTP_THREADS_NEVER : NYTP_THREADS_ALWAYS);
        while ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
            lines += chunk.tag == NYTP_TIME_LINE;
        assert_int_equal(rc, NYTP_END);
        assert_int_equal(lines, 10);
        nytp_reader_free(reader);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
    }
}

static void a_reader_can_be_freed_while_its_thread_waits(void **state)
{
    nytp_chunk chunk;
    (void)state;
    int fd = open_locked();
    nytp_writer *writer = writer_of(&fd, true);
    nytp_reader *reader = nytp_reader_new(nytp_source_follow(path, NULL, NULL));
    nytp_reader_set_threads(reader, NYTP_THREADS_ALWAYS);
    do
        assert_int_equal(nytp_reader_next(reader, &chunk), NYTP_OK);
    while (chunk.tag != NYTP_PID_START);
    alarm(60); /* rather than hang */
    nytp_reader_free(reader);
    alarm(0);
    nytp_writer_free(writer);
    close(fd);
}

/* ---- files that nobody writes ---- */

static bool never(void *context)
{
    (void)context;
    fail_msg("it waits");
    return true;
}

static void assert_read_at_once(const char *what)
{
    reading r = read_to_end(nytp_reader_new(nytp_source_follow(what, never, NULL)));
    assert_int_equal(r.end, NYTP_END);
    assert_int_equal(r.chunks, sample_count(false));
    reading_free(&r);
}

static void a_file_without_a_writer_is_read_as_it_is(void **state)
{
    memory sample = sample_stream(false);
    int ends[2], was = dup(STDIN_FILENO);
    (void)state;
    int fd = open_locked();
    assert_int_equal(write(fd, sample.data, sample.size), sample.size);
    close(fd);
    assert_read_at_once(path);
    fd = open(path, O_RDONLY);
    assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
    assert_read_at_once("-");
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], sample.data, sample.size), sample.size);
    close(ends[1]);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    assert_read_at_once("-");
    dup2(was, STDIN_FILENO);
    close(was);
    close(ends[0]);
    close(fd);
    memory_free(&sample);
}

static void the_file_is_not_left_locked(void **state)
{
    (void)state;
    a_file_without_a_writer_is_read_as_it_is(state);
    int fd = open(path, O_RDONLY);
    nytp_reader *reader = nytp_reader_new(nytp_source_follow(path, NULL, NULL));
    nytp_chunk chunk;
    while (nytp_reader_next(reader, &chunk) == NYTP_OK) {
    }
    assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
    nytp_reader_free(reader);
    close(fd);
}

static void a_file_that_cannot_be_opened_is_an_error(void **state)
{
    nytp_chunk chunk;
    char message[128];
    (void)state;
    unlink(path);
    nytp_reader *reader = nytp_reader_new(nytp_source_follow(path, never, NULL));
    assert_int_equal(nytp_reader_next(reader, &chunk), NYTP_ERR_IO);
    snprintf(message, sizeof message, "%s: cannot open: %s", path, strerror(ENOENT));
    assert_string_equal(nytp_reader_error(reader)->message, message);
    nytp_reader_free(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_come_as_they_are_written),
        cmocka_unit_test(the_profile_of_a_writer_that_died_is_cut),
        cmocka_unit_test(the_callback_can_end_the_waiting),
        cmocka_unit_test(a_file_that_becomes_shorter_is_an_error),
        cmocka_unit_test(it_follows_another_process_to_its_end),
        cmocka_unit_test(a_reader_can_be_freed_while_its_thread_waits),
        cmocka_unit_test(a_file_without_a_writer_is_read_as_it_is),
        cmocka_unit_test(the_file_is_not_left_locked),
        cmocka_unit_test(a_file_that_cannot_be_opened_is_an_error),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
