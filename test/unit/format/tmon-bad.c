/* A tmon.out that stops early, or is damaged. */
#include "test/unit/support.h"
#include "test/unit/tmon_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The chunks before the end, and its message. */
static void assert_ends(const char *tmon, size_t size, int end, const char *calls, const char *message)
{
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(tmon, size, "p.out"));
    char *text = tmon_calls(reader);
    if (message != NULL)
        assert_string_equal(nytp_reader_error(reader)->message, message);
    assert_int_equal(nytp_reader_error(reader)->code, end == NYTP_END ? NYTP_OK : end);
    if (calls != NULL)
        assert_string_equal(text, calls);
    nytp_reader_free(reader);
    free(text);
}

/* ---- cut ---- */

#define CALLS    "+ 2\n@ 10 0 10\n& 3 Foo b\n+ 3\n@ 5 0 5\n* 2\n@ 5 0 5\n- 3\n/ 2"
#define WRITE    "+ & Devel::DProf::write"
#define WRITTEN  "- & Devel::DProf::write"
#define DEFINED  TMON_HEAD("") "& 2 main a\n"
#define RETURNED DEFINED CALLS
static const char whole[] = RETURNED "\n" WRITE "\n@ 1 1 1\n" WRITTEN "\n";

/* If no call is open and the last line is complete, a cut profile cannot be told from a complete one. */
static bool looks_whole(size_t size)
{
    static const size_t sizes[] = {
        sizeof TMON_HEAD("") - 1,
        sizeof DEFINED - 1,
        sizeof RETURNED - 1,
        sizeof RETURNED "\n" - 1,
        sizeof RETURNED "\n" WRITE "\n" - 1,
        sizeof RETURNED "\n" WRITE "\n@ 1 1 1" - 1,
        sizeof RETURNED "\n" WRITE "\n@ 1 1 1\n" - 1,
        sizeof whole - 2,
    };
    for (size_t i = 0; i < COUNT(sizes); i++)
        if (sizes[i] == size)
            return true;
    return false;
}

/* Returns how many lines at the start of text are also those of other. */
static size_t common_lines(const char *text, const char *other)
{
    size_t lines = 0;
    for (size_t i = 0; text[i] != '\0' && text[i] == other[i]; i++)
        lines += text[i] == '\n';
    return lines;
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

static char *calls_of_first(size_t size, nytp_error *error)
{
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(whole, size, "p.out"));
    char *text = tmon_calls(reader);
    *error = *nytp_reader_error(reader);
    nytp_reader_free(reader);
    return text;
}

/* Complete lines give the same chunks as in the whole file; then the open calls return. */
static void every_prefix_is_cut(void **state)
{
    nytp_error error;
    size_t most = 0;
    char *all = calls_of_first(sizeof whole - 1, &error);
    (void)state;
    assert_int_equal(error.code, NYTP_OK);
    for (size_t size = 0; size < sizeof whole - 1; size++) {
        char *text = calls_of_first(size, &error);
        size_t entries = 0, common = common_lines(text, all);
        for (const char *at = text; (at = strchr(at, '>')) != NULL; at++)
            entries++;
        assert_int_equal(count_lines(text), entries * 2);
        assert_true(common >= most);
        most = common;
        assert_int_equal(error.code, looks_whole(size) ? NYTP_OK : NYTP_CUT);
        free(text);
    }
    assert_int_equal(most, count_lines(all));
    free(all);
}

static void the_message_says_what_is_missing(void **state)
{
    static const char open[] = TMON_HEAD("") "& 2 m a\n+ 2\n& 3 m b\n+ 3\n+ 2\n+ 3\n+ 3\n@ 7 0 0\n";
    static const char killed[] = "#fOrTyTwO\n$hz=100;\n     \n\nPART2\n+ & m::a\n- & m::a\n";
    (void)state;
    assert_ends(open, 5, NYTP_CUT, "", "p.out: cut short at offset 0, within a VERSION chunk");
    assert_ends(open, 15, NYTP_CUT, "", "p.out: cut short at offset 15, within a line");
    assert_ends(open, sizeof open - 1, NYTP_CUT,
                "> m::a\n> m::b\n> m::a\n> m::b\n> m::b\n< 5 7 7 m::b\n< 4 7 0 m::b\n< 3 7 0 m::a\n"
                "< 2 7 0 m::b\n< 1 7 0 m::a\n",
                "p.out: cut short at offset 203; no exit of m::b, m::b, m::a and 2 more");
    assert_ends(killed, sizeof killed - 1, NYTP_CUT, "> m::a\n< 1 0 0 m::a\n",
                "p.out: cut short at offset 50: the header has no $rrun_rtime, which comes last");
}

/* Calls without an exit mark return when their caller does. */
static void calls_without_exits_return_with_their_callers(void **state)
{
    static const char tmon[] =
        TMON_HEAD("") "& 2 m a\n& 3 m b\n& 4 m c\n+ 2\n@ 1 0 0\n+ 3\n@ 2 0 0\n+ 4\n@ 4 0 0\n"
                      "- 2\n+ 2\n@ 8 0 0\n- 2\n";
    (void)state;
    assert_ends(tmon, sizeof tmon - 1, NYTP_CUT,
                "> m::a\n> m::b\n> m::c\n< 3 4 4 m::c\n< 2 6 2 m::b\n< 1 7 1 m::a\n> m::a\n< 1 8 8 m::a\n",
                "p.out: cut short at offset 239; no exit of m::c, m::b");
}

/* ---- damaged ---- */

static void assert_damaged(const char *line, const char *what)
{
    char tmon[600], message[200];
    int before = snprintf(tmon, sizeof tmon, "%s", TMON_HEAD("") "& 2 m a\n+ 2\n- 2\n");
    snprintf(tmon + before, sizeof tmon - (size_t)before, "%s\n+ 2\n- 2\n", line);
    snprintf(message, sizeof message, "p.out: offset %d: %s", before, what);
    assert_ends(tmon, strlen(tmon), NYTP_ERR_FORMAT, "> m::a\n< 1 0 0 m::a\n", message);
}

static void damage_is_reported(void **state)
{
    static const char no_mark[] = "expected a mark: one of + - / * @ & #";
    static const char no_what[] = "expected an id, \"& NAME\" or \"USER SYSTEM REAL NAME\" after the mark";
    static const char no_id[] = "expected an id that was defined before";
    static const char no_times[] = "expected \"@ USER SYSTEM REAL\", three whole numbers of ticks";
    (void)state;
    assert_damaged("?", no_mark);
    assert_damaged("PAR", no_mark);
    assert_damaged("\xff", no_mark);
    assert_damaged("+", no_what);
    assert_damaged("- g", no_what);
    assert_damaged("- 1 2 x y", no_what);
    assert_damaged("+ 123456789", no_what);
    assert_damaged("+ 1", no_id);
    assert_damaged("- fffffff0", no_id);
    assert_damaged("+ & ", "expected the name of a sub");
    assert_damaged("+ 1 2 3 ", "expected the name of a sub");
    assert_damaged("- 2", "expected the exit of a sub that was entered before");
    assert_damaged("/ & m::x", "expected the exit of a sub that was entered before");
    assert_damaged("* 2", "expected a running sub, which a goto replaces");
    assert_damaged("@ 1 2", no_times);
    assert_damaged("@ 1 2 3 4", no_times);
    assert_damaged("@ 1 2 3x", no_times);
    assert_damaged("@ 1 2.5 3", no_times);
    assert_damaged("@ 1 2 1234567890123456", no_times);
    assert_damaged("& 2", "expected \"& ID PACKAGE NAME\", with a hexadecimal id");
    assert_damaged("& x m a", "expected \"& ID PACKAGE NAME\", with a hexadecimal id");
    assert_damaged("& 3 main", "expected \"& ID PACKAGE NAME\", with a name");
}

static void a_header_needs_a_rate(void **state)
{
    static const char none[] = "#fOrTyTwO\n$rrun_rtime=1;\nPART2\n";
    static const char zero[] = "#fOrTyTwO\n$hz=0;\nPART2\n";
    (void)state;
    assert_ends(none, sizeof none - 1, NYTP_ERR_FORMAT, "",
                "p.out: offset 25: expected $hz, a number from 1e-9 to 1e18, before PART2");
    assert_ends(zero, sizeof zero - 1, NYTP_ERR_FORMAT, "",
                "p.out: offset 17: expected $hz, a number from 1e-9 to 1e18, before PART2");
}

/* Perl code other than the assignment of a number or string is not run. It is skipped with a warning. */
static void header_lines_are_not_evaluated(void **state)
{
    static const char tmon[] =
        "#fOrTyTwO\n$hz=100;\n$x=`touch /tmp/x`; system('false');\nexit;\n$over_tests=10/2;\n"
        "$rrun_rtime=1\nPART2\n";
    (void)state;
    reading r = read_bytes(tmon, sizeof tmon - 1, plainly);
    assert_int_equal(r.end, NYTP_END);
    assert_int_equal(r.warnings, 3);
    assert_string_equal(r.warning, "p.out: offset 19: a header line was skipped: expected $NAME=VALUE;");
    reading_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_prefix_is_cut),
        cmocka_unit_test(the_message_says_what_is_missing),
        cmocka_unit_test(calls_without_exits_return_with_their_callers),
        cmocka_unit_test(damage_is_reported),
        cmocka_unit_test(a_header_needs_a_rate),
        cmocka_unit_test(header_lines_are_not_evaluated),
    };
    return cmocka_run_group_tests_name("tmon-bad", tests, NULL, NULL);
}
