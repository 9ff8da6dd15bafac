/* The collector's output: what was published is in the file, complete and in time. */
#include "test/unit/chunk_text.h"
#include "test/unit/prof_support.h"
#include "test/unit/random_chunks.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int levels[] = {0, 1, 6, 9};

/* ---- whole files ---- */

/* Removes the comments of blanks that come before lines of text (format/writer.h). Returns the length. */
static size_t without_gaps(char *text, size_t length)
{
    static const char comment[] = "COMMENT\t'";
    char *to = text;
    for (char *line = text, *next; line < text + length; line = next) {
        next = (char *)memchr(line, '\n', (size_t)(text + length - line)) + 1;
        const size_t size = (size_t)(next - line);
        const char *said = line + strlen(comment);
        if (strncmp(line, comment, strlen(comment)) == 0 && said + strspn(said, "%20") == next - 1)
            continue;
        memmove(to, line, size);
        to += size;
    }
    return (size_t)(to - text);
}

static void random_stream(const char *path, int level, uint64_t seed)
{
    const nytp_chunk version = {.tag = NYTP_VERSION, .version = {5, 0}};
    size_t length = 0;
    char *text = NULL;
    const char *why;
    prof_output *output = prof_output_open(path, level, &why);
    FILE *expected = open_memstream(&text, &length);
    assert_non_null(output);
    random_chunks_seed = seed;
    random_chunks_begin();
    prof_output_chunk(output, &version);
    chunk_print(expected, &version);
    for (int i = 0; i < 600; i++) {
        if (i == 20) {
            prof_output_begin(output, true);
            if (level > 0)
                chunk_print(expected, &(nytp_chunk){.tag = NYTP_START_DEFLATE});
        }
        nytp_chunk chunk = random_chunk();
        prof_output_chunk(output, &chunk);
        chunk_print(expected, &chunk);
    }
    prof_output_close(output);
    fclose(expected);
    reading r = read_to_end(nytp_reader_new(nytp_source_file(path)));
    r.length = without_gaps(r.text, r.length);
    length = without_gaps(text, length);
    if (r.length != length || memcmp(r.text, text, length) != 0)
        fail_msg("level %d, seed %llu: other chunks came out", level, (unsigned long long)seed);
    reading_free(&r);
    free(text);
}

static void random_chunks_are_read_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(levels); i++)
        for (uint64_t seed = 1; seed <= 10; seed++)
            random_stream(scratch("random"), levels[i], 100 * i + seed);
}

/* Events as fast as possible, with long chunks between them: some longer than a block, some just short
 * enough. */
static void no_event_is_lost(void **state)
{
    static char text[5 << 20];
    static const size_t lengths[] = {0, 200, 70000, (256 << 10) - 300, 256 << 10, sizeof text};
    (void)state;
    memset(text, 'x', sizeof text);
    for (size_t i = 0; i < COUNT(levels); i++) {
        const char *path = scratch("stress");
        const uint32_t piece = levels[i] == 9 ? 20000 : 200000;
        prof_output *output = begin_output(path, levels[i]);
        for (uint32_t n = 0; n < 2 * COUNT(lengths); n++) {
            nytp_str s = {text, lengths[n % COUNT(lengths)], false};
            put_lines(output, n * piece, piece);
            prof_output_chunk(output, &(nytp_chunk){.tag = NYTP_SRC_LINE, .src_line = {1, n, s}});
        }
        close_output(output);
        assert_lines(path, 2 * COUNT(lengths) * piece, NYTP_END);
    }
}

static void a_file_without_events_is_complete(void **state)
{
    const char *why, *path = scratch("empty");
    (void)state;
    for (size_t i = 0; i < COUNT(levels); i++) {
        close_output(begin_output(path, levels[i]));
        assert_lines(path, 0, NYTP_END);
    }
    prof_output *output = prof_output_open(path, 6, &why); /* closed before it began */
    assert_non_null(output);
    prof_output_close(output);
    assert_int_equal(file_size(path), 0);
}

static void an_impossible_chunk_is_left_out(void **state)
{
    const char *path = scratch("refused"), *why;
    const nytp_chunk version = {.tag = NYTP_VERSION, .version = {5, 0}};
    const nytp_chunk bad = {.tag = NYTP_ATTRIBUTE, .attribute = {STR("application"), STR("a\nb")}};
    const nytp_chunk good = {.tag = NYTP_ATTRIBUTE, .attribute = {STR("application"), STR("a")}};
    (void)state;
    prof_output *output = prof_output_open(path, 6, &why);
    prof_output_chunk(output, &version);
    prof_output_chunk(output, &bad);
    prof_output_chunk(output, &good);
    prof_output_begin(output, true);
    prof_output_chunk(output, &(nytp_chunk){.tag = NYTP_PID_START, .pid_start = {7, 1, 1.5}});
    put_lines(output, 0, 10);
    prof_output_chunk(output, &bad);
    prof_output_chunk(output, &good);
    put_lines(output, 10, 10);
    assert_false(prof_output_failed(output, &why));
    close_output(output);
    assert_lines(path, 20, NYTP_END);
    reading r = read_to_end(nytp_reader_new(nytp_source_file(path)));
    assert_int_equal(r.chunks, 3 + 1 + 20 + 1 + 1);
    reading_free(&r);
}

/* ---- in time ---- */

static void published_events_can_be_read_soon(void **state)
{
    (void)state;
    for (int level = 0; level <= 6; level += 6) {
        const char *path = scratch("soon");
        prof_output *output = begin_output(path, level);
        put_lines(output, 0, 1);
        wait_for_lines(path, 1);
        put_lines(output, 1, 40000);
        wait_for_lines(path, 40001);
        size_t size = file_size(path);
        usleep(1200000); /* nothing to write, so nothing is written */
        assert_int_equal(file_size(path), size);
        close_output(output);
        assert_lines(path, 40001, NYTP_END);
    }
}

static void synced_events_can_be_read_at_once(void **state)
{
    const char *path = scratch("sync");
    (void)state;
    prof_output *output = begin_output(path, 6);
    for (uint32_t i = 0; i < 100; i++) {
        int end;
        put_lines(output, i * 1000, 1000);
        prof_output_sync(output);
        assert_int_equal(read_lines(path, &end), (i + 1) * 1000);
    }
    prof_output_chunk(output, &process_end);
    prof_output_finish(output);
    prof_output_finish(output);
    put_lines(output, 0, 300000); /* is lost */
    prof_output_sync(output);
    const char *message;
    assert_false(prof_output_failed(output, &message));
    prof_output_close(output);
    assert_lines(path, 100000, NYTP_END);
}

/* How many lines the child has published; shared with it. */
static _Atomic uint32_t *published;

/* Publishes slowly, so that no block is ever full. */
static void write_until_killed(void)
{
    prof_output *output = begin_output(scratch("killed"), 6);
    for (uint32_t n = 0; n < 1000000; n++) {
        put_lines(output, n * 20, 20);
        atomic_store(published, (n + 1) * 20);
        usleep(2000);
    }
}

/* A process that is killed at any moment leaves a file that can be read. It lacks only what was published
 * just before, since the thread writes all others soon, without being asked. */
static void a_killed_process_leaves_its_profile(void **state)
{
    (void)state;
    published = mmap(NULL, sizeof *published, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(published, MAP_FAILED);
    for (unsigned round = 0; round < 3; round++) {
        int status, end;
        atomic_store(published, 0);
        unlink(scratch("killed"));
        pid_t pid = start_child(write_until_killed);
        while (atomic_load(published) == 0)
            usleep(1000);
        usleep(round * 137001);
        uint32_t lines = atomic_load(published);
        wait_for_at_least(scratch("killed"), lines);
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
        assert_true(WIFSIGNALED(status));
        assert_true(read_lines(scratch("killed"), &end) >= lines);
        assert_int_equal(end, NYTP_CUT);
    }
    munmap((void *)published, sizeof *published);
}

/* ---- a reader that is slow ---- */

enum { LINES_OF_ALL_BLOCKS = 2 * PROF_OUTPUT_BLOCKS_MAX * (256 << 10) / 8 };

static void *put_many_lines(void *output)
{
    put_lines(output, 0, LINES_OF_ALL_BLOCKS);
    return NULL;
}

static void *copy_to_file(void *pipe)
{
    static char bytes[1 << 16];
    FILE *in = fdopen(*(int *)pipe, "r"), *out = fopen(scratch("copied"), "w");
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, in)) > 0;)
        fwrite(bytes, 1, n, out);
    fclose(in);
    fclose(out);
    return NULL;
}

static void a_thread_that_waits_for_a_block_is_known(void **state)
{
    int ends[2];
    char path[32];
    pthread_t putting, copying;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    prof_output *output = begin_output(path, 0);
    close(ends[1]);
    assert_false(prof_output_waits(output));
    assert_int_equal(pthread_create(&putting, NULL, put_many_lines, output), 0);
    while (!prof_output_waits(output))
        usleep(1000);
    assert_int_equal(pthread_create(&copying, NULL, copy_to_file, &ends[0]), 0);
    pthread_join(putting, NULL);
    assert_false(prof_output_waits(output));
    close_output(output);
    pthread_join(copying, NULL);
    assert_lines(scratch("copied"), LINES_OF_ALL_BLOCKS, NYTP_END);
}

/* ---- fork ---- */

static prof_output *forked;

static void abandon_and_write(void)
{
    char name[64];
    const char *path = prof_output_path(forked);
    assert_int_equal(strcmp(path, scratch("parent")), 0);
    prof_output_abandon(forked);
#ifdef __SANITIZE_THREAD__
    forbid_threads(); /* the sanitizer takes the child's thread for the parent's, which is at the same address
                       */
#endif
    snprintf(name, sizeof name, "child.%ld", (long)getpid());
    prof_output *output = begin_output(scratch(name), 6);
    put_lines(output, 0, 70000);
    close_output(output);
    assert_lines(scratch(name), 70000, NYTP_END);
}

static void a_fork_disturbs_neither_process(void **state)
{
    enum { FORKS = 60 };
    pid_t pids[FORKS];
    (void)state;
    if (getenv("EMULATOR") != NULL)
        skip_because("the child of a fork beside threads does not survive in qemu");
    forked = begin_output(scratch("parent"), 6);
    for (uint32_t i = 0; i < FORKS; i++) {
        put_lines(forked, i * 30000, 30000);
        prof_output_before_fork(forked);
        pids[i] = start_child(abandon_and_write);
        prof_output_after_fork_in_parent(forked);
    }
    close_output(forked);
    assert_lines(scratch("parent"), FORKS * 30000, NYTP_END);
    for (size_t i = 0; i < FORKS; i++)
        end_child(pids[i]);
}

/* ---- nothing in the process changes ---- */

static void nothing_leaks(void **state)
{
    char *const path = strdup(scratch("cycle"));
    (void)state;
    close_output(begin_output(path, 6)); /* libraries allocate some memory once */
    const size_t descriptors = count_entries("/proc/self/fd"), threads = count_entries("/proc/self/task");
    const size_t mappings_before = count_entries("/proc/self/map_files");
    for (uint32_t i = 0; i < 1000; i++) {
        prof_output *output = begin_output(path, (int)(i % 10));
        put_lines(output, 0, i % 100 == 0 ? 300000 : 50);
        close_output(output);
    }
    assert_lines(path, 50, NYTP_END);
    assert_int_equal(count_entries("/proc/self/fd"), descriptors);
    for (int tenths = 0; tenths < 100 && count_entries("/proc/self/task") > threads; tenths++)
        usleep(100000); /* the kernel may count a thread for a moment after it was joined */
    assert_int_equal(count_entries("/proc/self/task"), threads);
    assert_in_range(count_entries("/proc/self/map_files"), 0, mappings_before + 20);
    free(path);
}

static void errno_and_signals_are_unchanged(void **state)
{
    sigset_t before, after;
    const char *why;
    (void)state;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    errno = 4711;
    prof_output *output = begin_output(scratch("calm"), 6);
    assert_int_equal(errno, 4711);
    put_lines(output, 0, 100000);
    prof_output_sync(output);
    assert_null(prof_output_open("/nonexistent/x", 6, &why));
    assert_string_equal(why, strerror(ENOENT));
    assert_null(prof_output_open("/tmp", 6, &why));
    assert_string_equal(why, strerror(EISDIR));
    close_output(output);
    assert_int_equal(errno, 4711);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int number = 1; number < NSIG; number++)
        assert_int_equal(sigismember(&before, number), sigismember(&after, number));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_chunks_are_read_back),
        cmocka_unit_test(no_event_is_lost),
        cmocka_unit_test(a_file_without_events_is_complete),
        cmocka_unit_test(an_impossible_chunk_is_left_out),
        cmocka_unit_test(published_events_can_be_read_soon),
        cmocka_unit_test(synced_events_can_be_read_at_once),
        cmocka_unit_test(a_killed_process_leaves_its_profile),
        cmocka_unit_test(a_thread_that_waits_for_a_block_is_known),
        cmocka_unit_test(a_fork_disturbs_neither_process),
        cmocka_unit_test(nothing_leaks),
        cmocka_unit_test(errno_and_signals_are_unchanged),
    };
    return cmocka_run_group_tests_name("prof-output", tests, scratch_make, scratch_remove);
}
