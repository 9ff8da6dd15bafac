/* Labels as texts, and URLs. */
#include "test/unit/support.h"
#include "xs/labels/labeltext.h"

#include <string.h>

static const char *clean(const char *text, bool utf8)
{
    static char to[PROF_LABEL_CLEAN_MAX + 1];
    to[prof_label_clean(text, strlen(text), utf8, to)] = '\0';
    return to;
}

static void texts_are_cleaned(void **state)
{
    static const struct {
        const char *text, *clean;
        bool utf8;
    } rows[] = {
        {"  a\t\n b\x7f ", "a b", false},
        {"a;b::c:::d", "a,b:c:d", false},
        {"<b>< b<1</i><!--<?", "< b>< b<1< /i>< !--< ?", false},
        {"\\'\\\\'\\\"\\d'", "\\ '\\\\ '\\\"\\d'", false},
        {"\xe9\x85z", "\xc3\xa9 z", false},
        {"\xc3\xa9\xc2\x85z\xe2\x80\xa8y", "\xc3\xa9 z y", true},
        {"\xff\xc3z\xed\xa0\x80\xc0\xaf", "?\?z?????", true},
        {" \x01 ", "", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(clean(rows[i].text, rows[i].utf8), rows[i].clean);
}

static void bytes_may_be_utf8(void **state)
{
    static const struct {
        const char *text;
        bool is_utf8;
    } rows[] = {{"", true},         {"GET /caf\xc3\xa9", true}, {"\xe2\x82\xac\xf0\x9f\x98\x80", true},
                {"caf\xe9", false}, {"\xc3\xa9\xe9", false},    {"caf\xc3", false},
                {"\xc0\xaf", false}};
    static char text[PROF_LABEL_RAW_MAX + 2];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(prof_text_is_utf8(rows[i].text, strlen(rows[i].text)), rows[i].is_utf8);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i < 3 ? 'a' : i % 2 ? 0xc3 : 0xa9);
    assert_true(prof_text_is_utf8(text, sizeof text - 1)); /* the last character that is read is cut */
    assert_false(prof_text_is_utf8(text, PROF_LABEL_RAW_MAX));
    text[100] = '\xe9';
    assert_false(prof_text_is_utf8(text, sizeof text - 1));
}

static prof_label cut(const char *text, size_t most, bool is_sql)
{
    prof_label label;
    prof_label_cut(text, strlen(text), most, is_sql, &label);
    assert_true(label.length <= most);
    return label;
}

static void long_texts_are_cut(void **state)
{
    (void)state;
    prof_label label = cut("SELECT a, (b), c FROM t WHERE x = ?", 35, true);
    assert_false(label.is_cut);
    label = cut("SELECT a, (b FROM c), c, d, e, f, g, h FROM t WHERE x = ?", 50, true);
    assert_true(label.is_cut);
    assert_memory_equal(label.bytes, "SELECT ... FROM t WHERE x = ? ~", 31);
    label = cut("SELECT a FROM t, u, v", PROF_LABEL_LEAST, false);
    assert_memory_equal(label.bytes, "SELECT ... ~", 12);
    label = cut("aaaaaa\xc3\xa9-bbbbbbbbbbbbbbbbbbb", 20, false);
    assert_memory_equal(label.bytes, "aaaaaa... ~", 11); /* no half character */
    const prof_label other = cut("aaaaaa\xc3\xa9-bbbbbbbbbbbbbbbbbbc", 20, false);
    assert_int_not_equal(label.hash, other.hash);
    for (size_t most = PROF_LABEL_LEAST; most <= PROF_LABEL_MOST; most++)
        cut("SELECT a, b FROM t WHERE x = ? AND SELECT a, b FROM t WHERE x = ? AND SELECT a, b FROM t WHERE "
            "x = ? AND "
            "SELECT a, b FROM t WHERE x = ? AND SELECT a, b FROM t WHERE x = ? AND SELECT a, b FROM t WHERE "
            "x = ?",
            most, true);
}

static void urls_lose_what_is_private(void **state)
{
    static const char *const rows[][2] = {
        {"http://127.0.0.1:36139/users/12?q=1#f", "127.0.0.1:36139/users/*"},
        {"https://joe:pw@h.example/a/0af309bc-11/b;c=d/e%20f/", "h.example/a/*/b/*/"},
        {"/x/joe@h/y?z", "/x/*/y"},
        {"//h/x", "h/x"},
        {"localhost:80/a", "localhost:80/a"},
        {"[::1]:80/a", "*"},
        {"http://[::1]:80/a", "[::1]:80/a"},
        {"data:text/plain,secret", "*"},
        {"joe:pw@h/a", "*"},
        {"http://h", "h"},
        {"http://a b/c", "*/c"},
        {"users/list?x", "users/list"},
        {"http://h/deadbeef/feedback/cafe", "h/deadbeef/feedback/cafe"},
        {"http://h/0123456789012345678901234567890123456789x", "h/*"},
        {"?x", ""},
        {"", ""},
    };
    char to[PROF_LABEL_RAW_MAX + 1];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        to[prof_url_normalise(rows[i][0], strlen(rows[i][0]), to)] = '\0';
        assert_string_equal(to, rows[i][1]);
    }
}

static void commands_lose_their_arguments(void **state)
{
    static const struct {
        const char *command, *next, *normal;
    } rows[] = {
        {"git status -s", NULL, "git status"},
        {"  mysql -psecret db", NULL, "mysql"},
        {"PASSWORD=secret A=b mysql", NULL, "mysql"},
        {"curl https://joe:pw@h", NULL, "curl"},
        {"sh /x/y.sh", NULL, "sh /x/y.sh"},
        {"'my prog' x", NULL, ""},
        {"a;b", NULL, ""},
        {"/a b/c", "sub", "/a sub"},
        {"x", "--y", "x"},
        {"x", "a=b", "x"},
        {"x", "", "x"},
        {"", NULL, ""},
        {"A=b", NULL, ""},
    };
    char to[PROF_COMMAND_MAX + 1];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *next = rows[i].next;
        to[prof_command_normalise(rows[i].command, strlen(rows[i].command), next,
                                  next != NULL ? strlen(next) : 0, to)] = '\0';
        assert_string_equal(to, rows[i].normal);
    }
}

static void data_sources_lose_passwords(void **state)
{
    static const char *const rows[][2] = {
        {"dbi:Pg:dbname=shop;host=db1;port=5432;user=joe;password=pw",
         "dbi:Pg:dbname=shop;host=db1;port=5432"},
        {"DBI:mysql:database=a:host=h:password=pw", "DBI:mysql:database=a;host=h"},
        {"dbi:SQLite:dbname=:memory:", "dbi:SQLite:dbname=:memory:"},
        {"dbi:Pg: dbname = /a/b.db ; HOST=b ", "dbi:Pg:dbname=/a/b.db;HOST=b"},
        {"dbi:Pg:password = host=pw", "dbi:Pg"},
        {"dbi:mysql:password=a host=pw;host=h", "dbi:mysql:host=h"},
        {"dbi:Pg:password='a;host=pw'", "dbi:Pg"},
        {"dbi:Pg:password=a\\;host=pw", "dbi:Pg"},
        {"dbi:ODBC:PWD={a;host=pw}", "dbi:ODBC"},
        {"dbi:X(password=>a):host=pw", "dbi:X"},
        {"dbi:Oracle:scott/tiger@db", "dbi:Oracle"},
        {"dbi:Pg:host=a@b;db=c", "dbi:Pg:db=c"},
        {"dbi:Pg:dbname=postgresql://joe:pw@h/db", "dbi:Pg:dbname=postgresql"},
        {"dbi:Pg:", "dbi:Pg"},
        {"dbi:", ""},
        {"dbi:a/b:host=x", ""},
        {"secret", ""},
        {"", ""},
    };
    char to[PROF_LABEL_RAW_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t length = prof_dsn_normalise(rows[i][0], strlen(rows[i][0]), to);
        assert_true(length <= strlen(rows[i][0]));
        assert_int_equal(length, strlen(rows[i][1]));
        assert_memory_equal(to, rows[i][1], length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_cleaned),
        cmocka_unit_test(bytes_may_be_utf8),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(urls_lose_what_is_private),
        cmocka_unit_test(commands_lose_their_arguments),
        cmocka_unit_test(data_sources_lose_passwords),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
