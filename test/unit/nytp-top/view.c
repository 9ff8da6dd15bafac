/* What nytp-top shows of its tables. */
#include "nytp-top/view.h"

#include "test/unit/support.h"

#include <glib.h>
#include <string.h>

/* Frees the lines. */
static char *text_of(char **lines)
{
    GString *text = g_string_new(NULL);
    for (char **line = lines; *line != NULL; line++)
        g_string_append_printf(text, "%s\n", *line);
    g_strfreev(lines);
    return g_string_free(text, FALSE);
}

static char *shown(top_view *view, const top_tables *tables, size_t rows)
{
    return text_of(top_view_lines(view, tables, 1, rows));
}

/* Subs main::s10 to main::s59. */
static void fill(top_tables *tables)
{
    char name[16];
    top_tables_init(tables);
    for (int n = 10; n < 60; n++) {
        snprintf(name, sizeof name, "main::s%d", n);
        top_counts_add(tables->of[TOP_SUBS], name, 1, 1);
    }
}

static void it_scrolls_to_the_last_page_at_most(void **state)
{
    (void)state;
    top_tables tables;
    top_view view = {.sort = TOP_NAME, .source = "test", .counted = {"sampled"}, .first = 1000};
    fill(&tables);
    char *text = shown(&view, &tables, 20);
    assert_null(strstr(text, "main::s39\n"));
    assert_non_null(strstr(text, "main::s40\n"));
    assert_non_null(strstr(text, "main::s59\n"));
    assert_int_equal(view.first, 30);
    g_free(text);
    text = shown(&view, &tables, 100);
    assert_non_null(strstr(text, "main::s10\n"));
    assert_int_equal(view.first, 0);
    g_free(text);
    top_tables_clear(&tables);
}

static void so_does_the_stack(void **state)
{
    (void)state;
    top_tables tables;
    top_view view = {.stack = true, .source = "test", .counted = {"sampled"}, .first = 1000};
    fill(&tables);
    tables.stack = g_strdup("a\nb\nc\nd\n");
    char *text = shown(&view, &tables, 3);
    assert_null(strstr(text, "\na\n"));
    assert_non_null(strstr(text, "\nb\nc\nd\n"));
    assert_int_equal(view.first, 1);
    g_free(text);
    top_tables_clear(&tables);
}

static void the_selection_keeps_its_row(void **state)
{
    (void)state;
    top_tables tables;
    top_view view = {.sort = TOP_NAME, .source = "test", .counted = {"sampled"}, .move = 25};
    fill(&tables);
    g_free(shown(&view, &tables, 20));
    assert_string_equal(view.selected, "main::s34");
    assert_int_equal(view.first, 5); /* it is the last one that is seen */
    top_counts_add(tables.of[TOP_SUBS], "main::a", 1, 1);
    g_free(shown(&view, &tables, 20));
    assert_string_equal(view.selected, "main::s34");
    view.move = -1000;
    g_free(shown(&view, &tables, 20));
    assert_string_equal(view.selected, "main::a");
    assert_int_equal(view.marked, 3); /* below the head */
    top_tables_clear(&tables);
}

static void a_sub_opens(void **state)
{
    (void)state;
    top_tables tables;
    top_view view = {.sort = TOP_NAME, .source = "test", .counted = {"sampled"}, .move = 1};
    top_tables_init(&tables);
    top_counts_add(tables.of[TOP_SUBS], "main::f", 1, 1);
    for (const char *const *pair =
             (const char *const[]){"main::f at a.pl:1", "main::f -> main::g at a.pl:1",
                                   "main::f2 -> main::g at a.pl:2", "main::g -> main::f at a.pl:3",
                                   "main::g -> main::ff at a.pl:4", NULL};
         *pair != NULL; pair++)
        top_counts_add(tables.of[TOP_CALLS], *pair, 1, 1);
    g_free(shown(&view, &tables, 20));
    view.opens = true;
    g_autofree char *text = shown(&view, &tables, 20);
    assert_non_null(strstr(text, "calls of main::f by name"));
    assert_non_null(strstr(text, "main::f -> main::g at a.pl:1\n"));
    assert_non_null(strstr(text, "main::g -> main::f at a.pl:3\n"));
    assert_non_null(strstr(text, "main::f at a.pl:1\n"));
    assert_null(strstr(text, "main::f2"));
    assert_null(strstr(text, "main::ff"));
    top_view_close(&view);
    g_free(shown(&view, &tables, 20));
    assert_string_equal(view.selected, "main::f");
    top_tables_clear(&tables);
}

static void the_selected_sub_is_below(void **state)
{
    (void)state;
    top_tables tables;
    top_view view = {.sort = TOP_SELF, .selected = "main::f", .look = {.columns = 36, .is_ascii = true}};
    char pair[48];
    top_tables_init(&tables);
    for (int n = 1; n <= 3; n++) {
        snprintf(pair, sizeof pair, "main::c%d -> main::f at /a/b.pl:%d", n, n);
        top_counts_add(tables.of[TOP_CALLS], pair, 0, n);
        snprintf(pair, sizeof pair, "main::f at a.pl:%d", n);
        top_counts_add(tables.of[TOP_CALLS], pair, n, n);
    }
    top_counts_add(tables.of[TOP_CALLS], "main::f -> main::f at a.pl:9", 0, 6);
    assert_int_equal(top_view_pane_rows(&view, 20), 7);
    g_autofree char *text = text_of(top_view_pane(&view, &tables));
    assert_string_equal(text, "-- main::f -------------------------\n"
                              "  50.0  called by  main::c3  b.pl:3\n"
                              "  33.3  called by  main::c2  b.pl:2\n"
                              " 100.0  calls      main::f   a.pl:9\n"
                              "  50.0  line       a.pl:3    \n"
                              "  33.3  line       a.pl:2    \n");
    g_strlcpy(view.selected, "main::", sizeof view.selected);
    g_autofree char *none = text_of(top_view_pane(&view, &tables));
    assert_string_equal(none, ""); /* as of what a profile says */
    assert_int_equal(top_view_pane_rows(&view, 15), 0);
    view.selected[0] = '\0';
    assert_int_equal(top_view_pane_rows(&view, 20), 0);
    top_tables_clear(&tables);
}

static void names_cannot_move_the_cursor(void **state)
{
    (void)state;
    top_tables tables;
    top_view view = {.sort = TOP_NAME, .source = "perl \033[2J", .counted = {"sampled"}, .note = "\xc2\x9b"};
    fill(&tables);
    top_counts_add(tables.of[TOP_SUBS], "A\033[31m\xe2\x80\xae", 1, 1);
    tables.stack = g_strdup("b\033[1m  c\x9b:1\n");
    char *text = shown(&view, &tables, 100);
    assert_non_null(strstr(text, "nytp-top: perl \\x1b[2J, 1 s: \\x9b\n"));
    assert_non_null(strstr(text, "  A\\x1b[31m\\x{202e}\n"));
    g_free(text);
    view.stack = true;
    text = shown(&view, &tables, 100);
    assert_non_null(strstr(text, "\nb\\x1b[1m  c\\x9b:1\n"));
    g_free(text);
    top_tables_clear(&tables);
}

static void names_fit_a_terminal(void **state)
{
    (void)state;
    top_tables tables;
    top_view view = {.by = TOP_LINES, .sort = TOP_SELF, .source = "test", .counted = {"sampled"}};
    top_tables_init(&tables);
    top_counts_add(tables.of[TOP_LINES], "/usr/share/perl5/A.pm:12", 1, 1);
    top_counts_add(tables.of[TOP_LINES], "/usr/share/perl5/A.pm:13", 3, 3);
    top_tables_advance(&tables, &(int64_t){0}, INT64_C(10000000000)); /* they are not of the last seconds */
    const struct {
        size_t columns;
        const char *expected;
    } cases[] = {
        {0, "   0.0     0.0    75.0    75.0      3.00  /usr/share/perl5/A.pm:13\n"},
        {66, "   0.0     0.0    75.0    75.0      3.00  /usr/share/perl5/A.pm:13\n"},
        {63, "   0.0     0.0    75.0    75.0      3.00  /usr/share/p\u2026/A.pm:13\n"},
        {40, " SELF%   INCL%  NAME\n  75.0    75.0  /usr/share/perl5/A.pm:13\n  25.0    25.0  /usr/share"},
        {30, " SELF%  NAME\n  75.0  /usr/share/pe\u2026/A.pm:13\n  25.0  /usr/share"},
        {10, "\n  75.0  /\u2026\n"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        view.look.columns = cases[n].columns;
        g_autofree char *text = shown(&view, &tables, 20);
        assert_non_null(strstr(text, cases[n].expected));
    }
    view.sort = TOP_RECENT_SELF;
    view.look.columns = 30;
    g_autofree char *text = shown(&view, &tables, 20);
    assert_non_null(strstr(text, "\n self%  NAME\n   0.0  "));
    top_tables_clear(&tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_scrolls_to_the_last_page_at_most),
        cmocka_unit_test(so_does_the_stack),
        cmocka_unit_test(the_selection_keeps_its_row),
        cmocka_unit_test(a_sub_opens),
        cmocka_unit_test(the_selected_sub_is_below),
        cmocka_unit_test(names_cannot_move_the_cursor),
        cmocka_unit_test(names_fit_a_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
