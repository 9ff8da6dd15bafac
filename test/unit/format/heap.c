/* Records of samples of memory: what is written is read again, and what is cut, or none, is not. */
#include "test/unit/support.h"

#include "base/str.h"
#include "format/heap.h"

#include <string.h>

static const uint64_t numbers[] = {0, 1, 31, 32, 1023, 1024, UINT32_MAX, UINT64_MAX};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static void numbers_are_read_again(void **state)
{
    (void)state;
    for (int i = 0; i < NUMBERS; i++) {
        char text[2 * NYTP_HEAP_LONGEST];
        size_t length = nytp_heap_put(text, NYTP_HEAP_HELD);
        length += nytp_heap_put(text + length, numbers[i]);
        for (size_t cut = 0; cut <= length; cut++) {
            nytp_str left = {text, cut, false};
            nytp_heap_fields f;
            assert_int_equal(nytp_heap_take(&left, &f), cut == length);
            if (cut == length)
                assert_true(f.kind == NYTP_HEAP_HELD && f.first == 0 && f.more[0] == numbers[i]);
        }
    }
}

static void signs_are_kept(void **state)
{
    static const int64_t signed_numbers[] = {0, 1, -1, INT64_MAX, INT64_MIN};
    (void)state;
    for (int i = 0; i < 5; i++)
        assert_true(nytp_heap_signed(nytp_heap_of_signed(signed_numbers[i])) == signed_numbers[i]);
}

static void records_come_one_after_another(void **state)
{
    char text[100];
    nytp_heap_fields f;
    (void)state;
    size_t length = nytp_heap_put(text, (2 * 3 + 1) << NYTP_HEAP_RECORD_BITS | NYTP_HEAP_NAME);
    memcpy(text + length, "abc", 3);
    length += 3 + nytp_heap_put(text + length + 3, 5 << NYTP_HEAP_RECORD_BITS | NYTP_HEAP_TIME);
    nytp_str left = {text, length, false};
    assert_true(nytp_heap_take(&left, &f) && f.kind == NYTP_HEAP_NAME);
    assert_true(f.text.utf8 && nytp_str_is(f.text, "abc"));
    assert_true(nytp_heap_take(&left, &f) && f.kind == NYTP_HEAP_TIME && f.first == 5);
    assert_int_equal(left.length, 0);
}

static void what_is_none_is_refused(void **state)
{
    char unknown[NYTP_HEAP_LONGEST];
    nytp_heap_fields f;
    (void)state;
    const nytp_str none[] = {{unknown, nytp_heap_put(unknown, NYTP_HEAP_SPARSER + 1), false},
                             nytp_str_of(""),
                             nytp_str_of("\x1f"),
                             nytp_str_of("ooooooooooooooooooo0"),
                             nytp_str_of("V60")}; /* a name of 6 bytes, of which there is one */
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        nytp_str left = none[i];
        assert_false(nytp_heap_take(&left, &f));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read_again),
        cmocka_unit_test(signs_are_kept),
        cmocka_unit_test(records_come_one_after_another),
        cmocka_unit_test(what_is_none_is_refused),
    };
    return cmocka_run_group_tests_name("heap", tests, NULL, NULL);
}
