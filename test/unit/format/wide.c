/* Profiles of perls whose NVs are not doubles: the same chunks as in one of doubles, however they are cut. */
#include "test/unit/support.h"

#include "format/chunks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Appends an NV in one of the formats, with something in the padding. */
typedef unsigned char *put_nv_fn(unsigned char *p, double value);

/* The 64 bits of the mantissa, and the sign and the exponent above them. */
static uint64_t split(double value, unsigned *sign_exponent)
{
    int exponent;
    const double fraction = frexp(fabs(value), &exponent);
    *sign_exponent = (signbit(value) ? 0x8000 : 0);
    if (isinf(value) || isnan(value)) {
        *sign_exponent |= 0x7FFF;
        return UINT64_C(1) << 63 | (isnan(value) ? UINT64_C(1) << 62 : 0);
    }
    if (value != 0)
        *sign_exponent |= (unsigned)(exponent - 1 + 16383);
    return (uint64_t)ldexp(fraction, 64);
}

static unsigned char *put_low_first(unsigned char *p, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        *p++ = (unsigned char)(value >> 8 * i);
    return p;
}

static unsigned char *put_x87(unsigned char *p, double value, size_t size)
{
    unsigned sign_exponent;
    p = put_low_first(p, split(value, &sign_exponent), 8);
    p = put_low_first(p, sign_exponent, 2);
    memset(p, 0xA5, size - 10);
    return p + size - 10;
}

static unsigned char *put_x87_12(unsigned char *p, double value)
{
    return put_x87(p, value, 12);
}

static unsigned char *put_x87_16(unsigned char *p, double value)
{
    return put_x87(p, value, 16);
}

static unsigned char *put_binary128(unsigned char *p, double value)
{
    unsigned sign_exponent;
    const uint64_t mantissa = split(value, &sign_exponent);
    p = put_low_first(p, 0, 6);
    p = put_low_first(p, mantissa << 1, 8);
    return put_low_first(p, sign_exponent, 2);
}

static unsigned char *put_reversed(unsigned char *p, double value)
{
    unsigned char bytes[16];
    put_binary128(bytes, value);
    for (size_t i = sizeof bytes; i > 0; i--)
        *p++ = bytes[i - 1];
    return p;
}

/* ---- streams ---- */

#define PUT_u32           nytp_put_u32
#define PUT_i32           nytp_put_i32
#define PUT_nv            put_nv
#define PUT_str           nytp_put_str
#define PUT_absent        nytp_put_absent
#define PUT(type, member) p = PUT_##type(p, chunk->member);

static void add_chunk(memory *m, const nytp_chunk *chunk, put_nv_fn *put_nv)
{
    unsigned char bytes[4096], *p = bytes;
    *p++ = (unsigned char)chunk->tag;
    switch (chunk->tag) {
#define CASE(name)                                                                                           \
    case NYTP_##name: NYTP_FIELDS_##name(PUT) break;
        NYTP_BINARY_CHUNKS(CASE)
#undef CASE
    case NYTP_COMMENT: p = bytes; break;
    default: return; /* text that does not matter here */
    }
    memory_add(m, (const char *)bytes, (size_t)(p - bytes));
}

/* A stream with the binary chunks of sample_stream(), whose NVs have another format. */
static memory wide_stream(const char *nv_size, put_nv_fn *put_nv, bool compressed)
{
    memory doubles = sample_stream(false), head = {0}, rest = {0};
    nytp_chunk chunk;
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(doubles.data, doubles.size, "p.out"));
    memory_add(&head, "NYTProf 5 0\n:nv_size=", 21);
    memory_add(&head, nv_size, strlen(nv_size));
    memory_add(&head, "\n", 1);
    while (nytp_reader_next(reader, &chunk) == NYTP_OK)
        add_chunk(&rest, &chunk, put_nv);
    nytp_reader_free(reader);
    if (compressed) {
        memory_add(&head, "z", 1);
        memory_deflate(&head, rest.data, rest.size, NYTP_DEFLATE_END);
    } else {
        memory_add(&head, (const char *)rest.data, rest.size);
    }
    memory_free(&doubles);
    memory_free(&rest);
    return head;
}

static unsigned char *put_double(unsigned char *p, double value)
{
    return nytp_put_nv(p, value);
}

/* ---- tests ---- */

static const struct {
    const char *nv_size;
    put_nv_fn *put_nv;
} formats[] = {{"12", put_x87_12}, {"16", put_x87_16}, {"16", put_binary128}};

static void they_are_read_as_doubles_are(void **state)
{
    size_t count;
    const way *all = ways(&count);
    (void)state;
    for (size_t i = 0; i < 2 * COUNT(formats); i++) {
        memory doubles = wide_stream("8", put_double, i % 2);
        memory wide = wide_stream(formats[i / 2].nv_size, formats[i / 2].put_nv, i % 2);
        reading want = read_bytes(doubles.data, doubles.size, plainly);
        assert_int_equal(want.end, NYTP_END);
        for (size_t w = 0; w < count; w++) {
            reading r = read_bytes(wide.data, wide.size, all[w]);
            assert_int_equal(r.end, NYTP_END);
            assert_string_equal(r.text, want.text);
            reading_free(&r);
        }
        reading_free(&want);
        memory_free(&doubles);
        memory_free(&wide);
    }
}

static void every_prefix_is_cut(void **state)
{
    size_t count;
    const way *all = ways(&count);
    (void)state;
    for (size_t i = 0; i < COUNT(formats); i++) {
        memory wide = wide_stream(formats[i].nv_size, formats[i].put_nv, false);
        reading whole = read_bytes(wide.data, wide.size, plainly);
        for (size_t cut = 0; cut < wide.size; cut++) {
            /* a copy, so that a sanitizer sees what is read after its end */
            unsigned char *bytes = malloc(cut + 1);
            memcpy(bytes, wide.data, cut);
            reading r = read_bytes(bytes, cut, all[cut % count]);
            assert_int_equal(r.end, NYTP_CUT);
            assert_prefix(&r, &whole);
            reading_free(&r);
            free(bytes);
        }
        reading_free(&whole);
        memory_free(&wide);
    }
}

static void one_process(memory *m, const char *nv_size, put_nv_fn *put_nv, double time_s)
{
    nytp_chunk chunk = {.tag = NYTP_PID_START, .pid_start = {7, 1, time_s}};
    memory_add(m, "NYTProf 5 0\n:nv_size=", 21);
    memory_add(m, nv_size, strlen(nv_size));
    memory_add(m, "\n", 1);
    add_chunk(m, &chunk, put_nv);
    chunk = (nytp_chunk){.tag = NYTP_PID_END, .pid_end = {7, time_s}};
    add_chunk(m, &chunk, put_nv);
}

/* Every value, after a time that makes sense. */
static void every_value_is_kept(void **state)
{
    static const double values[] = {0.0, -0.0, 1.0, -1.5, 1e300, -1e-300, 1732406400.123456, INFINITY, NAN};
    (void)state;
    for (size_t i = 0; i < COUNT(formats); i++) {
        memory m = {0};
        nytp_chunk chunk;
        one_process(&m, formats[i].nv_size, formats[i].put_nv, 1732406400.5);
        for (size_t v = 0; v < COUNT(values); v++) {
            chunk = (nytp_chunk){.tag = NYTP_SUB_RETURN, .sub_return = {1, values[v], values[v], STR("f")}};
            add_chunk(&m, &chunk, formats[i].put_nv);
        }
        nytp_reader *reader = nytp_reader_new(nytp_source_memory(m.data, m.size, "p.out"));
        nytp_reader_set_tags(reader, NYTP_BIT(SUB_RETURN));
        for (size_t v = 0; v < COUNT(values); v++) {
            assert_int_equal(nytp_reader_next(reader, &chunk), NYTP_OK);
            const double got = chunk.sub_return.excl_ticks;
            /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): -0 is not 0 */
            assert_true(isnan(values[v]) ? isnan(got) : memcmp(&got, &values[v], sizeof got) == 0);
        }
        assert_int_equal(nytp_reader_next(reader, &chunk), NYTP_END);
        nytp_reader_free(reader);
        memory_free(&m);
    }
}

static unsigned char *put_big_endian(unsigned char *p, double value)
{
    unsigned char bytes[8];
    memcpy(bytes, &value, sizeof bytes);
    for (size_t i = sizeof bytes; i > 0; i--)
        *p++ = bytes[i - 1];
    return p;
}

static void the_other_order_of_bytes_is_refused(void **state)
{
    static const struct {
        const char *nv_size;
        put_nv_fn *put_nv;
        const char *message;
    } cases[] = {
        {"8", put_big_endian,
         "p.out: offset 23: the numbers are big-endian: only little-endian ones can be read"},
        {"16", put_reversed,
         "p.out: offset 24: numbers of 16 bytes that are neither long doubles of x86 nor little-endian "
         "binary128"},
    };
    (void)state;
    for (size_t i = 0; i < 2 * COUNT(cases); i++) {
        memory m = {0};
        one_process(&m, cases[i / 2].nv_size, cases[i / 2].put_nv, i % 2 ? 1732406400.123456 : 1732406400);
        reading r = read_bytes(m.data, m.size, plainly);
        assert_int_equal(r.end, NYTP_ERR_UNSUPPORTED);
        assert_string_equal(r.error.message, cases[i / 2].message);
        reading_free(&r);
        memory_free(&m);
    }
}

/* Each of several profiles in a file has a format of its own. */
static void the_next_profile_has_doubles_again(void **state)
{
    memory m = {0};
    nytp_chunk chunk;
    (void)state;
    one_process(&m, "16", put_binary128, 1732406400);
    memory doubles = stream_begin();
    memory_add(&m, (const char *)doubles.data, doubles.size);
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(m.data, m.size, "p.out"));
    nytp_reader_set_tags(reader, NYTP_BIT(PID_START));
    assert_int_equal(nytp_reader_next(reader, &chunk), NYTP_OK);
    assert_true(chunk.pid_start.time_s == 1732406400);
    assert_int_equal(nytp_reader_next(reader, &chunk), NYTP_END);
    assert_int_equal(nytp_reader_next_profile(reader, NULL), NYTP_OK);
    assert_int_equal(nytp_reader_next(reader, &chunk), NYTP_OK);
    assert_true(chunk.pid_start.time_s == 1.5);
    nytp_reader_free(reader);
    memory_free(&doubles);
    memory_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_read_as_doubles_are),
        cmocka_unit_test(every_prefix_is_cut),
        cmocka_unit_test(every_value_is_kept),
        cmocka_unit_test(the_other_order_of_bytes_is_refused),
        cmocka_unit_test(the_next_profile_has_doubles_again),
    };
    return cmocka_run_group_tests_name("wide", tests, NULL, NULL);
}
