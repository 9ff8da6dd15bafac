/* The primitives: the bytes that are written, and the values that are read back. */
#include "test/unit/support.h"

#include "bytes/source.h"
#include "format/primitives.h"

#include <math.h>
#include <stdlib.h>

typedef struct encoding {
    uint32_t value;
    size_t size;
    unsigned char bytes[NYTP_U32_MAX];
} encoding;

/* Both sides of every boundary between lengths. */
static const encoding u32_encodings[] = {
    {0, 1, {0}},
    {0x7F, 1, {0x7F}},
    {0x80, 2, {0x80, 0x80}},
    {0x3FFF, 2, {0xBF, 0xFF}},
    {0x4000, 3, {0xC0, 0x40, 0x00}},
    {0x1FFFFF, 3, {0xDF, 0xFF, 0xFF}},
    {0x200000, 4, {0xE0, 0x20, 0x00, 0x00}},
    {0xFFFFFFF, 4, {0xEF, 0xFF, 0xFF, 0xFF}},
    {0x10000000, 5, {0xFF, 0x10, 0x00, 0x00, 0x00}},
    {0xFFFFFFFF, 5, {0xFF, 0xFF, 0xFF, 0xFF, 0xFF}},
};

static nytp_cursor cursor_over(unsigned char padded[], size_t size)
{
    return (nytp_cursor){.at = padded, .end = padded + size};
}

static void u32_has_the_bytes_of_the_format(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(u32_encodings); i++) {
        const encoding *e = &u32_encodings[i];
        unsigned char bytes[NYTP_PAD] = {0};
        assert_int_equal(nytp_put_u32(bytes, e->value) - bytes, e->size);
        assert_memory_equal(bytes, e->bytes, e->size);
        nytp_cursor c = cursor_over(bytes, e->size);
        assert_int_equal(nytp_get_u32(&c), e->value);
        assert_ptr_equal(c.at, c.end);
    }
}

static void u32_round_trips_around_every_power_of_two(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 32; bit++) {
        for (uint32_t delta = 0; delta < 3; delta++) {
            uint32_t value = (UINT32_C(1) << bit) + delta - 1;
            unsigned char bytes[NYTP_PAD] = {0};
            nytp_cursor c = cursor_over(bytes, (size_t)(nytp_put_u32(bytes, value) - bytes));
            assert_int_equal(nytp_get_u32(&c), value);
            assert_ptr_equal(c.at, c.end);
        }
    }
}

/* Stock reads three more bytes, with the mask 0x0F. */
static void u32_is_lenient_with_first_bytes_never_written(void **state)
{
    (void)state;
    for (unsigned first = 0xF0; first < 0xFF; first++) {
        unsigned char bytes[NYTP_PAD] = {(unsigned char)first, 1, 2, 3, 4};
        nytp_cursor c = cursor_over(bytes, 5);
        assert_int_equal(nytp_get_u32(&c), (first & 0x0F) << 24 | 0x010203);
        assert_ptr_equal(c.at, bytes + 4);
    }
}

static void i32_round_trips_and_negatives_take_five_bytes(void **state)
{
    static const int32_t values[] = {0, 1, -1, 127, 128, -128, INT32_MAX, INT32_MIN};
    (void)state;
    for (size_t i = 0; i < COUNT(values); i++) {
        unsigned char bytes[NYTP_PAD] = {0};
        size_t size = (size_t)(nytp_put_i32(bytes, values[i]) - bytes);
        nytp_cursor c = cursor_over(bytes, size);
        assert_true(nytp_get_i32(&c) == values[i]);
        if (values[i] < 0)
            assert_int_equal(size, 5);
    }
}

static void nv_keeps_every_bit(void **state)
{
    static const double values[] = {0.0, -0.0, 1.5, -1e308, 5e-324, INFINITY, NAN};
    (void)state;
    for (size_t i = 0; i < COUNT(values); i++) {
        unsigned char bytes[NYTP_PAD] = {0};
        assert_int_equal(nytp_put_nv(bytes, values[i]) - bytes, NYTP_NV_SIZE);
        nytp_cursor c = cursor_over(bytes, NYTP_NV_SIZE);
        double back = nytp_get_nv(&c);
        assert_memory_equal(&back, &values[i], sizeof back);
        assert_ptr_equal(c.at, c.end);
    }
}

static void str_keeps_bytes_and_utf8(void **state)
{
    const nytp_str values[] = {STR(""), STR("main::f"), STR("a\0b\nc"), UTF8("\xe2\x82\xac"), UTF8("")};
    (void)state;
    for (size_t i = 0; i < COUNT(values); i++) {
        unsigned char bytes[NYTP_PAD] = {0};
        size_t size = (size_t)(nytp_put_str(bytes, values[i]) - bytes);
        assert_int_equal(size, 2 + values[i].length);
        assert_int_equal(bytes[0], values[i].utf8 ? '"' : '\'');
        nytp_cursor c = cursor_over(bytes, size);
        nytp_str back = nytp_get_str(&c);
        assert_ptr_equal(c.at, c.end);
        assert_null(c.bad);
        assert_int_equal(back.length, values[i].length);
        assert_memory_equal(back.bytes, values[i].bytes, back.length);
        assert_int_equal(back.utf8, values[i].utf8);
    }
}

/* Wherever it is cut, the cursor is past the end, and the string is not invalid. */
static void a_string_that_is_cut_is_not_invalid(void **state)
{
    char text[300];
    unsigned char bytes[sizeof text + NYTP_PAD];
    (void)state;
    memset(text, 'x', sizeof text);
    size_t size = (size_t)(nytp_put_str(bytes, (nytp_str){text, sizeof text, false}) - bytes);
    for (size_t cut = 0; cut < size; cut++) {
        unsigned char *padded =
            calloc(1, cut + NYTP_PAD); /* exactly as large, so that ASan notices a read past it */
        memcpy(padded, bytes, cut);
        nytp_cursor c = cursor_over(padded, cut);
        nytp_get_str(&c);
        assert_true(c.at > c.end && c.at < c.end + NYTP_PAD);
        assert_null(c.bad);
        free(padded);
    }
}

static void str_with_another_tag_is_bad(void **state)
{
    unsigned char bytes[NYTP_PAD] = {'"' + 1, 1, 'x'};
    nytp_cursor c = cursor_over(bytes, 3);
    (void)state;
    nytp_get_str(&c);
    assert_ptr_equal(c.bad, bytes);
    assert_string_equal(c.expected, "a string (' or \")");
}

static void str_that_claims_more_than_32_mib_is_bad(void **state)
{
    static const struct {
        uint32_t claim;
        bool bad;
    } cases[] = {{NYTP_STR_LONGEST, false}, {NYTP_STR_LONGEST + 1, true}, {UINT32_MAX, true}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        unsigned char bytes[NYTP_PAD] = {'\''};
        nytp_cursor c = cursor_over(bytes, (size_t)(nytp_put_u32(bytes + 1, cases[i].claim) - bytes));
        nytp_get_str(&c);
        assert_ptr_equal(c.bad, cases[i].bad ? bytes : NULL);
        assert_true(c.at > c.end);
    }
}

/* Even if all of it is there, since the result must not depend on how much was buffered. */
static void str_of_more_than_32_mib_is_bad_though_it_is_there(void **state)
{
    (void)state;
    for (uint32_t more = 0; more < 2; more++) {
        unsigned char *bytes = calloc(1, NYTP_STR_LONGEST + 2 * NYTP_PAD);
        bytes[0] = '"';
        unsigned char *text = nytp_put_u32(bytes + 1, NYTP_STR_LONGEST + more);
        nytp_cursor c = {.at = bytes, .end = text + NYTP_STR_LONGEST + more};
        nytp_get_str(&c);
        assert_ptr_equal(c.bad, more ? bytes : NULL);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(u32_has_the_bytes_of_the_format),
        cmocka_unit_test(u32_round_trips_around_every_power_of_two),
        cmocka_unit_test(u32_is_lenient_with_first_bytes_never_written),
        cmocka_unit_test(i32_round_trips_and_negatives_take_five_bytes),
        cmocka_unit_test(nv_keeps_every_bit),
        cmocka_unit_test(str_keeps_bytes_and_utf8),
        cmocka_unit_test(a_string_that_is_cut_is_not_invalid),
        cmocka_unit_test(str_with_another_tag_is_bad),
        cmocka_unit_test(str_that_claims_more_than_32_mib_is_bad),
        cmocka_unit_test(str_of_more_than_32_mib_is_bad_though_it_is_there),
    };
    return cmocka_run_group_tests_name("primitives", tests, NULL, NULL);
}
