/* Several threads that inflate segments give the same result as one inflater: the same bytes, end and error.
 */
#include "bytes/codec.h"
#include "bytes/deflate.h"
#include "bytes/deflate_mt.h"
#include "bytes/inflate.h"
#include "bytes/inflate_mt.h"
#include "bytes/source.h"
#include "bytes/window.h"
#include "format/writer.h"
#include "test/unit/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- reading ---- */

typedef struct inflated {
    memory bytes;
    ptrdiff_t end; /* 0, or the error */
    bool cut, lends;
    nytp_error error;
} inflated;

/* Lends and reads by turns. */
static inflated drain(nytp_source *source)
{
    static unsigned char buffer[50000];
    inflated all = {.lends = source->lend != NULL};
    ptrdiff_t n = 1;
    for (unsigned turn = 0; n > 0; turn++) {
        unsigned char *bytes = buffer;
        bool lent = all.lends && turn % 3 != 0;
        n = lent ? source->lend(source, &bytes, &all.error)
                 : source->read(source, buffer, sizeof buffer, &all.error);
        if (n > 0)
            memory_add(&all.bytes, (const char *)bytes, (size_t)n);
        if (n > 0 && lent) { /* as the reader does */
            memset(bytes - NYTP_LENT_BEFORE, 0xEE, NYTP_LENT_BEFORE);
            memset(bytes + n, 0, 64);
        }
    }
    all.end = n;
    all.cut = source->cut != NULL;
    nytp_source_free(source);
    return all;
}

/* The first bytes were read before it was known that the stream is compressed. threads 0: one inflater. */
static inflated inflate_by(const memory *z, size_t prefix, enum nytp_inflate_with with, unsigned threads)
{
    nasty n = {.data = z->data + prefix, .left = z->size - prefix, .most = 100000};
    nytp_source *inner = nytp_source_callback(nasty_read, &n, "z");
    inner->taken_bytes = prefix;
    nytp_source *source = threads > 0 ? nytp_inflate_mt_new(inner, z->data, prefix, with, threads)
                                      : nytp_inflate_new(inner, z->data, prefix, with);
    assert_non_null(source);
    return drain(source);
}

static void check_same(const memory *z, size_t prefix, enum nytp_inflate_with with, unsigned threads)
{
    inflated one = inflate_by(z, prefix, NYTP_INFLATE_ZLIB, 0), many = inflate_by(z, prefix, with, threads);
    assert_int_equal(many.bytes.size, one.bytes.size);
    if (one.bytes.size > 0)
        assert_memory_equal(many.bytes.data, one.bytes.data, one.bytes.size);
    assert_int_equal(many.end, one.end);
    assert_int_equal(many.cut, one.cut);
    assert_string_equal(many.error.message, one.error.message);
    memory_free(&one.bytes);
    memory_free(&many.bytes);
}

/* ---- streams ---- */

/* Bytes with some pattern, in which the mark occurs by chance. */
static size_t some_data(unsigned char *data, size_t size, uint64_t *random)
{
    static const unsigned char mark[] = NYTP_SEGMENT_MARK;
    const uint64_t noise = random_below(random, 16);
    for (size_t i = 0; i < size; i++)
        data[i] = (unsigned char)(random_below(random, 16) < noise ? random_next(random) : i / 100);
    for (size_t i = 0; i + sizeof mark < size && random_below(random, 4) != 0;
         i += 1 + random_below(random, size))
        memcpy(data + i, mark, sizeof mark);
    return size;
}

/* Writes of any size, flushed in any way, compressed by either library. */
static memory some_stream(uint64_t *random, size_t size)
{
    enum { MOST = 700000 };
    static unsigned char data[MOST];
    memory z = {0};
    nytp_error error = {0};
    nytp_sink *sink = nytp_sink_callback(memory_write, &z, "memory");
    nytp_deflate *deflate = nytp_deflate_new(sink, 1 + (int)random_below(random, 6), random_below(random, 2));
    for (size_t written = 0; written < size;) {
        size_t some = some_data(data, 1 + random_below(random, random_below(random, 2) ? 300 : MOST), random);
        assert_int_equal(
            nytp_deflate_write(deflate, data, some, random_below(random, NYTP_DEFLATE_END), &error), 0);
        written += some;
    }
    assert_int_equal(nytp_deflate_write(deflate, NULL, 0, NYTP_DEFLATE_END, &error), 0);
    nytp_deflate_free(deflate);
    nytp_sink_free(sink);
    return z;
}

/* How many bytes were read before; at least the two of the header. */
static size_t some_prefix(const memory *z, uint64_t *random)
{
    size_t most = z->size < 200000 ? z->size : 200000;
    return 2 + random_below(random, most - 1);
}

static void segments_inflate_to_what_one_inflater_gives(void **state)
{
    uint64_t random = 1951;
    (void)state;
    for (unsigned round = 0; round < 25; round++) {
        memory z = some_stream(&random, random_below(&random, 5 << 20));
        check_same(&z, some_prefix(&z, &random), NYTP_INFLATE_BEST, 1 + round % 4);
        memory_free(&z);
    }
}

static void cut_streams_end_at_the_same_byte(void **state)
{
    uint64_t random = 1952;
    (void)state;
    memory z = some_stream(&random, 3 << 20);
    for (unsigned round = 0; round < 25; round++) {
        memory part = {.data = z.data,
                       .size = round < 8 ? z.size - round : 2 + random_below(&random, z.size - 2)};
        check_same(&part, some_prefix(&part, &random), NYTP_INFLATE_ZLIB, 1 + round % 4);
    }
    memory_free(&z);
}

static void damage_is_reported_in_the_same_words(void **state)
{
    uint64_t random = 1953;
    (void)state;
    memory z = some_stream(&random, 3 << 20);
    for (unsigned round = 0; round < 30; round++) {
        size_t at = round < 5 ? z.size - 1 - round : 2 + random_below(&random, z.size - 2);
        unsigned char was = z.data[at];
        z.data[at] ^= (unsigned char)(1 + random_below(&random, 255));
        check_same(&z, some_prefix(&z, &random), NYTP_INFLATE_ZLIB, 1 + round % 4);
        z.data[at] = was;
    }
    memory_free(&z);
}

static void zlib_some(z_stream *zs, memory *z, const unsigned char *data, size_t size, int flush)
{
    unsigned char out[70000];
    zs->next_in = (Bytef *)(uintptr_t)data;
    zs->avail_in = (uInt)size;
    do {
        zs->next_out = out;
        zs->avail_out = sizeof out;
        assert_int_not_equal(deflate(zs, flush), Z_STREAM_ERROR);
        memory_add(z, (const char *)out, sizeof out - zs->avail_out);
    } while (zs->avail_out == 0);
}

/* The stream of another writer may refer to data before a mark. */
static void a_mark_may_occur_by_chance(void **state)
{
    static const unsigned char mark[] = NYTP_SEGMENT_MARK;
    enum { BY_FLUSH = 4, SIZE = 20000 };
    static unsigned char data[SIZE];
    uint64_t random = 1954;
    z_stream zs = {0};
    memory z = {0};
    (void)state;
    some_data(data, SIZE, &random);
    assert_int_equal(deflateInit(&zs, 9), Z_OK);
    for (unsigned i = 0; i < 5; i++) {
        zlib_some(&zs, &z, data, SIZE, Z_SYNC_FLUSH);
        memory_add(&z, (const char *)mark + BY_FLUSH, sizeof mark - BY_FLUSH);
    }
    zlib_some(&zs, &z, data, SIZE, Z_FINISH);
    deflateEnd(&zs);
    inflated got = inflate_by(&z, 2, NYTP_INFLATE_BEST, 2);
    assert_int_equal(got.end, 0);
    assert_int_equal(got.bytes.size, 6 * SIZE);
    memory_free(&got.bytes);
    check_same(&z, 2, NYTP_INFLATE_BEST, 2);
    memory_free(&z);
}

static size_t marks_in(const memory *z)
{
    static const unsigned char mark[] = NYTP_SEGMENT_MARK;
    size_t count = 0;
    for (unsigned char *at = z->data;
         (at = memmem(at, z->size - (size_t)(at - z->data), mark, sizeof mark)) != NULL; at++)
        count++;
    return count;
}

static void long_streams_have_segments(void **state)
{
    enum { SIZE = 10 << 20, WRITE = 100000 };
    unsigned char *data = calloc(1, SIZE);
    memory z = {0};
    nytp_error error = {0};
    nytp_sink *sink = nytp_sink_callback(memory_write, &z, "memory");
    nytp_deflate *deflate = nytp_deflate_new(sink, 6, NYTP_DEFLATE_FAST);
    (void)state;
    assert_non_null(data);
    for (size_t at = 0; at < SIZE; at += WRITE)
        assert_int_equal(nytp_deflate_write(deflate, data + at, SIZE - at < WRITE ? SIZE - at : WRITE,
                                            NYTP_DEFLATE_MORE, &error),
                         0);
    assert_int_equal(nytp_deflate_write(deflate, NULL, 0, NYTP_DEFLATE_END, &error), 0);
    assert_in_range(marks_in(&z), 8, 10);
    nytp_deflate_free(deflate);
    memory_free(&z);
    nytp_deflate_mt *parallel = nytp_deflate_mt_new(sink, 6, NYTP_DEFLATE_FAST, 2);
    assert_int_equal(nytp_deflate_mt_write(parallel, data, SIZE, &error), 0);
    assert_int_equal(nytp_deflate_mt_finish(parallel, &error), 0);
    assert_in_range(marks_in(&z), 10, 21);
    nytp_deflate_mt_free(parallel);
    memory_free(&z);
    nytp_sink_free(sink);
    free(data);
}

/* Lines that begin in one segment and end in a later one, as deflate_mt cuts them. */
static void long_chunks_may_span_segments(void **state)
{
    enum { LINES = 12, LONGEST = 1500000 };
    static char text[LONGEST];
    uint64_t random = 1955;
    memory z = {0};
    nytp_sink *sink = nytp_sink_callback(memory_write, &z, "memory");
    nytp_writer *writer = nytp_writer_new(sink, 6);
    (void)state;
    memset(text, 'x', sizeof text);
    nytp_writer_set_threads(writer, 2);
    nytp_writer_chunk(writer, &(nytp_chunk){.tag = NYTP_VERSION, .version = {5, 0}});
    nytp_writer_chunk(writer, &(nytp_chunk){.tag = NYTP_START_DEFLATE});
    for (uint32_t line = 1; line <= LINES; line++) {
        nytp_str string = {text, line % 3 != 0 ? random_below(&random, LONGEST) : line, false};
        assert_int_equal(
            nytp_writer_chunk(writer, &(nytp_chunk){.tag = NYTP_SRC_LINE, .src_line = {1, line, string}}), 0);
    }
    assert_int_equal(nytp_writer_finish(writer), 0);
    nytp_writer_free(writer);
    reading one = read_bytes(z.data, z.size, (way){0, NYTP_THREADS_NEVER, NYTP_INFLATE_BEST});
    reading many = read_bytes(z.data, z.size, (way){0, NYTP_THREADS_ALWAYS, NYTP_INFLATE_BEST});
    assert_int_equal(one.chunks, LINES + 2);
    assert_int_equal(many.length, one.length);
    assert_memory_equal(many.text, one.text, one.length);
    reading_free(&one);
    reading_free(&many);
    memory_free(&z);
}

static void check_ends_between_blocks(const memory *z, size_t header, enum nytp_inflate_with with)
{
    static unsigned char out[1 << 20];
    const nytp_inflater *inflater = nytp_inflater_of(with);
    if (inflater == NULL)
        return;
    const char *why;
    void *inflating = inflater->start(true);
    nytp_window w = {(unsigned char *)z->data + header, z->size - header, out, sizeof out};
    assert_int_equal(inflater->step(inflating, &w, &why), NYTP_OK);
    assert_int_equal(w.in_size, 0);
    assert_true(inflater->between_blocks(inflating));
    inflater->stop(inflating);
}

/* Otherwise the stream is still right, but one thread has to inflate the rest of it. */
static void segments_of_any_size_end_between_blocks(void **state)
{
    enum { MOST = 260 << 10, STEP = 4 << 10, HEADER = 2 };
    static unsigned char data[MOST];
    uint64_t random = 1961;
    (void)state;
    for (size_t size = STEP; size <= MOST;
         size += random_below(&random, 2) != 0 ? STEP : 1 + random_below(&random, STEP)) {
        memory z = {0};
        nytp_error error = {0};
        nytp_sink *sink = nytp_sink_callback(memory_write, &z, "memory");
        nytp_deflate *deflate = nytp_deflate_new(sink, 6, random_below(&random, 2));
        some_data(data, size, &random);
        assert_int_equal(nytp_deflate_write(deflate, data, size, NYTP_DEFLATE_SEGMENT, &error), 0);
        check_ends_between_blocks(&z, HEADER, NYTP_INFLATE_ZLIB);
        check_ends_between_blocks(&z, HEADER, NYTP_INFLATE_ISAL);
        nytp_deflate_free(deflate);
        nytp_sink_free(sink);
        memory_free(&z);
    }
}

static void other_data_is_left_to_the_caller(void **state)
{
    (void)state;
    nytp_source *inner = nytp_source_memory("\x78\x9D rest", 7, "z");
    assert_null(nytp_inflate_mt_new(inner, "\x78\x9D", 2, NYTP_INFLATE_BEST, 2));
    assert_null(nytp_inflate_mt_new(inner, "\x78", 1, NYTP_INFLATE_BEST, 2));
    nytp_source_free(inner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_inflate_to_what_one_inflater_gives),
        cmocka_unit_test(cut_streams_end_at_the_same_byte),
        cmocka_unit_test(damage_is_reported_in_the_same_words),
        cmocka_unit_test(a_mark_may_occur_by_chance),
        cmocka_unit_test(long_streams_have_segments),
        cmocka_unit_test(long_chunks_may_span_segments),
        cmocka_unit_test(segments_of_any_size_end_between_blocks),
        cmocka_unit_test(other_data_is_left_to_the_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
