/* Tables as text and in Markdown, and names that fit. */
#include "export/table.h"
#include "model/measure.h"

#include "test/unit/capture.h"
#include "test/unit/support.h"

#include <glib.h>
#include <math.h>
#include <unistd.h>

#define CJK "\xe6\x97\xa5" /* takes two columns */

static void assert_fits(const char *name, size_t columns, bool is_ascii, const char *expected)
{
    g_autofree char *got = nytp_fit(name, columns, is_ascii);
    assert_string_equal(got, expected);
}

static void sub_and_package_of_a_name_stay(void **state)
{
    static const char name[] = "Perl::Critic::Policy::Variables::ProhibitReusedNames::violates";
    (void)state;
    assert_fits(name, sizeof name, false, name);
    assert_fits(name, 40, false, "Perl::Cr\u2026::ProhibitReusedNames::violates");
    assert_fits(name, 40, true, "Perl::C..::ProhibitReusedNames::violates");
    assert_fits(name, 24, false, "ProhibitReuse\u2026::violates");
    assert_fits(name, 12, false, "P\u2026::violates");
    assert_fits(name, 8, false, "Perl:\u2026es");
}

static void files_and_other_names_are_cut_in_the_middle(void **state)
{
    (void)state;
    assert_fits("/usr/share/perl5/A.pm:12", 16, false, "/usr/sh\u2026/A.pm:12");
    assert_fits("/usr/share/perl5/A.pm:12", 6, true, "/u..12");
    assert_fits("main::__ANON__[/usr/lib/A.pm:3]", 80, false, "main::__ANON__[A.pm:3]");
    assert_fits("SELECT price FROM shop WHERE item = ?", 21, false, "SELECT price \u2026tem = ?");
    assert_fits(CJK CJK CJK, 6, false, CJK CJK CJK);
    assert_fits(CJK CJK CJK, 5, false, CJK CJK "\u2026");
    assert_fits("abc", 1, false, "\u2026");
    assert_fits("abc", 1, true, "");
    assert_fits("abc", 0, false, "");
}

static void text_is_cut_at_its_end(void **state)
{
    static const struct {
        size_t columns;
        bool is_ascii;
        const char *expected;
    } cases[] = {{7, false, "return;"}, {6, false, "retur\u2026"}, {6, true, "retu.."}, {1, true, ""}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        g_autofree char *got = nytp_fit_begin("return;", cases[i].columns, cases[i].is_ascii);
        assert_string_equal(got, cases[i].expected);
    }
    assert_int_equal(nytp_columns_of("\033[1;31m30.8\033[0m " CJK), 7);
}

static const nytp_column columns[] = {{.head = "time", .width = 7},
                                      {.head = "calls", .rank = 1},
                                      {.head = "empty"},
                                      {.head = "change", .kind = NYTP_COLUMN_WORDS, .rank = 2},
                                      {.head = "sub", .kind = NYTP_COLUMN_NAME}};

static nytp_table *table_of_two(FILE *out)
{
    static const char *const rows[][4] = {{"1.23 s", "12", "\u00b11", "main::a_sub_with_a_name"},
                                          {"9 ms", "1,234", "", "B|C::d"}};
    nytp_table *t = nytp_table_new(columns, COUNT(columns), NYTP_MARKDOWN, out);
    for (size_t r = 0; r < COUNT(rows); r++) {
        for (int c = 0; c < 2; c++)
            nytp_table_text(t, rows[r][c]);
        nytp_table_text(t, "");
        nytp_table_text(t, rows[r][2]);
        nytp_table_name(t, rows[r][3]);
    }
    return t;
}

/* Ends the table. */
static void assert_text_of(nytp_table *t, nytp_look look, const char *expected)
{
    g_auto(GStrv) lines = nytp_table_lines(t, &look);
    g_autoptr(GString) got = g_string_new(NULL);
    for (char **line = lines; *line != NULL; line++)
        g_string_append_printf(got, "%s\n", *line);
    assert_string_equal(got->str, expected);
    nytp_table_end(t, NULL);
}

static void assert_lines(nytp_look look, const char *expected)
{
    nytp_table *t = table_of_two(NULL);
    assert_text_of(t, look, expected);
}

static void lines_fit_the_terminal(void **state)
{
    (void)state;
    assert_lines((nytp_look){0}, "   time  calls  change  sub\n"
                                 " 1.23 s     12  \u00b11      main::a_sub_with_a_name\n"
                                 "   9 ms  1,234          B|C::d\n");
    assert_lines((nytp_look){.columns = 46, .is_ascii = true},
                 "   time  calls  change  sub\n"
                 " 1.23 s     12  +-1     m..::a_sub_with_a_name\n"
                 "   9 ms  1,234          B|C::d\n");
    assert_lines((nytp_look){.columns = 40}, "   time  calls  sub\n"
                                             " 1.23 s     12  main::a_sub_with_a_name\n"
                                             "   9 ms  1,234  B|C::d\n");
    assert_lines((nytp_look){.columns = 20}, "   time  sub\n"
                                             " 1.23 s  main::a\u2026ame\n"
                                             "   9 ms  B|C::d\n");
}

static void markdown_has_code(void **state)
{
    (void)state;
    capture c = capture_begin(STDOUT_FILENO);
    nytp_table_end(table_of_two(stdout), NULL);
    fflush(stdout);
    assert_string_equal(capture_end(&c), "| time | calls | change | sub |\n"
                                         "| ---: | ---: | --- | --- |\n"
                                         "| 1.23 s | 12 | \u00b11 | `main::a_sub_with_a_name` |\n"
                                         "| 9 ms | 1,234 | | `B\\|C::d` |\n");
}

static nytp_table *table_of_numbers(enum nytp_table_form form)
{
    static nytp_measure measure;
    static const nytp_column of_numbers[] = {
        {.head = "%", .key = "percent", .kind = NYTP_COLUMN_SHARE},
        {.head = "time", .kind = NYTP_COLUMN_AMOUNT, .measure = &measure},
        {.head = "runs"},
        {.head = "p", .key = ""},
        {.key = "p95_s"},
        {.head = "sub", .kind = NYTP_COLUMN_NAME}};
    measure = nytp_measure_new();
    nytp_table *t = nytp_table_new(of_numbers, COUNT(of_numbers), form, stdout);
    nytp_table_value(t, 12.345);
    nytp_table_value(t, 1.5 * measure.ticks_per_base);
    nytp_table_value(t, 4150000);
    nytp_table_text(t, "");
    nytp_table_number(t, "shown", 1e-7, -3);
    nytp_table_name(t, "a,\"b");
    nytp_table_value(t, 0.01);
    nytp_table_value(t, NAN);
    nytp_table_value(t, -1);
    nytp_table_text(t, ".05");
    nytp_table_number(t, "", NAN, -3);
    nytp_table_name(t, "c");
    return t;
}

static void assert_written(enum nytp_table_form form, const char *expected)
{
    capture c = capture_begin(STDOUT_FILENO);
    nytp_table_end(table_of_numbers(form), &(nytp_look){0});
    fflush(stdout);
    assert_string_equal(capture_end(&c), expected);
}

static void numbers_are_for_people_or_programs(void **state)
{
    (void)state;
    assert_written(NYTP_TEXT, "   %    time    runs    p  sub\n12.3  1.50 s  4.15 M       a,\"b\n"
                              "                  -1  .05  c\n");
    assert_written(NYTP_MARKDOWN, "| % | time | runs | p | sub |\n| ---: | ---: | ---: | ---: | --- |\n"
                                  "| 12.3 % | 1.50 s | 4.15 M | | `a,\"b` |\n| 0.0 % | | -1 | .05 | `c` |\n");
    assert_written(NYTP_CSV,
                   "percent,time_s,runs,p95_s,sub\r\n12.345,1.500000000,4150000,1e-07,\"a,\"\"b\"\r\n"
                   "0.010,,-1,,c\r\n");
    assert_written(
        NYTP_JSON,
        "[\n{\"percent\": 12.345, \"time_s\": 1.500000000, \"runs\": 4150000, \"p95_s\": 1e-07, "
        "\"sub\": \"a,\\\"b\"},\n"
        "{\"percent\": 0.010, \"time_s\": null, \"runs\": -1, \"p95_s\": null, \"sub\": \"c\"}\n]\n");
}

static void without_rows_there_are_heads(void **state)
{
    (void)state;
    nytp_table *t = nytp_table_new(columns, COUNT(columns), NYTP_TEXT, NULL);
    assert_text_of(t, (nytp_look){0}, "   time  calls  empty  change  sub\n");
}

static void assert_two(size_t width, const char *expected)
{
    static const nytp_column two[] = {{.head = "kept", .rank = 9}, {.head = "sub", .kind = NYTP_COLUMN_NAME}};
    nytp_table *t = nytp_table_new(two, COUNT(two), NYTP_TEXT, NULL);
    nytp_table_text(t, "12");
    nytp_table_name(t, "Some::Package::with_a_long_name");
    assert_text_of(t, (nytp_look){.columns = width}, expected);
}

static void what_is_least_used_leaves_before_names_are_cut(void **state)
{
    (void)state;
    assert_two(37, "kept  sub\n  12  Some::Package::with_a_long_name\n");
    assert_two(36, "sub\nSome::Package::with_a_long_name\n");
}

static void assert_broken(const char *text, size_t width, bool is_ascii, const char *expected)
{
    char *got;
    size_t size;
    FILE *to = open_memstream(&got, &size);
    FILE *lines = nytp_lines_open(to, &(nytp_look){.columns = width, .is_ascii = is_ascii});
    fputs(text, lines);
    fclose(lines);
    fclose(to);
    assert_string_equal(got, expected);
    free(got);
}

static void sentences_are_broken_between_words(void **state)
{
    (void)state;
    assert_broken("all of it fits\nthis  does not, and goes on", 16, false,
                  "all of it fits\nthis  does not,\n  and goes on");
    assert_broken("it has any length where no width is known\n", 0, false,
                  "it has any length where no width is known\n");
    assert_broken("a sum  9 s = 8.5 s work + 5 ms queued\n", 20, false,
                  "a sum  9 s\n  = 8.5 s work\n  + 5 ms queued\n");
    assert_broken("with x = ? and 12 %\n", 12, false, "with x = ?\n  and 12 %\n");
    assert_broken("in My::Long::Package::name \u00b11\n", 16, false,
                  "in\n  Package\u2026::name\n  \u00b11\n");
    assert_broken("in My::Long::Package::name \u00b11\n", 16, true, "in\n  Packag..::name\n  +-1\n");
    assert_broken("\033[1m50.0\033[0m  a row that fits\n", 21, false,
                  "\033[1m50.0\033[0m  a row that fits\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sub_and_package_of_a_name_stay),
        cmocka_unit_test(files_and_other_names_are_cut_in_the_middle),
        cmocka_unit_test(text_is_cut_at_its_end),
        cmocka_unit_test(lines_fit_the_terminal),
        cmocka_unit_test(sentences_are_broken_between_words),
        cmocka_unit_test(what_is_least_used_leaves_before_names_are_cut),
        cmocka_unit_test(markdown_has_code),
        cmocka_unit_test(numbers_are_for_people_or_programs),
        cmocka_unit_test(without_rows_there_are_heads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
