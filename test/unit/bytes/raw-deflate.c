/* Raw deflate: zlib gets back what was written, in pieces of any size; a sink that fails is not asked again.
 * Libraries that count in 32 bits get sizes beyond that in steps. */
#include "bytes/codec.h"
#include "bytes/deflate.h"
#include "bytes/raw_deflate_mt.h"
#include "test/unit/support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <zlib.h>

typedef struct kept {
    unsigned char *bytes;
    size_t size, capacity;
    unsigned calls;
    int answer;
} kept;

static int keep(void *context, const void *data, size_t size)
{
    kept *k = context;
    k->calls++;
    if (k->answer != 0)
        return k->answer;
    assert_true(k->size + size <= k->capacity);
    memcpy(k->bytes + k->size, data, size);
    k->size += size;
    return 0;
}

/* A level for each of zlib's strategies. */
static const int levels[] = {1, 6, 9};

static void assert_inflates_to(const kept *deflated, const unsigned char *data, size_t size)
{
    enum { RAW = -15 };
    unsigned char *out = malloc(size + 1);
    z_stream z = {.next_in = deflated->bytes,
                  .avail_in = (uInt)deflated->size,
                  .next_out = out,
                  .avail_out = (uInt)size + 1};
    assert_int_equal(inflateInit2(&z, RAW), Z_OK);
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(z.avail_in, 0); /* a browser takes no byte after the end */
    assert_int_equal(z.total_out, size);
    assert_memory_equal(out, data, size);
    inflateEnd(&z);
    free(out);
}

static void comes_back_whole(void **state)
{
    enum { SIZE = 300000 };
    const size_t step = 70001;
    unsigned char *data = malloc(SIZE);
    (void)state;
    srand(7);
    for (size_t i = 0; i < SIZE; i++)
        data[i] = (unsigned char)(i < SIZE / 2 ? (size_t)rand() : i / 100);
    for (size_t i = 0; i < COUNT(levels); i++) {
        for (size_t size = 0; size <= SIZE; size = size * 3 + 1) {
            kept k = {.bytes = malloc((size_t)2 * SIZE), .capacity = (size_t)2 * SIZE};
            nytp_raw_deflate *d = nytp_raw_deflate_new(levels[i], NYTP_DEFLATE_STRONG, keep, &k);
            for (size_t at = 0; at < size; at += step)
                assert_int_equal(nytp_raw_deflate_write(d, data + at, size - at < step ? size - at : step,
                                                        NYTP_DEFLATE_MORE),
                                 0);
            assert_int_equal(nytp_raw_deflate_write(d, NULL, 0, NYTP_DEFLATE_END), 0);
            nytp_raw_deflate_free(d);
            assert_inflates_to(&k, data, size);
            free(k.bytes);
        }
    }
    free(data);
    nytp_raw_deflate_free(NULL);
}

/* What follows a cut is the same, whatever came before it: so pieces may be deflated anywhere. */
static void pieces_make_one_stream(void **state)
{
    enum { SIZE = 90000, CUT = 40000 };
    unsigned char *data = malloc(SIZE);
    unsigned char bytes[2][SIZE * 2];
    (void)state;
    srand(7);
    for (size_t i = 0; i < SIZE; i++)
        data[i] = (unsigned char)(rand() % (1 + (int)(i / 1000)));
    kept whole = {.bytes = bytes[0], .capacity = sizeof bytes[0]};
    nytp_raw_deflate *d = nytp_raw_deflate_new(6, NYTP_DEFLATE_STRONG, keep, &whole);
    nytp_raw_deflate_write(d, data, CUT, NYTP_DEFLATE_MORE);
    assert_int_equal(nytp_raw_deflate_write(d, NULL, 0, NYTP_DEFLATE_SYNC), 0);
    const size_t first = whole.size;
    nytp_raw_deflate_write(d, data + CUT, SIZE - CUT, NYTP_DEFLATE_MORE);
    assert_int_equal(nytp_raw_deflate_write(d, NULL, 0, NYTP_DEFLATE_END), 0);
    assert_inflates_to(&whole, data, SIZE);

    kept alone = {.bytes = bytes[1], .capacity = sizeof bytes[1]};
    nytp_raw_deflate *other = nytp_raw_deflate_new(6, NYTP_DEFLATE_STRONG, keep, &alone);
    nytp_raw_deflate_write(other, data + CUT, SIZE - CUT, NYTP_DEFLATE_MORE);
    nytp_raw_deflate_write(other, NULL, 0, NYTP_DEFLATE_END);
    assert_int_equal(alone.size, whole.size - first);
    assert_memory_equal(alone.bytes, whole.bytes + first, alone.size);
    alone.size = 0;
    nytp_raw_deflate_write(other, data, CUT, NYTP_DEFLATE_MORE);
    nytp_raw_deflate_write(other, NULL, 0, NYTP_DEFLATE_END);
    assert_inflates_to(&alone, data, CUT);
    nytp_raw_deflate_free(d);
    nytp_raw_deflate_free(other);
    free(data);
}

static void an_error_sticks(void **state)
{
    enum { SIZE = 1 << 20 };
    unsigned char *data = malloc(SIZE);
    kept k = {.answer = -5};
    (void)state;
    for (size_t i = 0; i < SIZE; i++)
        data[i] = (unsigned char)rand();
    nytp_raw_deflate *d = nytp_raw_deflate_new(1, NYTP_DEFLATE_STRONG, keep, &k);
    assert_int_equal(nytp_raw_deflate_write(d, data, SIZE, NYTP_DEFLATE_MORE), -5);
    assert_int_equal(nytp_raw_deflate_write(d, data, SIZE, NYTP_DEFLATE_MORE), -5);
    assert_int_equal(nytp_raw_deflate_write(d, NULL, 0, NYTP_DEFLATE_END), -5);
    assert_int_equal(k.calls, 1);
    nytp_raw_deflate_free(d);
    free(data);
}

/* ---- more than 32 bits count ---- */

enum { PAST = 100 };
#define HUGE_SIZE (((size_t)1 << 32) + PAST)

/* Zeros, which take no memory as long as they are only read. */
static unsigned char *huge_new(void)
{
    void *zeros = mmap(NULL, HUGE_SIZE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(zeros != MAP_FAILED);
    return zeros;
}

/* The first output comes after some megabytes of zeros, and ends the test. */
static void a_huge_write_is_compressed_beyond_its_remainder(void **state)
{
    unsigned char *zeros = huge_new();
    (void)state;
    for (size_t i = 0; i < COUNT(levels); i++) {
        kept k = {.answer = -5};
        nytp_raw_deflate *d = nytp_raw_deflate_new(levels[i], NYTP_DEFLATE_STRONG, keep, &k);
        assert_int_equal(nytp_raw_deflate_write(d, zeros, HUGE_SIZE, NYTP_DEFLATE_MORE), -5);
        assert_int_equal(k.calls, 1);
        nytp_raw_deflate_free(d);
    }
    FILE *full = fopen("/dev/full", "w"), *gzip = nytp_gzip_open(full);
    assert_true(fwrite(zeros, 1, HUGE_SIZE, gzip) < HUGE_SIZE);
    fclose(gzip);
    fclose(full);
    munmap(zeros, HUGE_SIZE);
}

static void a_step_keeps_what_it_leaves(void **state)
{
    static const enum nytp_deflate_with with[] = {NYTP_DEFLATE_FAST, NYTP_DEFLATE_STRONG};
    unsigned char *zeros = huge_new(), out[PAST];
    (void)state;
    for (size_t i = 0; i < COUNT(with); i++) {
        nytp_codec codec;
        nytp_window w = {zeros, HUGE_SIZE, out, sizeof out};
        assert_true(nytp_codec_start(&codec, 2, with[i]));
        codec.library->restart(codec.state);
        assert_null(codec.library->step(codec.state, &w, NYTP_DEFLATE_END));
        assert_int_equal(w.in_size, HUGE_SIZE - (size_t)(w.in - zeros));
        assert_int_equal(w.out_size, out + sizeof out - w.out);
        assert_true(w.in > zeros + PAST && w.out_size < sizeof out);
        codec.library->stop(codec.state);
    }
    munmap(zeros, HUGE_SIZE);
}

static void inflating_keeps_what_it_leaves(void **state)
{
    static const enum nytp_inflate_with with[] = {NYTP_INFLATE_ZLIB, NYTP_INFLATE_ISAL};
    /* the headers of the stream and of a stored block */
    static const unsigned char stored[] = {0x78, 0x9C, 0x00, PAST, 0, 0xFF - PAST, 0xFF};
    unsigned char *bytes =
        mmap(NULL, HUGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    unsigned char out[PAST / 2] = {0};
    (void)state;
    assert_true(bytes != MAP_FAILED);
    memcpy(bytes, stored, sizeof stored);
    for (size_t i = 0; i < COUNT(with) && nytp_inflate_has(with[i]); i++) {
        const nytp_inflater *inflater = nytp_inflater_of(with[i]);
        const char *why;
        void *inflating = inflater->start();
        nytp_window w = {bytes, HUGE_SIZE, out, sizeof out};
        assert_int_equal(inflater->step(inflating, &w, &why), NYTP_OK);
        assert_int_equal(w.in_size, HUGE_SIZE - (size_t)(w.in - bytes));
        assert_int_equal(w.out_size, 0);
        inflater->stop(inflating);
    }
    munmap(bytes, HUGE_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back_whole),
        cmocka_unit_test(pieces_make_one_stream),
        cmocka_unit_test(an_error_sticks),
        cmocka_unit_test(a_huge_write_is_compressed_beyond_its_remainder),
        cmocka_unit_test(a_step_keeps_what_it_leaves),
        cmocka_unit_test(inflating_keeps_what_it_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
