/* Several threads make a zlib stream that inflates to the data written; its bytes do not depend on their
 * number. */
#include "bytes/deflate.h"
#include "bytes/source.h"
#include "test/unit/support.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE = 3 << 20 };

/* Bytes with some pattern. */
static unsigned char *some_data(void)
{
    unsigned char *data = malloc(SIZE);
    uint64_t random = 20091;
    assert_non_null(data);
    for (size_t i = 0; i < SIZE; i++)
        data[i] = (unsigned char)(random_next(&random) % 16 < 3 ? random_next(&random) : i / 100);
    return data;
}

/* Writes size bytes in pieces of at most that many. */
static int write_all(nytp_deflate_mt *deflate, const unsigned char *data, size_t size, size_t most,
                     nytp_error *error)
{
    uint64_t random = size;
    while (size > 0) {
        size_t some = 1 + random_next(&random) % most;
        some = some < size ? some : size;
        if (nytp_deflate_mt_write(deflate, data, some, error) != 0)
            return error->code;
        data += some;
        size -= some;
    }
    return nytp_deflate_mt_finish(deflate, error);
}

static memory deflated(const unsigned char *data, size_t size, int level, unsigned threads)
{
    memory m = {0};
    nytp_error error = {0};
    nytp_sink *sink = nytp_sink_callback(memory_write, &m, "memory");
    nytp_deflate_mt *deflate = nytp_deflate_mt_new(sink, level, NYTP_DEFLATE_FAST, threads);
    uint64_t in, out;
    assert_non_null(deflate);
    assert_int_equal(write_all(deflate, data, size, 200000, &error), 0);
    nytp_deflate_mt_totals(deflate, &in, &out);
    assert_int_equal(in, size);
    assert_int_equal(out, m.size);
    nytp_deflate_mt_free(deflate);
    nytp_sink_free(sink);
    return m;
}

static void assert_inflates_to(const memory *m, const unsigned char *data, size_t size)
{
    nytp_error error = {0};
    nytp_source *source =
        nytp_inflate_new(nytp_source_memory(m->data, m->size, "m"), NULL, 0, NYTP_INFLATE_ZLIB);
    unsigned char *back = malloc(size + 1);
    size_t have = 0;
    ptrdiff_t n;
    assert_non_null(back);
    while (have <= size && (n = source->read(source, back + have, size + 1 - have, &error)) > 0)
        have += (size_t)n;
    assert_int_equal(error.code, 0);
    assert_null(source->cut);
    assert_int_equal(have, size);
    assert_memory_equal(back, data, size);
    free(back);
    nytp_source_free(source);
}

static void data_comes_back(void **state)
{
    static const size_t sizes[] = {0, 1, (512 << 10) - 1, 512 << 10, (512 << 10) + 1, SIZE};
    unsigned char *data = some_data();
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (int level = 1; level <= 7; level += 3) {
            memory first = deflated(data, sizes[i], level, 1), m = deflated(data, sizes[i], level, 5);
            assert_inflates_to(&m, data, sizes[i]);
            assert_int_equal(m.size, first.size);
            assert_memory_equal(m.data, first.data, m.size);
            memory_free(&first);
            memory_free(&m);
        }
    free(data);
}

static void an_error_of_the_sink_is_reported(void **state)
{
    unsigned char *data = some_data();
    (void)state;
    for (size_t refuse_from = 1; refuse_from < 300000; refuse_from += 99999) {
        memory m = {.refuse_from = refuse_from};
        nytp_error error = {0};
        nytp_sink *sink = nytp_sink_callback(memory_write, &m, "memory");
        nytp_deflate_mt *deflate = nytp_deflate_mt_new(sink, 1, NYTP_DEFLATE_FAST, 3);
        assert_int_equal(write_all(deflate, data, SIZE, SIZE, &error), NYTP_ERR_IO);
        assert_contains(error.message, "No space left");
        nytp_deflate_mt_free(deflate);
        nytp_sink_free(sink);
        memory_free(&m);
    }
    free(data);
}

static void it_can_be_freed_before_the_end(void **state)
{
    unsigned char *data = some_data();
    memory m = {0};
    nytp_error error = {0};
    nytp_sink *sink = nytp_sink_callback(memory_write, &m, "memory");
    nytp_deflate_mt *deflate = nytp_deflate_mt_new(sink, 6, NYTP_DEFLATE_STRONG, 2);
    (void)state;
    assert_int_equal(nytp_deflate_mt_write(deflate, data, SIZE / 2, &error), 0);
    nytp_deflate_mt_free(deflate);
    nytp_sink_free(sink);
    memory_free(&m);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(data_comes_back),
                                       cmocka_unit_test(an_error_of_the_sink_is_reported),
                                       cmocka_unit_test(it_can_be_freed_before_the_end)};
    return cmocka_run_group_tests_name("deflate", tests, NULL, NULL);
}
