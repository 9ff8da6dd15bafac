/* Every kind of source gives the same bytes, and reports errors in the words of the system. */
#include "bytes/source.h"
#include "test/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static char dir[] = "/tmp/nytp-u-source-XXXXXX";
static char path[64];
static const char text[] = "NYTProf 5 0\n and more bytes";

static int make_file(void **state)
{
    (void)state;
    if (mkdtemp(dir) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/p.out", dir);
    FILE *out = fopen(path, "wb");
    fwrite(text, 1, sizeof text, out);
    return fclose(out);
}

static int remove_file(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(dir);
}

/* Reads everything, size bytes at a time, expects text, and frees the source. */
static void assert_gives_text(nytp_source *source, size_t size)
{
    nytp_error error = {0};
    char got[sizeof text + 8];
    size_t used = 0;
    ptrdiff_t n;
    assert_non_null(source);
    while (used < sizeof got && (n = source->read(source, got + used, size, &error)) > 0)
        used += (size_t)n;
    assert_int_equal(n, 0);
    assert_int_equal(used, sizeof text);
    assert_memory_equal(got, text, used);
    assert_int_equal(source->taken_bytes, sizeof text);
    nytp_source_free(source);
}

static void assert_fails(nytp_source *source, const char *message)
{
    nytp_error error = {0};
    char byte;
    assert_non_null(source);
    assert_int_equal(source->read(source, &byte, 1, &error), NYTP_ERR_IO);
    assert_int_equal(error.code, NYTP_ERR_IO);
    assert_string_equal(error.message, message);
    nytp_source_free(source);
}

static void every_kind_gives_the_same_bytes(void **state)
{
    (void)state;
    for (size_t size = 1; size < 8; size++) {
        assert_gives_text(nytp_source_file(path), size);
        assert_gives_text(nytp_source_memory(text, sizeof text, "memory"), size);
        nasty n = {.data = (const unsigned char *)text, .left = sizeof text, .most = 3};
        assert_gives_text(nytp_source_callback(nasty_read, &n, "callback"), size);
        int fd = open(path, O_RDONLY);
        assert_gives_text(nytp_source_fd(fd, "fd"), size);
        assert_int_equal(close(fd), 0); /* the source has not closed it */
    }
}

static void empty_memory_is_at_its_end(void **state)
{
    nytp_error error = {0};
    char byte;
    nytp_source *source = nytp_source_memory(NULL, 0, "nothing");
    (void)state;
    assert_int_equal(source->read(source, &byte, 1, &error), 0);
    nytp_source_free(source);
}

static void only_files_and_memory_have_a_size(void **state)
{
    int fds[2];
    (void)state;
    assert_int_equal(pipe(fds), 0);
    nytp_source *sources[] = {nytp_source_file(path), nytp_source_memory(text, sizeof text, "m"),
                              nytp_source_fd(fds[0], "pipe")};
    const uint64_t sizes[] = {sizeof text, sizeof text, 0};
    for (size_t i = 0; i < COUNT(sources); i++) {
        assert_int_equal(sources[i]->size_bytes, sizes[i]);
        nytp_source_free(sources[i]);
    }
    close(fds[0]);
    close(fds[1]);
}

static void dash_is_standard_input(void **state)
{
    (void)state;
    int before = dup(STDIN_FILENO), fd = open(path, O_RDONLY);
    dup2(fd, STDIN_FILENO);
    assert_gives_text(nytp_source_file("-"), 100);
    assert_int_equal(fcntl(STDIN_FILENO, F_GETFD), 0); /* it was not closed */
    dup2(before, STDIN_FILENO);
    close(before);
    close(fd);
}

static void errors_have_the_words_of_the_system(void **state)
{
    char missing[80], message[256];
    (void)state;
    snprintf(missing, sizeof missing, "%s/missing", dir);
    snprintf(message, sizeof message, "%s: cannot open: %s", missing, strerror(ENOENT));
    assert_fails(nytp_source_file(missing), message);
    snprintf(message, sizeof message, "%s: cannot read: %s", dir, strerror(EISDIR));
    assert_fails(nytp_source_file(dir), message);
    snprintf(message, sizeof message, "no fd: cannot read: %s", strerror(EBADF));
    assert_fails(nytp_source_fd(-1, "no fd"), message);
    nasty n = {.most = 1, .error_number = EIO};
    snprintf(message, sizeof message, "callback: cannot read: %s", strerror(EIO));
    assert_fails(nytp_source_callback(nasty_read, &n, "callback"), message);
}

static ptrdiff_t read_too_much(void *context, void *buffer, size_t size)
{
    (void)context, (void)buffer;
    return (ptrdiff_t)size + 1;
}

static void a_callback_cannot_return_more_than_was_asked_for(void **state)
{
    (void)state;
    assert_fails(nytp_source_callback(read_too_much, NULL, "callback"),
                 "callback: cannot read: the callback returned 2, but the buffer has 1 bytes");
}

static void an_unreadable_file_is_reported(void **state)
{
    char message[256];
    (void)state;
    snprintf(message, sizeof message, "%s: cannot open: %s", path, strerror(EACCES));
    assert_int_equal(chmod(path, 0), 0);
    bool root = geteuid() == 0; /* root may read everything, so become another user for a moment */
    if (root)
        assert_int_equal(seteuid(65534), 0);
    nytp_source *source = nytp_source_file(path);
    if (root)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(path, 0600), 0);
    assert_fails(source, message);
}

static void note_alarm(int number)
{
    (void)number;
}

static void *write_after_a_while(void *argument)
{
    const struct timespec while_ = {0, 30000000};
    nanosleep(&while_, NULL);
    assert_int_equal(write(*(int *)argument, text, sizeof text), sizeof text);
    close(*(int *)argument);
    return NULL;
}

/* A pipe that stays idle for a while. */
static void assert_waits_for_pipe(int flags)
{
    int fds[2];
    pthread_t thread;
    assert_int_equal(pipe2(fds, flags), 0);
    assert_int_equal(pthread_create(&thread, NULL, write_after_a_while, &fds[1]), 0);
    assert_gives_text(nytp_source_fd(fds[0], "pipe"), 100);
    pthread_join(thread, NULL);
    close(fds[0]);
}

static void a_read_waits_for_a_pipe_that_does_not_block(void **state)
{
    (void)state;
    assert_waits_for_pipe(O_NONBLOCK);
}

static void signals_do_not_end_a_read(void **state)
{
    struct sigaction action = {.sa_handler = note_alarm}, before; /* no SA_RESTART */
    struct itimerval every_5_ms = {{0, 5000}, {0, 5000}}, never = {{0, 0}, {0, 0}};
    (void)state;
    sigaction(SIGALRM, &action, &before);
    setitimer(ITIMER_REAL, &every_5_ms, NULL);
    assert_waits_for_pipe(0);
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &before, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_gives_the_same_bytes),
        cmocka_unit_test(empty_memory_is_at_its_end),
        cmocka_unit_test(only_files_and_memory_have_a_size),
        cmocka_unit_test(dash_is_standard_input),
        cmocka_unit_test(errors_have_the_words_of_the_system),
        cmocka_unit_test(a_callback_cannot_return_more_than_was_asked_for),
        cmocka_unit_test(an_unreadable_file_is_reported),
        cmocka_unit_test(a_read_waits_for_a_pipe_that_does_not_block),
        cmocka_unit_test(signals_do_not_end_a_read),
    };
    return cmocka_run_group_tests_name("source", tests, make_file, remove_file);
}
