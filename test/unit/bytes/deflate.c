/* Deflating, in each way: data comes back, and after a flush all that was written before it. */
#include "bytes/codec.h"
#include "bytes/source.h"
#include "format/writer.h"
#include "test/unit/support.h"

#include <stdlib.h>
#include <string.h>

static const enum nytp_deflate_with deflaters[] = {NYTP_DEFLATE_FAST, NYTP_DEFLATE_STRONG,
                                                   NYTP_DEFLATE_ADAPTABLE};
static const enum nytp_inflate_with inflaters[] = {NYTP_INFLATE_ZLIB, NYTP_INFLATE_ISAL};

/* Bytes like those of statements, runs of one byte, and noise. */
static memory some_bytes(size_t size, uint64_t seed)
{
    memory m = {0};
    while (m.size < size) {
        uint64_t r = random_next(&seed);
        char bytes[64];
        size_t length = 1 + (r >> 8) % sizeof bytes;
        memset(bytes, (int)(r >> 16 & 0xFF), sizeof bytes);
        if (r % 8 == 0)
            for (size_t i = 0; i < length; i++)
                bytes[i] = (char)random_next(&seed);
        else if (r % 8 > 1)
            length =
                (size_t)snprintf(bytes, sizeof bytes, "+%c\1%c", (char)(r >> 24 & 7), (char)(r >> 32 & 31));
        memory_add(&m, bytes, length < size - m.size ? length : size - m.size);
    }
    return m;
}

/* zlib checks the header and, unless the stream is cut, the Adler-32. */
static void assert_inflates_with(const memory *z, const void *data, size_t size, bool cut,
                                 enum nytp_inflate_with with)
{
    nytp_error error = {0};
    unsigned char *got = malloc(size + 1);
    size_t used = 0;
    ptrdiff_t n;
    nytp_source *source = nytp_inflate_new(nytp_source_memory(z->data, z->size, "z"), NULL, 0, with);
    while ((n = source->read(source, got + used, size + 1 - used, &error)) > 0 && used <= size)
        used += (size_t)n;
    assert_int_equal(n, 0);
    assert_int_equal(used, size);
    assert_memory_equal(got, data, size);
    assert_int_equal(source->cut != NULL, cut);
    nytp_source_free(source);
    free(got);
}

static void assert_inflates_to(const memory *z, const void *data, size_t size, bool cut)
{
    for (size_t i = 0; i < COUNT(inflaters); i++)
        if (nytp_inflate_has(inflaters[i]))
            assert_inflates_with(z, data, size, cut, inflaters[i]);
}

/* What may happen between two pieces: each with a chance of one in that number. */
typedef struct chances {
    uint64_t flush, end_and_resume, change;
} chances;

static bool happens(uint64_t one_in, uint64_t *seed)
{
    return one_in > 0 && random_next(seed) % one_in == 0;
}

/* Writes the rest and the end, and then goes back to the mark. */
static void end_and_resume(nytp_deflate *deflate, memory *z, const memory *plain, size_t at, uint64_t *seed)
{
    nytp_error error = {0};
    nytp_deflate_mark mark;
    assert_int_equal(nytp_deflate_remember(deflate, &mark, &error), 0);
    const size_t size_then = z->size;
    assert_inflates_to(z, plain->data, at, true);
    const size_t middle = at + (happens(2, seed) ? (plain->size - at) / 2 : 0);
    assert_int_equal(nytp_deflate_write(deflate, plain->data + at, middle - at, NYTP_DEFLATE_MORE, &error),
                     0);
    assert_int_equal(
        nytp_deflate_write(deflate, plain->data + middle, plain->size - middle, NYTP_DEFLATE_END, &error), 0);
    assert_inflates_to(z, plain->data, plain->size, false);
    z->size = size_then;
    nytp_deflate_resume(deflate, &mark);
}

/* Before an effort is prepared, choosing it has no effect. */
static void choose_or_prepare(nytp_deflate *deflate, uint64_t *seed)
{
    nytp_error error = {0};
    if (happens(3, seed))
        assert_true(nytp_deflate_prepare(deflate));
    assert_int_equal(nytp_deflate_choose(deflate, random_next(seed) % NYTP_EFFORTS, &error), 0);
}

/* Pieces of 0 to most bytes. */
static void check_pieces(const memory *plain, int level, enum nytp_deflate_with with, size_t most,
                         chances one_in)
{
    nytp_error error = {0};
    memory z = {0};
    uint64_t seed = most + one_in.flush;
    uint64_t in, out;
    nytp_sink *sink = nytp_sink_callback(memory_write, &z, "z");
    nytp_deflate *deflate = nytp_deflate_new(sink, level, with);
    for (size_t at = 0; at < plain->size;) {
        size_t size = random_next(&seed) % (most + 1);
        if (happens(one_in.change, &seed))
            choose_or_prepare(deflate, &seed);
        bool flush = happens(one_in.flush, &seed);
        if (size > plain->size - at)
            size = plain->size - at;
        assert_int_equal(nytp_deflate_write(deflate, plain->data + at, size,
                                            flush ? NYTP_DEFLATE_SYNC : NYTP_DEFLATE_MORE, &error),
                         0);
        at += size;
        if (flush)
            assert_inflates_to(&z, plain->data, at, true);
        if (happens(one_in.end_and_resume, &seed))
            end_and_resume(deflate, &z, plain, at, &seed);
    }
    assert_int_equal(nytp_deflate_write(deflate, NULL, 0, NYTP_DEFLATE_END, &error), 0);
    assert_inflates_to(&z, plain->data, plain->size, false);
    nytp_deflate_totals(deflate, &in, &out);
    assert_int_equal(in, plain->size);
    assert_int_equal(out, z.size);
    nytp_deflate_free(deflate);
    nytp_sink_free(sink);
    memory_free(&z);
}

static void data_comes_back(void **state)
{
    memory plain = some_bytes(500000, 1), little = {.data = plain.data, .size = 3000},
           none = {.data = plain.data};
    (void)state;
    for (size_t i = 0; i < COUNT(deflaters); i++) {
        for (int level = 1; level <= 9; level++) {
            check_pieces(&plain, level, deflaters[i], 150000, (chances){.flush = 2});
            check_pieces(&plain, level, deflaters[i], 20000, (chances){.flush = 20});
            check_pieces(&little, level, deflaters[i], 3, (chances){.flush = 3});
            for (little.size = 2998; little.size <= 3002; little.size++) { /* deflate.c: SHORT_BYTES */
                check_pieces(&little, level, deflaters[i], 700, (chances){0});
                check_pieces(&little, level, deflaters[i], 5000, (chances){.end_and_resume = 2});
            }
            little.size = 3000;
            check_pieces(&little, level, deflaters[i], 100, (chances){.flush = 1});
            check_pieces(&none, level, deflaters[i], 100, (chances){.flush = 1});
        }
    }
    memory_free(&plain);
}

static const int some_levels[] = {1, 2, 6, 9};

static void it_can_go_back_to_a_mark_after_the_end(void **state)
{
    memory plain = some_bytes(600000, 3), little = {.data = plain.data, .size = 1000};
    (void)state;
    for (size_t i = 0; i < COUNT(some_levels); i++) {
        for (size_t with = 0; with < COUNT(deflaters); with++) {
            const int level = some_levels[i];
            check_pieces(&plain, level, deflaters[with], 100000, (chances){.end_and_resume = 2});
            check_pieces(&plain, level, deflaters[with], 100000, (chances){.flush = 3, .end_and_resume = 3});
            check_pieces(&little, level, deflaters[with], 9, (chances){5, 1, 0});
        }
    }
    memory_free(&plain);
}

static void it_can_change_between_efforts(void **state)
{
    memory plain = some_bytes(600000, 5), little = {.data = plain.data, .size = 4000};
    (void)state;
    for (uint64_t change = 1; change <= 3; change++) {
        check_pieces(&plain, 6, NYTP_DEFLATE_ADAPTABLE, 40000, (chances){.change = change});
        check_pieces(&plain, 6, NYTP_DEFLATE_ADAPTABLE, 40000, (chances){3, 5, change});
        check_pieces(&little, 6, NYTP_DEFLATE_ADAPTABLE, 700, (chances){.change = change});
    }
    memory_free(&plain);
}

/* TIME_LINE chunks of loops, some of which run more often, with times that vary a little. */
static memory loops(size_t size, uint64_t seed)
{
    memory m = {0};
    while (m.size < size) {
        uint64_t r = random_next(&seed);
        unsigned first_line = (unsigned)(r >> 8 & 63), statements = 2 + (r >> 16 & 15), times = r >> 24 & 31;
        for (unsigned i = 0; i < statements * times; i++) {
            char bytes[] = {'+', (char)(random_next(&seed) % 5 / 2), 1, (char)(first_line + i % statements)};
            memory_add(&m, bytes, sizeof bytes);
        }
    }
    return m;
}

/* In pieces; next() is called before each. */
static memory deflated(const memory *plain, enum nytp_deflate_with with,
                       void (*next)(nytp_deflate *deflate, size_t at))
{
    const size_t piece_bytes = NYTP_SEGMENT_BYTES / 16;
    nytp_error error = {0};
    memory z = {0};
    nytp_sink *sink = nytp_sink_callback(memory_write, &z, "z");
    nytp_deflate *deflate = nytp_deflate_new(sink, 6, with);
    for (size_t at = 0; at < plain->size; at += piece_bytes) {
        next(deflate, at);
        nytp_deflate_write(deflate, plain->data + at,
                           plain->size - at < piece_bytes ? plain->size - at : piece_bytes, NYTP_DEFLATE_MORE,
                           &error);
    }
    nytp_deflate_write(deflate, NULL, 0, NYTP_DEFLATE_END, &error);
    nytp_deflate_free(deflate);
    nytp_sink_free(sink);
    assert_int_equal(error.code, 0);
    return z;
}

static void go_on(nytp_deflate *deflate, size_t at)
{
    (void)deflate;
    (void)at;
}

/* STRONG is there to be smaller, for data like those of profiles; there are several segments. */
static void strong_is_smaller(void **state)
{
    size_t sizes[COUNT(deflaters)];
    memory plain = loops((size_t)8 * NYTP_SEGMENT_BYTES, 4);
    (void)state;
    for (size_t i = 0; i < COUNT(deflaters); i++) {
        memory z = deflated(&plain, deflaters[i], go_on);
        sizes[i] = z.size;
        memory_free(&z);
    }
    assert_in_range(sizes[1], 1, sizes[0] - 1);
    memory_free(&plain);
}

static void choose(nytp_deflate *deflate, size_t at, nytp_deflate_effort effort)
{
    nytp_error error = {0};
    if (at == 0)
        assert_true(nytp_deflate_prepare(deflate));
    assert_int_equal(nytp_deflate_choose(deflate, effort, &error), 0);
}

static void choose_low(nytp_deflate *deflate, size_t at)
{
    choose(deflate, at, NYTP_EFFORT_LOW);
}

static void choose_medium(nytp_deflate *deflate, size_t at)
{
    choose(deflate, at, NYTP_EFFORT_MEDIUM);
}

static void choose_high(nytp_deflate *deflate, size_t at)
{
    choose(deflate, at, NYTP_EFFORT_HIGH);
}

/* Without libdeflate MEDIUM is LOW. */
static void more_effort_is_smaller(void **state)
{
    memory plain = loops((size_t)4 * NYTP_SEGMENT_BYTES, 7);
    memory low = deflated(&plain, NYTP_DEFLATE_ADAPTABLE, choose_low),
           medium = deflated(&plain, NYTP_DEFLATE_ADAPTABLE, choose_medium),
           high = deflated(&plain, NYTP_DEFLATE_ADAPTABLE, choose_high);
    (void)state;
    assert_in_range(high.size, 1, medium.size - 1);
    assert_in_range(medium.size, 1, low.size - (nytp_libdeflate_deflater != NULL));
    memory_free(&low);
    memory_free(&medium);
    memory_free(&high);
    memory_free(&plain);
}

static size_t size_if_flushed(const memory *plain, nytp_deflate_effort effort)
{
    enum { PIECE_BYTES = 4 << 10 };
    nytp_error error = {0};
    memory z = {0};
    nytp_sink *sink = nytp_sink_callback(memory_write, &z, "z");
    nytp_deflate *deflate = nytp_deflate_new(sink, 6, NYTP_DEFLATE_ADAPTABLE);
    choose(deflate, 0, effort);
    for (size_t at = 0; at < plain->size; at += PIECE_BYTES)
        assert_int_equal(
            nytp_deflate_write(deflate, plain->data + at, PIECE_BYTES, NYTP_DEFLATE_SYNC, &error), 0);
    nytp_deflate_free(deflate);
    nytp_sink_free(sink);
    const size_t size = z.size;
    memory_free(&z);
    return size;
}

/* Without libdeflate HIGH is HIGHEST. */
static void the_highest_effort_refers_to_what_was_flushed(void **state)
{
    memory plain = loops(NYTP_SEGMENT_BYTES, 9);
    plain.size = NYTP_SEGMENT_BYTES;
    const size_t high = size_if_flushed(&plain, NYTP_EFFORT_HIGH),
                 highest = size_if_flushed(&plain, NYTP_EFFORT_HIGHEST);
    (void)state;
    assert_in_range(highest, 1, nytp_libdeflate_deflater != NULL ? high / 10 * 9 : high);
    memory_free(&plain);
}

/* libdeflate gets 256 KiB at a time. */
static void data_of_any_length_comes_back(void **state)
{
    const size_t gathered = 256 << 10;
    memory plain = some_bytes(3 * gathered, 8), some = {.data = plain.data};
    (void)state;
    for (size_t times = 1; times <= 2; times++) {
        for (some.size = times * gathered - 2; some.size <= times * gathered + 2; some.size++) {
            check_pieces(&some, 6, NYTP_DEFLATE_ADAPTABLE, some.size, (chances){.change = 1});
            check_pieces(&some, 6, NYTP_DEFLATE_ADAPTABLE, gathered, (chances){3, 5, 2});
        }
    }
    memory_free(&plain);
}

static void resume_late_in_the_first(nytp_deflate *deflate, size_t at)
{
    nytp_error error = {0};
    nytp_deflate_mark mark;
    if (at != (size_t)NYTP_SEGMENT_BYTES / 16 * 12)
        return;
    assert_int_equal(nytp_deflate_remember(deflate, &mark, &error), 0);
    nytp_deflate_resume(deflate, &mark);
}

static void a_resumed_stream_is_as_small(void **state)
{
    memory plain = loops((size_t)8 * NYTP_SEGMENT_BYTES, 6);
    memory once = deflated(&plain, NYTP_DEFLATE_FAST, go_on),
           resumed = deflated(&plain, NYTP_DEFLATE_FAST, resume_late_in_the_first);
    (void)state;
    assert_in_range(resumed.size, 1, once.size + once.size / 100);
    memory_free(&once);
    memory_free(&resumed);
    memory_free(&plain);
}

static void flushing_again_and_again_is_fine(void **state)
{
    nytp_error error = {0};
    (void)state;
    for (size_t i = 0; i < COUNT(deflaters); i++) {
        memory z = {0};
        nytp_sink *sink = nytp_sink_callback(memory_write, &z, "z");
        nytp_deflate *deflate = nytp_deflate_new(sink, 6, deflaters[i]);
        for (int times = 0; times < 100000; times++)
            assert_int_equal(nytp_deflate_write(deflate, "x", times == 50000, NYTP_DEFLATE_SYNC, &error), 0);
        assert_inflates_to(&z, "x", 1, true);
        assert_in_range(z.size, 1, 50); /* a flush without new data writes nothing */
        nytp_deflate_free(deflate);
        nytp_sink_free(sink);
        memory_free(&z);
    }
}

/* ---- the writer's private side ---- */

/* Encoded bytes may be appended in pieces, with other chunks before and after them. */
static void encoded_chunks_are_written_as_they_are(void **state)
{
    memory body = stream_begin(), whole = {0};
    const nytp_chunk version = {.tag = NYTP_VERSION, .version = {5, 0}};
    const nytp_chunk deflate = {.tag = NYTP_START_DEFLATE}, discount = {.tag = NYTP_DISCOUNT};
    const size_t header = strlen("NYTProf 5 0\n");
    (void)state;
    for (size_t i = 0; i < COUNT(deflaters); i++) {
        nytp_writer *writer = nytp_writer_new(nytp_sink_callback(memory_write, &whole, "w"), 6);
        nytp_writer_set_deflate(writer, deflaters[i]);
        assert_int_equal(nytp_writer_chunk(writer, &version), 0);
        assert_int_equal(nytp_writer_chunk(writer, &deflate), 0);
        for (size_t at = header; at < body.size; at++)
            assert_int_equal(nytp_writer_encoded(writer, body.data + at, 1), 0);
        assert_int_equal(nytp_writer_chunk(writer, &discount), 0);
        assert_int_equal(nytp_writer_encoded(writer, body.data + header, body.size - header), 0);
        assert_int_equal(nytp_writer_finish(writer), 0);
        assert_int_equal(nytp_writer_encoded(writer, "-", 1), NYTP_ERR_ARGUMENT);
        nytp_writer_free(writer);
        reading r = read_bytes(whole.data, whole.size, plainly);
        assert_int_equal(r.chunks, 5);
        assert_int_equal(r.end, NYTP_CUT); /* two processes begin, and none ends */
        reading_free(&r);
        memory_free(&whole);
    }
    memory_free(&body);
}

static void an_error_of_the_sink_sticks(void **state)
{
    memory m = {.refuse_from = 20};
    (void)state;
    nytp_writer *writer = nytp_writer_new(nytp_sink_callback(memory_write, &m, "w"), 6);
    assert_int_equal(nytp_writer_encoded(writer, "NYTProf 5 0\n", 12), 0); /* a whole stream may be encoded */
    assert_int_equal(nytp_writer_encoded(writer, "# some text\n", 12), NYTP_ERR_IO);
    assert_int_equal(nytp_writer_encoded(writer, "-", 1), NYTP_ERR_IO);
    assert_int_equal(m.size, 12);
    nytp_writer_free(writer);
    memory_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_comes_back),
        cmocka_unit_test(it_can_go_back_to_a_mark_after_the_end),
        cmocka_unit_test(it_can_change_between_efforts),
        cmocka_unit_test(strong_is_smaller),
        cmocka_unit_test(more_effort_is_smaller),
        cmocka_unit_test(the_highest_effort_refers_to_what_was_flushed),
        cmocka_unit_test(data_of_any_length_comes_back),
        cmocka_unit_test(a_resumed_stream_is_as_small),
        cmocka_unit_test(flushing_again_and_again_is_fine),
        cmocka_unit_test(encoded_chunks_are_written_as_they_are),
        cmocka_unit_test(an_error_of_the_sink_sticks),
    };
    return cmocka_run_group_tests_name("deflate", tests, NULL, NULL);
}
