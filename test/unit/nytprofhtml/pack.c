/* Blocks of a report: raw deflate, in base 85, as converters/nytprofhtml/DATA.md describes it. */
#include "converters/nytprofhtml/json.h"
#include "test/unit/support.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* What is between the tags. free() it. */
static char *written(const guint8 *bytes, guint size)
{
    static const char open[] = "<script type=\"text/plain\" id=\"x\">", close[] = "</script>\n";
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    GByteArray *array = g_byte_array_new();
    g_byte_array_append(array, bytes, size);
    html_pack_write_bytes(array, "x", out);
    g_byte_array_unref(array);
    fclose(out);
    assert_memory_equal(text, open, strlen(open));
    assert_string_equal(text + length - strlen(close), close);
    text[length - strlen(close)] = '\0';
    memmove(text, text + strlen(open), length - strlen(open) - strlen(close) + 1);
    return text;
}

static uint32_t value_of(char digit)
{
    assert_true(digit >= '(' && digit <= '~' && digit != '<' && digit != '\\');
    return (uint32_t)(digit - '(' - (digit > '<') - (digit > '\\'));
}

/* The bytes that such text stands for; returns how many. */
static size_t decoded(const char *text, guint8 *bytes)
{
    size_t length = strlen(text), count = 0;
    for (size_t from = 0; from < length; from += 5) {
        uint64_t group = 0;
        for (size_t i = from; i < from + 5; i++)
            group = group * 85 + (i < length ? value_of(text[i]) : 84);
        size_t some = length - from < 5 ? length - from - 1 : 4;
        for (size_t i = 0; i < some; i++)
            bytes[count++] = (guint8)(group >> (24 - 8 * i));
    }
    return count;
}

static void known_texts(void **state)
{
    (void)state;
    static const struct {
        guint8 bytes[4];
        guint size;
        const char *text;
    } cases[] = {{{0}, 0, ""},
                 {{0}, 4, "((((("},
                 {{0}, 1, "(("},
                 {{0, 0, 0, 84}, 4, "((((~"},
                 {{0, 0, 0, 85}, 4, "((()("}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = written(cases[i].bytes, cases[i].size);
        assert_string_equal(text, cases[i].text);
        free(text);
    }
}

/* Around the number of bytes that are written at once, and all remainders of 4. */
static void all_lengths(void **state)
{
    (void)state;
    enum { MOST = 3 * 16384 };
    static guint8 bytes[MOST], back[MOST];
    uint32_t random = 1;
    for (size_t i = 0; i < MOST; i++)
        bytes[i] = i < 64 ? 0xFF : (guint8)((random = random * 1664525 + 1013904223) >> 24);
    for (guint size = 0; size < MOST; size += size < 40 || (size >= 16380 && size < 16390) ? 1 : 997) {
        char *text = written(bytes, size);
        assert_int_equal(decoded(text, back), size);
        assert_memory_equal(back, bytes, size);
        free(text);
    }
}

/* Asserts that deflated data are those bytes. */
static void assert_inflates_to(const GByteArray *deflated, const guint8 *bytes, size_t size)
{
    guint8 *out = g_malloc(size + 1);
    z_stream z = {
        .next_in = deflated->data, .avail_in = deflated->len, .next_out = out, .avail_out = (uInt)size + 1};
    assert_int_equal(inflateInit2(&z, -15), Z_OK);
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(z.avail_in, 0);
    assert_int_equal(z.total_out, size);
    assert_memory_equal(out, bytes, size);
    inflateEnd(&z);
    g_free(out);
}

/* Blocks of some pieces, of none, and of exactly one come out in their order, whether they are taken at once
 * or at the end. */
static void blocks_in_order(void **state)
{
    (void)state;
    enum { PIECE = 256 << 10, MOST = 9 * PIECE + 5 };
    static const size_t sizes[] = {MOST, 0, PIECE, 3, (size_t)2 * PIECE, PIECE + 1};
    guint8 *bytes = g_malloc(MOST);
    for (size_t i = 0; i < MOST; i++)
        bytes[i] = (guint8)(i % 251 * (i / 10007));
    for (int at_once = 0; at_once <= 1; at_once++) {
        html_pack *pack = html_pack_new();
        assert_null(html_pack_take(pack));
        for (size_t i = 0; i < COUNT(sizes); i++) {
            for (size_t at = 0; at < sizes[i]; at += 30011)
                html_pack_add(pack, bytes + at, MIN(30011, sizes[i] - at));
            html_pack_end(pack);
            GByteArray *block = at_once ? html_pack_take(pack) : NULL;
            if (block != NULL) {
                assert_inflates_to(block, bytes, sizes[i]);
                g_byte_array_unref(block);
            }
        }
        for (size_t i = 0; i < COUNT(sizes) && !at_once; i++) {
            GByteArray *block = html_pack_take(pack);
            assert_inflates_to(block, bytes, sizes[i]);
            g_byte_array_unref(block);
        }
        assert_null(html_pack_take(pack));
        html_pack_add(pack, bytes, MOST); /* what has not ended is freed */
        html_pack_free(pack);
    }
    g_free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_texts), cmocka_unit_test(all_lengths),
                                       cmocka_unit_test(blocks_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
