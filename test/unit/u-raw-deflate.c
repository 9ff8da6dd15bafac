/* Raw deflate: zlib gets back what was written, in pieces of any size; a sink that fails is not asked again.
 */
#include "nytprof.h"
#include "test/unit/support.h"

#include <stdlib.h>
#include <string.h>
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
            nytp_raw_deflate *d = nytp_raw_deflate_new(levels[i], keep, &k);
            for (size_t at = 0; at < size; at += step)
                assert_int_equal(
                    nytp_raw_deflate_write(d, data + at, size - at < step ? size - at : step), 0);
            assert_int_equal(nytp_raw_deflate_finish(d), 0);
            nytp_raw_deflate_free(d);
            assert_inflates_to(&k, data, size);
            free(k.bytes);
        }
    }
    free(data);
    nytp_raw_deflate_free(NULL);
}

static void an_error_sticks(void **state)
{
    enum { SIZE = 1 << 20 };
    unsigned char *data = malloc(SIZE);
    kept k = {.answer = -5};
    (void)state;
    for (size_t i = 0; i < SIZE; i++)
        data[i] = (unsigned char)rand();
    nytp_raw_deflate *d = nytp_raw_deflate_new(1, keep, &k);
    assert_int_equal(nytp_raw_deflate_write(d, data, SIZE), -5);
    assert_int_equal(nytp_raw_deflate_write(d, data, SIZE), -5);
    assert_int_equal(nytp_raw_deflate_finish(d), -5);
    assert_int_equal(k.calls, 1);
    nytp_raw_deflate_free(d);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back_whole),
        cmocka_unit_test(an_error_sticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
