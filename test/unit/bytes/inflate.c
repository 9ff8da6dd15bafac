/* Inflating, on the calling thread and on a thread that reads ahead, with each library. */
#include "bytes/source.h"
#include "test/unit/support.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const enum nytp_inflate_with libraries[] = {NYTP_INFLATE_ZLIB, NYTP_INFLATE_ISAL};

typedef struct inflated {
    memory bytes;
    int end; /* 0, or the error */
    bool cut;
    nytp_error error;
} inflated;

static inflated drain(nytp_source *source, size_t size)
{
    inflated all = {0};
    char *buffer = malloc(size);
    ptrdiff_t n;
    assert_non_null(source);
    while ((n = source->read(source, buffer, size, &all.error)) > 0)
        memory_add(&all.bytes, buffer, (size_t)n);
    all.end = (int)n;
    all.cut = source->cut != NULL;
    free(buffer);
    nytp_source_free(source);
    return all;
}

/* The first bytes are given to the inflater as its prefix, the others come from a source, 1 to most at a
 * time. */
static inflated inflate_bytes(const memory *z, size_t prefix, size_t most, enum nytp_inflate_with with,
                              bool ahead)
{
    nasty n = {.data = z->data + prefix, .left = z->size - prefix, .most = most};
    nytp_source *source = nytp_source_callback(nasty_read, &n, "z");
    source->taken_bytes = prefix;
    source = nytp_inflate_new(source, z->data, prefix, with);
    return drain(ahead ? nytp_readahead_new(source) : source, most % 2 == 0 ? 1000 : 100000);
}

/* Text that compresses to several blocks, with some randomness in it. */
static memory some_text(size_t size)
{
    memory m = {0};
    uint64_t random = 1;
    while (m.size < size) {
        uint64_t r = random_next(&random);
        char line[64];
        int length = snprintf(line, sizeof line, "line %llu of %llx\n", (unsigned long long)(r % 9),
                              (unsigned long long)(r >> 40));
        memory_add(&m, line, (size_t)length);
    }
    return m;
}

static void for_each_library(void (*check)(enum nytp_inflate_with with, bool ahead))
{
    for (size_t i = 0; i < COUNT(libraries); i++) {
        if (nytp_inflate_has(libraries[i])) {
            check(libraries[i], false);
            check(libraries[i], true);
        }
    }
}

static void check_whole(enum nytp_inflate_with with, bool ahead)
{
    static const size_t sizes[] = {0, 1, 1000, 100000};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        memory plain = some_text(sizes[i]), z = {0};
        memory_deflate(&z, plain.data, plain.size, NYTP_DEFLATE_END);
        for (size_t most = 1; most <= 65536; most *= 16) {
            inflated got = inflate_bytes(&z, most < z.size ? most - 1 : 0, most, with, ahead);
            assert_int_equal(got.end, 0);
            assert_false(got.cut);
            assert_int_equal(got.bytes.size, plain.size);
            if (plain.size > 0)
                assert_memory_equal(got.bytes.data, plain.data, plain.size);
            memory_free(&got.bytes);
        }
        memory_free(&plain);
        memory_free(&z);
    }
}

static void deflated_data_comes_back(void **state)
{
    (void)state;
    for_each_library(check_whole);
}

static void check_cuts(enum nytp_inflate_with with, bool ahead)
{
    memory plain = some_text(400), z = {0};
    memory_deflate(&z, plain.data, plain.size, NYTP_DEFLATE_END);
    for (size_t cut = 0; cut < z.size; cut++) {
        memory part = {.data = z.data, .size = cut};
        inflated got = inflate_bytes(&part, cut / 2, 5, with, ahead);
        assert_int_equal(got.end, 0);
        assert_true(got.cut);
        assert_true(got.bytes.size <= plain.size);
        if (got.bytes.size > 0)
            assert_memory_equal(got.bytes.data, plain.data, got.bytes.size);
        memory_free(&got.bytes);
    }
    memory_free(&plain);
    memory_free(&z);
}

static void a_cut_is_not_an_end(void **state)
{
    (void)state;
    for_each_library(check_cuts);
}

static void check_trailer(enum nytp_inflate_with with, bool ahead)
{
    static const char trailer[] = "#\n# Compressed\n";
    memory plain = some_text(70000), z = {0};
    memory_deflate(&z, plain.data, plain.size, NYTP_DEFLATE_END);
    memory_add(&z, trailer, sizeof trailer);
    inflated got = inflate_bytes(&z, 0, 100000, with, ahead);
    assert_int_equal(got.end, 0);
    assert_int_equal(got.bytes.size, plain.size);
    memory_free(&got.bytes);
    memory_free(&plain);
    memory_free(&z);
}

static void bytes_after_the_stream_are_ignored(void **state)
{
    (void)state;
    for_each_library(check_trailer);
}

/* The byte at that place is wrong: there is an error, and before it come at least that many bytes. */
static void check_defect(size_t at, unsigned char flip, size_t at_least, const char *words,
                         enum nytp_inflate_with with, bool ahead)
{
    memory plain = some_text(300000), z = {0};
    memory_deflate(&z, plain.data, plain.size, NYTP_DEFLATE_END);
    at = at < z.size ? at : z.size - (SIZE_MAX - at) - 1;
    z.data[at] ^= flip;
    inflated got = inflate_bytes(&z, 0, 5000, with, ahead);
    assert_int_equal(got.end, NYTP_ERR_FORMAT);
    assert_int_equal(got.error.code, NYTP_ERR_FORMAT);
    if (strstr(got.error.message, words) == NULL)
        fail_msg("%s: expected %s", got.error.message, words);
    assert_true(strncmp(got.error.message, "z: file offset ", 15) == 0);
    assert_true(got.bytes.size >= at_least);
    memory_free(&got.bytes);
    memory_free(&plain);
    memory_free(&z);
}

static void check_defects(enum nytp_inflate_with with, bool ahead)
{
    check_defect(0, 0x0F, 0, "bad compressed data: ", with, ahead);
    check_defect(1, 0x01, 0, "bad compressed data: incorrect header check", with, ahead);
    check_defect(SIZE_MAX, 0x01, 300000, "bad compressed data: incorrect data check", with, ahead);
}

static void defects_are_reported(void **state)
{
    (void)state;
    for_each_library(check_defects);
}

/* A block follows whose type does not exist. */
static void check_bad_block(enum nytp_inflate_with with, bool ahead)
{
    static const size_t sizes[] = {1, 1000, 33000, 70000, 200000};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        memory plain = some_text(sizes[i]), z = {0};
        memory_deflate(&z, plain.data, plain.size, NYTP_DEFLATE_SYNC);
        memory_add(&z, "\x07 and more", 10);
        inflated got = inflate_bytes(&z, 0, 5000 + i, with, ahead);
        assert_int_equal(got.end, NYTP_ERR_FORMAT);
        assert_contains(got.error.message, "bad compressed data: invalid block type");
        assert_int_equal(got.bytes.size, plain.size);
        assert_memory_equal(got.bytes.data, plain.data, plain.size);
        memory_free(&got.bytes);
        memory_free(&plain);
        memory_free(&z);
    }
}

/* From some byte on there is garbage: everything that the bytes before it encode is delivered. */
static void check_garbage(enum nytp_inflate_with with, bool ahead)
{
    memory plain = some_text(200000), z = {0};
    int errors = 0;
    memory_deflate(&z, plain.data, plain.size, NYTP_DEFLATE_END);
    for (size_t keep = 1000; keep < z.size - 2000; keep += 3919) {
        memory bad = {0}, part = {.data = z.data, .size = keep};
        uint64_t random = keep;
        memory_add(&bad, (char *)z.data, keep);
        for (size_t i = 0; i < 200000; i++) {
            char byte = (char)random_next(&random);
            memory_add(&bad, &byte, 1);
        }
        inflated good = inflate_bytes(&part, 0, 5000, NYTP_INFLATE_ZLIB, false);
        inflated got = inflate_bytes(&bad, 0, 5000 + keep % 2, with, ahead);
        errors += got.end == NYTP_ERR_FORMAT;
        assert_true(got.bytes.size >= good.bytes.size);
        assert_memory_equal(got.bytes.data, good.bytes.data, good.bytes.size);
        memory_free(&bad);
        memory_free(&good.bytes);
        memory_free(&got.bytes);
    }
    assert_true(errors > 5);
    memory_free(&plain);
    memory_free(&z);
}

static void data_before_a_bad_block_is_delivered(void **state)
{
    (void)state;
    for_each_library(check_bad_block);
    for_each_library(check_garbage);
}

static void check_read_error(enum nytp_inflate_with with, bool ahead)
{
    memory plain = some_text(50000), z = {0};
    char message[128];
    memory_deflate(&z, plain.data, plain.size, NYTP_DEFLATE_END);
    nasty n = {.data = z.data, .left = z.size / 2, .most = 100, .error_number = EIO};
    nytp_source *source = nytp_inflate_new(nytp_source_callback(nasty_read, &n, "z"), "", 0, with);
    inflated got = drain(ahead ? nytp_readahead_new(source) : source, 4096);
    snprintf(message, sizeof message, "z: cannot read: %s", strerror(EIO));
    assert_int_equal(got.end, NYTP_ERR_IO);
    assert_string_equal(got.error.message, message);
    assert_true(got.bytes.size > 0);
    memory_free(&got.bytes);
    memory_free(&plain);
    memory_free(&z);
}

static void an_error_of_the_inner_source_is_passed_on(void **state)
{
    (void)state;
    for_each_library(check_read_error);
}

/* ---- the thread ---- */

/* Freed before, while and after the thread fills its blocks. */
static void the_thread_can_be_left_at_any_time(void **state)
{
    memory plain = some_text(5000000);
    char buffer[1000];
    nytp_error error = {0};
    (void)state;
    for (int reads = 0; reads < 40; reads++) {
        nytp_source *source = nytp_readahead_new(nytp_source_memory(plain.data, plain.size, "m"));
        for (int i = 0; i < reads; i++)
            assert_true(source->read(source, buffer, sizeof buffer, &error) > 0);
        nytp_source_free(source);
    }
    memory_free(&plain);
}

static void the_thread_is_not_stuck_in_an_idle_pipe(void **state)
{
    int fds[2];
    char byte = 0;
    nytp_error error = {0};
    (void)state;
    for (int written = 0; written < 2; written++) {
        assert_int_equal(pipe(fds), 0);
        nytp_source *source = nytp_readahead_new(nytp_source_fd(fds[0], "pipe"));
        if (written == 1) {
            assert_int_equal(write(fds[1], "x", 1), 1);
            assert_int_equal(source->read(source, &byte, 1, &error), 1);
            assert_int_equal(byte, 'x');
        }
        usleep(10000); /* let it wait */
        nytp_source_free(source);
        close(fds[0]);
        close(fds[1]);
    }
}

/* A callback that holds a lock while it waits, as it may. */
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static ptrdiff_t read_with_lock(void *context, void *buffer, size_t size)
{
    (void)context;
    pthread_mutex_lock(&held);
    usleep(20000);
    pthread_mutex_unlock(&held);
    memset(buffer, 'x', size);
    return (ptrdiff_t)size;
}

static void a_callback_is_never_cancelled(void **state)
{
    nytp_source *source = nytp_readahead_new(nytp_source_callback(read_with_lock, NULL, "callback"));
    (void)state;
    usleep(5000); /* let it be in the callback */
    nytp_source_free(source);
    assert_int_equal(pthread_mutex_trylock(&held), 0);
    pthread_mutex_unlock(&held);
}

/* A known sequence of bytes, with a pause before each MiB. */
typedef struct pauses {
    size_t left, given;
} pauses;

enum { MIB = 1 << 20, PAUSE_US = 10000 };

static ptrdiff_t read_with_pauses(void *context, void *buffer, size_t size)
{
    pauses *p = context;
    if (p->given % MIB == 0)
        usleep(PAUSE_US);
    size_t upto = MIB - p->given % MIB;
    size = size < upto ? size : upto;
    size = size < p->left ? size : p->left;
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)buffer)[i] = (unsigned char)((p->given + i) % 251);
    p->given += size;
    p->left -= size;
    return (ptrdiff_t)size;
}

static void whichever_side_has_to_wait_is_woken(void **state)
{
    enum { SIZE = 12 * MIB };
    static unsigned char some[100000];
    pauses p = {.left = SIZE};
    nytp_error error = {0};
    size_t got = 0;
    ptrdiff_t n;
    (void)state;
    alarm(60); /* rather than hang */
    nytp_source *source = nytp_readahead_new(nytp_source_callback(read_with_pauses, &p, "callback"));
    while ((n = source->read(source, some, sizeof some, &error)) > 0) {
        for (ptrdiff_t i = 0; i < n; i++)
            assert_int_equal(some[i], (got + (size_t)i) % 251);
        if (got == 0)
            usleep(20 * PAUSE_US); /* until the thread has read as far ahead as it may */
        got += (size_t)n;
    }
    alarm(0);
    assert_int_equal(n, 0);
    assert_int_equal(got, SIZE);
    nytp_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deflated_data_comes_back),
        cmocka_unit_test(a_cut_is_not_an_end),
        cmocka_unit_test(bytes_after_the_stream_are_ignored),
        cmocka_unit_test(defects_are_reported),
        cmocka_unit_test(data_before_a_bad_block_is_delivered),
        cmocka_unit_test(an_error_of_the_inner_source_is_passed_on),
        cmocka_unit_test(the_thread_can_be_left_at_any_time),
        cmocka_unit_test(the_thread_is_not_stuck_in_an_idle_pipe),
        cmocka_unit_test(a_callback_is_never_cancelled),
        cmocka_unit_test(whichever_side_has_to_wait_is_woken),
    };
    return cmocka_run_group_tests_name("inflate", tests, NULL, NULL);
}
