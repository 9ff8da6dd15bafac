/* The writer: what it refuses, what reaches the sink and when, and what it does when the sink fails. */
#include "test/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const nytp_chunk version = {.tag = NYTP_VERSION, .version = {5, 0}};
static const nytp_chunk deflate = {.tag = NYTP_START_DEFLATE};
static const nytp_chunk begin = {.tag = NYTP_PID_START, .pid_start = {7, 1, 1.5}};
static const nytp_chunk end = {.tag = NYTP_PID_END, .pid_end = {7, 2.5}};
static const nytp_chunk line = {.tag = NYTP_TIME_LINE, .time = {.ticks = 12, .fid = 1, .line = 3}};

static nytp_writer *writer_into(memory *m, int level)
{
    nytp_writer *writer = nytp_writer_new(nytp_sink_callback(memory_write, m, "q.out"), level);
    assert_non_null(writer);
    return writer;
}

static void put(nytp_writer *writer, const nytp_chunk *chunk)
{
    if (nytp_writer_chunk(writer, chunk) != 0)
        fail_msg("%s", nytp_writer_error(writer)->message);
}

static void the_bytes_are_those_of_the_format(void **state)
{
    static const char expected[] = "NYTProf 5 0\n#c\n:k=v\n!o=1\n"
                                   "P\x07\x01\0\0\0\0\0\0\xf8\x3f"
                                   "+\x0c\x01\x03"
                                   "*\x0c\x01\x03\x02\x81\x00-"
                                   ">\x01\x80\x80"
                                   "<\x01\0\0\0\0\0\0\xf8\x3f\0\0\0\0\0\0\0\x40'\1f"
                                   "@\x01\0\0\x10\0\0\"\2\xc3\xa4"
                                   "s\x01'\1f\x04\x09"
                                   "S\x01\x02'\0"
                                   "p\x07\0\0\0\0\0\0\x04\x40";
    const nytp_chunk chunks[] = {
        version,
        {.tag = NYTP_COMMENT, .comment = {STR("c")}},
        {.tag = NYTP_ATTRIBUTE, .attribute = {STR("k"), STR("v")}},
        {.tag = NYTP_OPTION, .attribute = {STR("o"), STR("1")}},
        begin,
        line,
        {.tag = NYTP_TIME_BLOCK, .time = {12, 1, 3, 2, 256}},
        {.tag = NYTP_DISCOUNT},
        {.tag = NYTP_SUB_ENTRY, .sub_entry = {.fid = 1, .line = 128}},
        {.tag = NYTP_SUB_RETURN, .sub_return = {1, 1.5, 2, STR("f")}},
        {.tag = NYTP_NEW_FID, .new_fid = {1, 0, 0, 0x10, 0, 0, UTF8("\xc3\xa4")}},
        {.tag = NYTP_SUB_INFO, .sub_info = {1, STR("f"), 4, 9}},
        {.tag = NYTP_SRC_LINE, .src_line = {1, 2, STR("")}},
        end,
    };
    (void)state;
    memory m = stream_of(chunks, COUNT(chunks));
    assert_int_equal(m.size, sizeof expected - 1);
    assert_memory_equal(m.data, expected, m.size);
    memory_free(&m);
}

static void level_0_compresses_nothing(void **state)
{
    (void)state;
    for (int level = -1; level <= 1; level++) {
        memory m = {0};
        nytp_writer *writer = writer_into(&m, level);
        put(writer, &version);
        assert_int_equal(nytp_writer_compress(writer), level < 0 ? NYTP_ERR_ARGUMENT : 0);
        if (level >= 0) {
            put(writer, &begin);
            assert_int_equal(nytp_writer_finish(writer), 0);
            assert_int_equal(m.data[strlen("NYTProf 5 0\n")], level == 0 ? 'P' : 'z');
        }
        nytp_writer_free(writer);
        memory_free(&m);
    }
}

/* Writes prefix and then chunk, which must be refused with the message. */
static void assert_refused(const nytp_chunk *const *prefix, const nytp_chunk *chunk, const char *why)
{
    memory m = {0};
    char message[256];
    nytp_writer *writer = writer_into(&m, 6);
    for (; *prefix != NULL; prefix++)
        put(writer, *prefix);
    const char *name = nytp_tag_name((int)chunk->tag);
    snprintf(message, sizeof message, "q.out: cannot write %s %s chunk: %s",
             strchr("AEIOUu", *name) != NULL ? "an" : "a", name, why);
    assert_int_equal(nytp_writer_chunk(writer, chunk), NYTP_ERR_ARGUMENT);
    assert_int_equal(nytp_writer_error(writer)->code, NYTP_ERR_ARGUMENT);
    assert_int_equal(nytp_writer_error(writer)->tag, chunk->tag);
    assert_string_equal(nytp_writer_error(writer)->message, message);
    assert_int_equal(nytp_writer_chunk(writer, &line), NYTP_ERR_ARGUMENT); /* it sticks */
    assert_int_equal(nytp_writer_flush(writer), NYTP_ERR_ARGUMENT);
    assert_int_equal(nytp_writer_finish(writer), NYTP_ERR_ARGUMENT);
    nytp_writer_free(writer);
    memory_free(&m);
}

static void chunks_that_no_reader_could_read_are_refused(void **state)
{
    static const nytp_chunk *const nothing[] = {NULL}, *const header[] = {&version, NULL},
                                   *const compressed[] = {&version, &deflate, NULL};
    const nytp_str too_long = {"", (32 << 20) + 1, false}; /* the bytes must not be read */
    const nytp_chunk format_6 = {.tag = NYTP_VERSION, .version = {6, 0}};
    const nytp_chunk comment = {.tag = NYTP_COMMENT, .comment = {STR("a\nb")}};
    const nytp_chunk key = {.tag = NYTP_ATTRIBUTE, .attribute = {STR("a=b"), STR("c")}};
    const nytp_chunk key_line = {.tag = NYTP_OPTION, .attribute = {STR("a\n"), STR("c")}};
    const nytp_chunk value = {.tag = NYTP_ATTRIBUTE, .attribute = {STR("a"), STR("b\nc")}};
    const nytp_chunk unknown = {.tag = (nytp_tag)'?'};
    const nytp_chunk name = {.tag = NYTP_SUB_INFO, .sub_info = {1, too_long, 1, 2}};
    const nytp_chunk long_comment = {.tag = NYTP_COMMENT, .comment = {too_long}};
    const nytp_chunk long_value = {.tag = NYTP_ATTRIBUTE, .attribute = {STR("a"), too_long}};
    (void)state;
    assert_refused(nothing, &line, "a VERSION must come first");
    assert_refused(nothing, &format_6, "the format must be 4 or 5");
    assert_refused(header, &version, "the stream has begun");
    assert_refused(compressed, &deflate, "the stream is compressed already");
    assert_refused(header, &comment, "a newline in a comment");
    assert_refused(header, &key, "a newline, or \"=\" in the key");
    assert_refused(header, &key_line, "a newline, or \"=\" in the key");
    assert_refused(header, &value, "a newline, or \"=\" in the key");
    assert_refused(header, &unknown, "there is no such chunk");
    assert_refused(header, &name, "more than 32 MiB of text");
    assert_refused(header, &long_comment, "more than 32 MiB of text");
    assert_refused(header, &long_value, "more than 32 MiB of text");
}

static void levels_are_1_to_9(void **state)
{
    (void)state;
    for (int level = -1; level <= 10; level++) {
        memory m = {0};
        nytp_writer *writer = writer_into(&m, level);
        put(writer, &version);
        int rc = nytp_writer_chunk(writer, &deflate);
        assert_int_equal(rc, level >= 1 && level <= 9 ? 0 : NYTP_ERR_ARGUMENT);
        nytp_writer_free(writer);
        memory_free(&m);
    }
}

static void nothing_follows_the_end(void **state)
{
    memory m = {0};
    nytp_writer *writer = writer_into(&m, 1);
    (void)state;
    put(writer, &version);
    put(writer, &deflate);
    put(writer, &begin);
    put(writer, &end);
    assert_int_equal(nytp_writer_finish(writer), 0);
    size_t size = m.size;
    assert_int_equal(nytp_writer_finish(writer), 0); /* once is enough */
    assert_int_equal(nytp_writer_flush(writer), 0);
    assert_int_equal(m.size, size);
    assert_int_equal(nytp_writer_chunk(writer, &line), NYTP_ERR_ARGUMENT);
    nytp_writer_free(writer);
    memory_free(&m);
}

static void a_person_finds_the_sizes_at_the_end(void **state)
{
    memory m = sample_stream(true);
    unsigned in, out, percent;
    double ratio;
    (void)state;
    memory_add(&m, "", 1);
    const char *trailer = NULL; /* after the zlib stream, whose bytes may be anything */
    for (size_t i = 0; i + 15 < m.size; i++)
        if (memcmp(m.data + i, "#\n# Compressed ", 15) == 0)
            trailer = (const char *)m.data + i;
    assert_non_null(trailer);
    assert_int_equal(sscanf(trailer, "#\n# Compressed %u bytes to %u, ratio %lf:1, data shrunk by %u.", &in,
                            &out, &ratio, &percent),
                     4);
    assert_true(out > 0 && out < in);
    assert_true(ratio > 0.99 * in / out && ratio < 1.01 * in / out);
    memory_free(&m);
}

/* After a flush everything can be read, although the stream has no end yet. */
static void what_was_flushed_can_be_read(void **state)
{
    (void)state;
    for (int compressed = 0; compressed < 2; compressed++) {
        memory m = {0};
        nytp_writer *writer = writer_into(&m, 9);
        put(writer, &version);
        if (compressed)
            put(writer, &deflate);
        put(writer, &begin);
        for (size_t lines = 1; lines < 100; lines++) {
            put(writer, &line);
            assert_int_equal(nytp_writer_flush(writer), 0);
            reading r = read_bytes(m.data, m.size, plainly);
            assert_int_equal(r.end, NYTP_CUT);
            assert_int_equal(r.chunks, 2 + (size_t)compressed + lines);
            reading_free(&r);
        }
        nytp_writer_free(writer);
        memory_free(&m);
    }
}

/* The sink accepts that many bytes only: the error has the words of the system, and sticks. */
static void a_full_sink_is_reported(void **state)
{
    static const char expected[] = "q.out: cannot write: ";
    memory whole = sample_stream(true);
    (void)state;
    for (size_t room = 1; room < whole.size; room++) {
        memory m = {.refuse_from = room};
        nytp_writer *writer = writer_into(&m, 6);
        nytp_writer_chunk(writer, &version);
        nytp_writer_chunk(writer, &deflate);
        nytp_writer_chunk(writer, &begin);
        uint64_t random = room;
        for (size_t i = 0; i < 300; i++) {
            nytp_chunk c = {.tag = NYTP_TIME_LINE, .time = {.ticks = (int32_t)random_next(&random)}};
            nytp_writer_chunk(writer, &c);
        }
        assert_int_equal(nytp_writer_finish(writer), NYTP_ERR_IO);
        assert_memory_equal(nytp_writer_error(writer)->message, expected, sizeof expected - 1);
        assert_string_equal(nytp_writer_error(writer)->message + sizeof expected - 1, strerror(ENOSPC));
        assert_int_equal(nytp_writer_chunk(writer, &line), NYTP_ERR_IO);
        assert_int_equal(nytp_writer_flush(writer), NYTP_ERR_IO);
        nytp_writer_free(writer);
        memory_free(&m);
    }
    memory_free(&whole);
}

static void a_descriptor_that_fails_is_reported(void **state)
{
    int full = open("/dev/full", O_WRONLY);
    (void)state;
    assert_true(full >= 0);
    nytp_writer *writer = nytp_writer_new(nytp_sink_fd(full, "/dev/full"), 6);
    put(writer, &version);
    assert_int_equal(nytp_writer_finish(writer), NYTP_ERR_IO);
    char message[128];
    snprintf(message, sizeof message, "/dev/full: cannot write: %s", strerror(ENOSPC));
    assert_string_equal(nytp_writer_error(writer)->message, message);
    nytp_writer_free(writer);
    assert_int_equal(close(full), 0); /* the sink has not closed it */
}

static void *read_slowly(void *argument)
{
    int fd = *(int *)argument;
    char bytes[5000];
    size_t *total = calloc(1, sizeof *total);
    ptrdiff_t n;
    while ((n = read(fd, bytes, sizeof bytes)) > 0) {
        *total += (size_t)n;
        usleep(100);
    }
    return total;
}

/* The writer waits for a pipe that is full for a while, blocking or not. */
static void a_slow_pipe_loses_nothing(void **state)
{
    (void)state;
    for (int flags = 0; flags <= O_NONBLOCK; flags += O_NONBLOCK) {
        int fds[2];
        pthread_t thread;
        void *total;
        assert_int_equal(pipe(fds), 0);
        assert_int_equal(fcntl(fds[1], F_SETFL, flags), 0);
        assert_int_equal(pthread_create(&thread, NULL, read_slowly, &fds[0]), 0);
        nytp_writer *writer = nytp_writer_new(nytp_sink_fd(fds[1], "pipe"), 6);
        put(writer, &version);
        for (int i = 0; i < 100000; i++)
            put(writer, &line);
        assert_int_equal(nytp_writer_finish(writer), 0);
        nytp_writer_free(writer);
        close(fds[1]);
        pthread_join(thread, &total);
        assert_int_equal(*(size_t *)total, 12 + 4 * 100000);
        free(total);
        close(fds[0]);
    }
}

static void null_is_fine(void **state)
{
    (void)state;
    nytp_writer_free(NULL);
    nytp_sink_free(NULL);
    assert_null(nytp_writer_new(NULL, 6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bytes_are_those_of_the_format),
        cmocka_unit_test(chunks_that_no_reader_could_read_are_refused),
        cmocka_unit_test(levels_are_1_to_9),
        cmocka_unit_test(level_0_compresses_nothing),
        cmocka_unit_test(nothing_follows_the_end),
        cmocka_unit_test(a_person_finds_the_sizes_at_the_end),
        cmocka_unit_test(what_was_flushed_can_be_read),
        cmocka_unit_test(a_full_sink_is_reported),
        cmocka_unit_test(a_descriptor_that_fails_is_reported),
        cmocka_unit_test(a_slow_pipe_loses_nothing),
        cmocka_unit_test(null_is_fine),
    };
    return cmocka_run_group_tests_name("writer", tests, NULL, NULL);
}
