/* Marks: what values of attributes say. */
#include "test/unit/support.h"

#include "format/marks.h"

#include <string.h>

static nytp_chunk attribute(const char *key, const char *value)
{
    return (nytp_chunk){.tag = NYTP_ATTRIBUTE,
                        .attribute = {{key, strlen(key), false}, {value, strlen(value), false}}};
}

static void keys_are_kinds(void **state)
{
    (void)state;
    const nytp_chunk option = {.tag = NYTP_OPTION, .attribute = {STR("clock"), STR("1")}};
    assert_int_equal(nytp_mark_kind(&option), NYTP_NO_MARK);
    static const char *const others[] = {"", "clocks", "cloc", "request ", "ticks_per_sec", "Clock"};
    for (size_t i = 0; i < COUNT(others); i++) {
        const nytp_chunk chunk = attribute(others[i], "1");
        nytp_mark mark;
        assert_int_equal(nytp_mark_kind(&chunk), NYTP_NO_MARK);
        assert_false(nytp_mark_read(&chunk, &mark));
        assert_int_equal(mark.kind, NYTP_NO_MARK);
    }
#define IS_KIND(name, key, has_words, is_of_moment)                                                          \
    {                                                                                                        \
        const nytp_chunk chunk = attribute(#key, "x");                                                       \
        assert_int_equal(nytp_mark_kind(&chunk), NYTP_MARK_##name);                                          \
    }
    NYTP_MARKS(IS_KIND)
}

static void numbers_have_names(void **state)
{
    nytp_mark mark;
    (void)state;
    nytp_chunk chunk = attribute("clock", "530 20 1.5 2 500");
    assert_true(nytp_mark_read(&chunk, &mark));
    assert_int_equal(mark.kind, NYTP_MARK_CLOCK);
    assert_int_equal(mark.count, 5);
    assert_true(mark.clock.passed_ticks == 530 && mark.clock.idle_ticks == 20 && mark.clock.off_ticks == 1.5);
    assert_true(mark.clock.depth == 2 && mark.clock.counted_ticks == 500);
    chunk = attribute("eval_end", "3 9");
    assert_true(nytp_mark_read(&chunk, &mark));
    assert_int_equal(mark.count, 2);
    assert_true(mark.eval_end.depth == 3 && mark.eval_end.ticks == 9 && mark.eval_end.is_part == 0);
    chunk = attribute("kept", "-4 3");
    assert_true(nytp_mark_read(&chunk, &mark));
    assert_true(mark.kept.own_values == -4 && mark.kept.values == 3);
    chunk = attribute("trace_context", "4 ab cd");
    assert_true(nytp_mark_read(&chunk, &mark));
    assert_true(mark.trace_context.depth == 4 && mark.words.length == 6);
    assert_memory_equal(mark.words.bytes, " ab cd", 6);
}

/* Whatever has all numbers of its kind, and words if it has any, is written as it was read. */
static void what_is_written_is_read(void **state)
{
    const char *const values[] = {"0",   "7", "7 8", "1 2 3", "9 8 7 6", "5 4 3 2 1", "9007199254740992",
                                  "-3 4"};
    unsigned read = 0;
    (void)state;
#define IS_SAME(name, key, has_words, is_of_moment)                                                          \
    for (size_t i = 0; i < COUNT(values); i++) {                                                             \
        const nytp_chunk chunk = attribute(#key, values[i]);                                                 \
        nytp_mark mark;                                                                                      \
        nytp_mark_text text;                                                                                 \
        if (!nytp_mark_read(&chunk, &mark))                                                                  \
            continue;                                                                                        \
        read++;                                                                                              \
        nytp_mark_write(&mark, &text);                                                                       \
        assert_int_equal(nytp_mark_kind(&text.chunk), NYTP_MARK_##name);                                     \
        assert_int_equal(text.chunk.attribute.value.length, strlen(values[i]));                              \
        assert_memory_equal(text.chunk.attribute.value.bytes, values[i], strlen(values[i]));                 \
    }
    NYTP_MARKS(IS_SAME)
    assert_true(read > 3 * NYTP_MARK_PROCESS_CUT);
    nytp_mark_text text;
    nytp_mark_write(&(nytp_mark){.kind = NYTP_MARK_EVAL_END, .count = 2, .numbers = {1, 2.25}}, &text);
    assert_memory_equal(text.chunk.attribute.value.bytes, "1 2.25", text.chunk.attribute.value.length);
    nytp_mark longest = {.kind = NYTP_MARK_CLOCK, .count = 5};
    for (unsigned i = 0; i < longest.count; i++)
        longest.numbers[i] =
            nytp_mark_number(longest.kind, i) == NYTP_MARK_TICKS ? 0x1p53 / 3 : INT32_MAX - 1;
    nytp_mark_write(&longest, &text);
    assert_true(nytp_mark_read(&text.chunk, &longest));
    assert_int_equal(longest.count, 5);
}

static void other_values_make_no_sense(void **state)
{
    static const struct {
        const char *key, *value;
    } rows[] = {{"request", ""},
                {"request", "x"},
                {"request", "-1"},
                {"request", "1 -2 3"},
                {"request", "1 2 3 4"},
                {"request", "nan"},
                {"request", "1e300"},
                {"request", " "},
                {"clock", "9 1 0 "},
                {"clock", "9 1 0 1.5"},
                {"clock", "9 1 0 2147483647"},
                {"clock", "9 1 0 2 5 6"},
                {"eval_begin", "1 0.5 3"},
                {"eval_begin", "1 2 99999999999"},
                {"eval_end", "-1 5"},
                {"left", "1.5"},
                {"trace_context", "x 1"},
                {"trace_context", ""},
                {"coroutine", "1 2"},
                {"coroutine",
                 "000000000000000000000000000000000000000000000000000000000000000000000000000000000"
                 "00000000000000000000001"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const nytp_chunk chunk = attribute(rows[i].key, rows[i].value);
        nytp_mark mark;
        assert_false(nytp_mark_read(&chunk, &mark));
        assert_int_equal(mark.kind, nytp_mark_kind(&chunk));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_kinds),
        cmocka_unit_test(numbers_have_names),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(other_values_make_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
