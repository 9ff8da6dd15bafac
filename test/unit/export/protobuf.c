/* Messages of protocol buffers, read back by a plain reader that follows the description of the format. */
#include "export/protobuf.h"
#include "test/unit/support.h"

#include <stdlib.h>
#include <string.h>

typedef struct written {
    char *bytes;
    size_t size, at;
} written;

static nytp_proto begin(written *w, FILE **out)
{
    nytp_proto p;
    *w = (written){0};
    *out = open_memstream(&w->bytes, &w->size);
    nytp_proto_init(&p, *out);
    return p;
}

static void finish(nytp_proto *p, FILE *out)
{
    nytp_proto_finish(p);
    fclose(out);
}

static uint64_t read_varint(written *w)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        assert_true(w->at < w->size);
        unsigned char byte = (unsigned char)w->bytes[w->at++];
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return value;
    }
}

static void assert_key(written *w, unsigned field, unsigned type)
{
    assert_int_equal(read_varint(w), field << 3 | type);
}

static void a_length_comes_before_contents_of_any_size(void **state)
{
    static const size_t sizes[] = {0, 1, 122, 123, 124, 125, 126, 127, 128, 16375, 16384, 40000, 3000000};
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        written w;
        FILE *out;
        nytp_proto p = begin(&w, &out);
        char *text = malloc(sizes[i] + 1);
        memset(text, 'x', sizes[i]);
        size_t outer = nytp_proto_begin(&p, 1), inner = nytp_proto_begin(&p, 2000);
        nytp_proto_bytes(&p, 3, text, sizes[i]);
        nytp_proto_end(&p, inner);
        nytp_proto_number(&p, 4, 5);
        nytp_proto_end(&p, outer);
        finish(&p, out);
        assert_key(&w, 1, 2);
        uint64_t length = read_varint(&w);
        assert_int_equal(length, w.size - w.at);
        assert_key(&w, 2000, 2);
        length = read_varint(&w);
        assert_int_equal(length, w.size - w.at - 2);
        assert_key(&w, 3, 2);
        assert_int_equal(read_varint(&w), sizes[i]);
        assert_memory_equal(w.bytes + w.at, text, sizes[i]);
        w.at += sizes[i];
        assert_key(&w, 4, 0);
        assert_int_equal(read_varint(&w), 5);
        assert_int_equal(w.at, w.size);
        free(text);
        free(w.bytes);
    }
}

static void numbers_have_all_64_bits_and_zeros_are_left_out(void **state)
{
    static const uint64_t numbers[] = {1, 127, 128, 16383, 16384, UINT32_MAX, INT64_MAX, (uint64_t)-1};
    written w;
    FILE *out;
    (void)state;
    nytp_proto p = begin(&w, &out);
    nytp_proto_number(&p, 1, 0);
    nytp_proto_number_always(&p, 2, 0);
    for (size_t i = 0; i < COUNT(numbers); i++)
        nytp_proto_number(&p, 3, numbers[i]);
    size_t packed = nytp_proto_begin(&p, 4);
    for (size_t i = 0; i < COUNT(numbers); i++)
        nytp_proto_packed(&p, numbers[i]);
    nytp_proto_end(&p, packed);
    finish(&p, out);
    assert_key(&w, 2, 0);
    assert_int_equal(read_varint(&w), 0);
    for (size_t i = 0; i < COUNT(numbers); i++) {
        assert_key(&w, 3, 0);
        assert_true(read_varint(&w) == numbers[i]);
    }
    assert_key(&w, 4, 2);
    uint64_t length = read_varint(&w);
    assert_int_equal(length, w.size - w.at);
    for (size_t i = 0; i < COUNT(numbers); i++)
        assert_true(read_varint(&w) == numbers[i]);
    assert_int_equal(w.at, w.size);
    free(w.bytes);
}

static void messages_do_not_pile_up_in_memory(void **state)
{
    enum { MESSAGES = 200000 };
    written w;
    FILE *out;
    (void)state;
    nytp_proto p = begin(&w, &out);
    const size_t capacity = p.capacity;
    for (unsigned i = 0; i < MESSAGES; i++) {
        size_t message = nytp_proto_begin(&p, 1);
        nytp_proto_number_always(&p, 2, i);
        nytp_proto_end(&p, message);
        nytp_proto_bytes(&p, 3, "text", 4);
    }
    assert_int_equal(p.capacity, capacity);
    finish(&p, out);
    for (unsigned i = 0; i < MESSAGES; i++) {
        assert_key(&w, 1, 2);
        read_varint(&w);
        assert_key(&w, 2, 0);
        assert_int_equal(read_varint(&w), i);
        assert_key(&w, 3, 2);
        assert_int_equal(read_varint(&w), 4);
        w.at += 4;
    }
    assert_int_equal(w.at, w.size);
    free(w.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_length_comes_before_contents_of_any_size),
        cmocka_unit_test(numbers_have_all_64_bits_and_zeros_are_left_out),
        cmocka_unit_test(messages_do_not_pile_up_in_memory),
    };
    return cmocka_run_group_tests_name("protobuf", tests, NULL, NULL);
}
