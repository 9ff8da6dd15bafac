/* Cells of CSV. */
#include "test/unit/support.h"

#include "export/csv.h"

#include <stdlib.h>

static void assert_cell(const char *text, const char *cell)
{
    char *got;
    size_t length;
    FILE *out = open_memstream(&got, &length);
    nytp_csv_cell(text, out);
    fclose(out);
    assert_string_equal(got, cell);
    free(got);
}

static void cells_are_quoted(void **state)
{
    (void)state;
    assert_cell("main::f", "main::f");
    assert_cell("a,b", "\"a,b\"");
    assert_cell("\"a\"\n", "\"\"\"a\"\"\n\"");
    assert_cell("", "");
}

static void no_cell_is_a_formula(void **state)
{
    static const char *const formulas[] = {"=1+1", "=",     "@SUM(A1)", "+cmd|' /C calc'!A0",
                                           "-2+3", "-f(1)", "+\xc3\xa9"};
    static const char *const others[] = {"-e", "-", "+", "-lib/a.pl x-1", "a=1", " =1"};
    char expected[64];
    (void)state;
    for (size_t i = 0; i < COUNT(formulas); i++) {
        snprintf(expected, sizeof expected, "'%s", formulas[i]);
        assert_cell(formulas[i], expected);
    }
    for (size_t i = 0; i < COUNT(others); i++)
        assert_cell(others[i], others[i]);
    assert_cell("=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_quoted),
        cmocka_unit_test(no_cell_is_a_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
