/* What the ticks of a profile measure. */
#include "model/measure.h"
#include "format/memory.h"
#include "test/unit/support.h"

#include <string.h>

static void note(nytp_measure *measure, const char *key, const char *value)
{
    nytp_measure_note(measure, (nytp_str){key, strlen(key), false}, (nytp_str){value, strlen(value), false});
}

static void ticks_are_of_time_unless_said_otherwise(void **state)
{
    nytp_measure measure = nytp_measure_new();
    (void)state;
    assert_true(nytp_measure_is_time(&measure));
    assert_string_equal(nytp_measure_base(&measure)->name, "s");
    assert_string_equal(nytp_measure_smallest(&measure)->name, "ns");
    note(&measure, "ticks_per_sec", "1000");
    note(&measure, "unit", "time");
    assert_true(nytp_measure_is_time(&measure));
    assert_true(measure.ticks_per_base == 1000);
    note(&measure, "unit", "requests");
    note(&measure, "ticks_per_sec", "1048576"); /* for stock's programs */
    assert_false(nytp_measure_is_time(&measure));
    assert_true(measure.ticks_per_base == 1);
    assert_string_equal(measure.noun, "requests");
    assert_string_equal(measure.title, "Requests");
    assert_string_equal(nytp_measure_base(&measure)->name, "requests");
}

static void a_unit_that_is_not_a_word_is_ticks(void **state)
{
    static const char *const odd[] = {"", "two words", "a\tb", "\xc3\xa9",
                                      "123456789012345678901234567890123"};
    (void)state;
    for (size_t i = 0; i < COUNT(odd); i++) {
        nytp_measure measure = nytp_measure_new();
        note(&measure, "unit", odd[i]);
        assert_string_equal(measure.noun, "ticks");
    }
}

static void samples_are_known_whatever_the_order(void **state)
{
    nytp_measure measure = nytp_measure_new();
    (void)state;
    assert_false(nytp_measure_is_sampled(&measure));
    note(&measure, "sampled_hz", "99");
    note(&measure, "unit", "time");
    assert_true(measure.samples_per_base == 99);
    static const char *const senseless[] = {"0", "-1", "nan", "inf", "1e9", "", "x"};
    for (size_t i = 0; i < COUNT(senseless); i++) {
        note(&measure, "sampled_hz", "99");
        note(&measure, "sampled_hz", senseless[i]);
        assert_false(nytp_measure_is_sampled(&measure));
    }
}

static void decimals_show_a_tick_or_a_sample(void **state)
{
    nytp_measure measure = nytp_measure_new();
    (void)state;
    const nytp_unit s = nytp_measure_unit(&measure, "s"), ms = nytp_measure_unit(&measure, "ms"),
                    ns = nytp_measure_unit(&measure, "ns"), ticks = nytp_measure_unit(&measure, "ticks");
    assert_int_equal(nytp_measure_decimals(&measure, &s), 7);
    assert_int_equal(nytp_measure_decimals(&measure, &ms), 4);
    assert_int_equal(nytp_measure_decimals(&measure, &ns), 0);
    assert_int_equal(nytp_measure_decimals(&measure, &ticks), 0);
    assert_true(nytp_measure_ticks(&measure, &ms) == 1e4 && nytp_measure_ticks(&measure, &ticks) == 1);
    note(&measure, "sampled_hz", "100");
    assert_int_equal(nytp_measure_decimals(&measure, &s), 2);
    assert_int_equal(nytp_measure_decimals(&measure, &ms), 0);
    assert_string_equal(nytp_measure_unit(&measure, "KiB").name, "s");
}

static void bytes_have_units_of_two_to_the_tenth(void **state)
{
    nytp_measure measure = nytp_measure_new();
    (void)state;
    note(&measure, "ticks_per_sec", "1048576");
    note(&measure, "unit", "bytes");
    assert_true(nytp_measure_is_bytes(&measure) && !nytp_measure_is_time(&measure));
    assert_true(nytp_measure_is_sampled(&measure)); /* also without the rate */
    assert_string_equal(nytp_measure_count(&measure), "blocks");
    const nytp_unit kib = nytp_measure_unit(&measure, "KiB"), mib = nytp_measure_unit(&measure, "MiB");
    assert_true(nytp_measure_ticks(&measure, &kib) == 1024);
    note(&measure, "sampled_bytes", "65536");
    assert_int_equal(nytp_measure_decimals(&measure, &mib), 2);
    assert_int_equal(nytp_measure_decimals(&measure, &kib), 0);
    note(&measure, "sampled_bytes", "nan");
    assert_true(measure.samples_per_base == 0);
}

static void memory_is_blocks_and_a_kind(void **state)
{
    static const struct {
        const char *value;
        uint64_t blocks;
        const char *kind;
    } rows[] = {{"1 code", 1, "code"},
                {"9007199254740992 value heads", UINT64_C(1) << 53, "value heads"},
                {"9007199254740993 code", 1, "other"},
                {"99999999999999999999999 code", 1, "other"},
                {"0 code", 1, "other"},
                {"-1 code", 1, "other"},
                {"1.5 code", 1, "other"},
                {"7", 1, "other"},
                {"7 ", 1, "other"},
                {"", 1, "other"},
                {" 7 code", 1, "other"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const nytp_memory m = nytp_memory_read((nytp_str){rows[i].value, strlen(rows[i].value), false});
        assert_true(m.blocks == rows[i].blocks);
        assert_int_equal(m.kind.length, strlen(rows[i].kind));
        assert_memory_equal(m.kind.bytes, rows[i].kind, m.kind.length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_are_of_time_unless_said_otherwise),
        cmocka_unit_test(a_unit_that_is_not_a_word_is_ticks),
        cmocka_unit_test(samples_are_known_whatever_the_order),
        cmocka_unit_test(decimals_show_a_tick_or_a_sample),
        cmocka_unit_test(bytes_have_units_of_two_to_the_tenth),
        cmocka_unit_test(memory_is_blocks_and_a_kind),
    };
    return cmocka_run_group_tests_name("measure", tests, NULL, NULL);
}
