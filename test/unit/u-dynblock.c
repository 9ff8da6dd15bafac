/* Dynamic blocks of deflate: whatever literals and matches they are made of, an inflater gives them back. */
#include "test/unit/support.h"

#include "dynblock.h"

#include <stdlib.h>
#include <string.h>

typedef struct stream {
    nytp_dynblock block;
    memory plain, z;
} stream;

static void end_block(stream *s, bool last)
{
    static unsigned char bytes[NYTP_BLOCK_MOST_BYTES + 16];
    static nytp_bits bits;
    if (s->z.size == 0) {
        memory_add(&s->z, "\x78\x9C", 2);
        bits = (nytp_bits){.at = bytes};
    }
    nytp_block_write(&s->block, &bits, last);
    if (last)
        nytp_bits_put(&bits, 0, (8 - bits.count) & 7);
    assert_in_range(bits.at - bytes, 1, NYTP_BLOCK_MOST_BYTES);
    memory_add(&s->z, (char *)bytes, (size_t)(bits.at - bytes));
    bits.at = bytes;
}

static void add(stream *s, const void *bytes, size_t size)
{
    memory_add(&s->plain, bytes, size);
    if (s->block.count == NYTP_BLOCK_SYMBOLS)
        end_block(s, false);
}

static void add_literal(stream *s, unsigned char byte)
{
    nytp_block_literal(&s->block, byte);
    add(s, &byte, 1);
}

static void add_match(stream *s, unsigned length, unsigned distance)
{
    unsigned char bytes[NYTP_MATCH_MOST];
    for (unsigned i = 0; i < length; i++)
        bytes[i] = i < distance ? s->plain.data[s->plain.size - distance + i] : bytes[i - distance];
    nytp_block_match(&s->block, length, distance);
    add(s, bytes, length);
}

static void assert_comes_back(stream *s)
{
    nytp_error error = {0};
    unsigned char check[4], *got = malloc(s->plain.size + 1);
    size_t used = 0;
    ptrdiff_t n;
    end_block(s, true);
    const uint32_t adler = nytp_adler(1, s->plain.data, s->plain.size);
    for (int i = 0; i < 4; i++)
        check[i] = (unsigned char)(adler >> (24 - 8 * i));
    memory_add(&s->z, (char *)check, sizeof check);
    nytp_source *source =
        nytp_inflate_new(nytp_source_memory(s->z.data, s->z.size, "z"), NULL, 0, NYTP_INFLATE_ZLIB);
    while ((n = source->read(source, got + used, s->plain.size + 1 - used, &error)) > 0)
        used += (size_t)n;
    assert_int_equal(n, 0);
    assert_int_equal(used, s->plain.size);
    assert_memory_equal(got, s->plain.data, used);
    assert_null(source->cut);
    nytp_source_free(source);
    free(got);
    memory_free(&s->plain);
    memory_free(&s->z);
    free(s);
}

static stream *stream_new(void)
{
    return calloc(1, sizeof(stream));
}

static void nothing(void **state)
{
    (void)state;
    stream *s = stream_new();
    memory_add(&s->plain, "", 0);
    assert_comes_back(s);
}

static void one_literal(void **state)
{
    (void)state;
    stream *s = stream_new();
    add_literal(s, 0);
    assert_comes_back(s);
}

/* Weights like Fibonacci's numbers make the deepest trees, deeper than the 15 bits that a code may have. */
static void codes_that_would_be_too_long(void **state)
{
    (void)state;
    stream *s = stream_new();
    for (unsigned byte = 0, weight = 1, before = 0; s->plain.size + weight < NYTP_BLOCK_SYMBOLS; byte++) {
        for (unsigned i = 0; i < weight; i++)
            add_literal(s, (unsigned char)byte);
        weight += before;
        before = weight - before;
    }
    assert_comes_back(s);
}

static void every_length_and_distance_code(void **state)
{
    uint64_t seed = 7;
    (void)state;
    stream *s = stream_new();
    for (unsigned i = 0; i < 32768; i++)
        add_literal(s, (unsigned char)random_next(&seed));
    for (unsigned length = NYTP_MATCH_LEAST; length <= NYTP_MATCH_MOST; length++)
        for (unsigned distance = 1; distance <= 32768; distance *= 2) {
            add_match(s, length, distance);
            if (distance > 1)
                add_match(s, length, distance - (unsigned)(random_next(&seed) % distance) / 2);
        }
    assert_comes_back(s);
}

static void blocks_of_the_longest_symbols(void **state)
{
    uint64_t seed = 8;
    (void)state;
    stream *s = stream_new();
    for (unsigned i = 0; i < 32768; i++)
        add_literal(s, (unsigned char)random_next(&seed));
    for (unsigned i = 0; i < 2 * NYTP_BLOCK_SYMBOLS; i++)
        add_match(s, 131 + (unsigned)(random_next(&seed) % 127), 1 + (unsigned)(random_next(&seed) % 32768));
    assert_comes_back(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing),
        cmocka_unit_test(one_literal),
        cmocka_unit_test(codes_that_would_be_too_long),
        cmocka_unit_test(every_length_and_distance_code),
        cmocka_unit_test(blocks_of_the_longest_symbols),
    };
    return cmocka_run_group_tests_name("dynblock", tests, NULL, NULL);
}
