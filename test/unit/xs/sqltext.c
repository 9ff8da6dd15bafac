/* SQL without its literals. */
#include "test/unit/support.h"
#include "xs/labels/labeltext.h"
#include "xs/labels/sqltext.h"

#include <string.h>

static const char *normal(prof_sql_dialect dialect, const char *sql)
{
    static char to[PROF_SQL_MAX + 1];
    char again[PROF_SQL_MAX];
    const size_t length = prof_sql_normalise(sql, strlen(sql), dialect, to);
    to[length] = '\0';
    assert_int_equal(prof_sql_normalise(to, length, dialect, again), length);
    assert_memory_equal(again, to, length);
    return to;
}

static void literals_become_question_marks(void **state)
{
    static const struct {
        const char *sql, *normal;
    } rows[] = {
        {"'it''s'", "?"},
        {"x'ff' E'a' N'b' _utf8'c'", "? ? ? ?"},
        {"1.5e3 + .5 * 0x10 / 1e-3", "? + ? * ? / ?"},
        {"$tag$it's$tag$ || $$x$$", "? || ?"},
        {"a1 t1.a $1 :name x::int", "a1 t1.a $1 :name x::int"},
        {"\"A b\" `c`", "\"A b\" `c`"},
        {"\"it's\"", "?"},
        {"WHERE a=-1 AND b = - 2 AND c - 3", "WHERE a=? AND b = ? AND c - ?"},
        {"f(1, 'a', ?)", "f(?+)"},
        {"a IN (1)", "a IN (?+)"},
        {"a in( 1, 2 ,3 )", "a in(?+)"},
        {"a = ( 1 )", "a = (?)"},
        {"VALUES (1), (2)", "VALUES (?+)"},
        {"VALUES (1,'a'),(2,'b') RETURNING id", "VALUES (?+) RETURNING id"},
        {"VALUES (1, now()), (2, now())", "VALUES (?, now())"},
        {"VALUES (a) ON CONFLICT (a) DO NOTHING", "VALUES (a) ON CONFLICT (a) DO NOTHING"},
        {"( year = 1 OR year = 2 OR year = 3 )", "(year = ? OR+)"},
        {"(a = ? AND b = ?) OR (a = ? AND b = ?)", "(a = ? AND b = ?) OR+"},
        {"a = ? OR b = ?", "a = ? OR b = ?"},
        {"OR ?+,1\"B", "OR ?+?..."},
        {"?+ OR 1+ 2", "?+ OR+ ?"},
        {"1+/**/ OR ?+", "?+ OR+"},
        {"a = ? OR ?a = ?", "a = ? OR+a = ?"},
        {"SELECT  a -- it's\n,b /* 'x */ FROM t ;", "SELECT a,b FROM t"},
        {"'not closed", "?"},
        {"a /* not closed 1", "a"},
        {"$x$not closed 1", "?"},
        {"a = 'b\\' OR 1", "a = ?..."},
        {"/* a /* b */ 'c' */ 1", "..."},
        {"", ""},
        {" ; ", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(normal(PROF_SQL_STANDARD, rows[i].sql), rows[i].normal);
}

static void servers_differ(void **state)
{
    (void)state;
    assert_string_equal(normal(PROF_SQL_MYSQL, "\"x\" # it's\n, $5"), "?+");
    assert_string_equal(normal(PROF_SQL_MYSQL, "5--'a'"), "?...");
    assert_string_equal(normal(PROF_SQL_UNKNOWN, "\"x\" 1 # it's"), "? ?...");
    assert_string_equal(normal(PROF_SQL_UNKNOWN, "a --it's\n 'b'"), "a...");
    assert_string_equal(normal(PROF_SQL_UNKNOWN, "[it's] = 'b'"), "...");
    assert_string_equal(normal(PROF_SQL_UNKNOWN, "q'[it's]' = 'b'"), "?...");
    assert_string_equal(normal(PROF_SQL_STANDARD, "ARRAY['a', 'b']"), "ARRAY[?+]");
    assert_string_equal(normal(PROF_SQL_SQLITE, "\"a b\" = \"c\".[d]"), "\"a b\" = \"c\".[d]");
    assert_string_equal(normal(PROF_SQL_SQLITE, "\"a\" = \"c\" OR b IN (\"d\", \"e\")"),
                        "\"a\" = ? OR b IN (?+)");
    assert_string_equal(normal(PROF_SQL_SQLITE, "t (\"a\", \"b\") VALUES (now(), \"c\")"),
                        "t (\"a\", \"b\") VALUES (now(), ?)");
    assert_string_equal(normal(PROF_SQL_SQLITE, "name LIKE \"c\""), "name LIKE ?");
    assert_string_equal(normal(PROF_SQL_MYSQL, "/*! 'a */ b' */"), "...");
}

/* Whatever is read, the result fits. */
static void results_fit(void **state)
{
    static const char *const parts[] = {"(1", "VALUES(1)", ",1", " OR a", "'", "1 ", "?+", "$"};
    char sql[PROF_LABEL_RAW_MAX * 2], to[PROF_SQL_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        for (size_t at = 0; at < sizeof sql; at++)
            sql[at] = parts[i][at % strlen(parts[i])];
        assert_true(prof_sql_normalise(sql, sizeof sql, PROF_SQL_UNKNOWN, to) <= sizeof to);
    }
}

/* Wherever the limit cuts a long statement, the result is the same. */
static void long_lists_are_one_text(void **state)
{
    static const char *const rows[][3] = {
        {"INSERT INTO t VALUES ", "(12, 'a, b', NULL),\n", "INSERT INTO t VALUES (?+, NULL)"},
        {"SELECT a FROM t WHERE b IN (", "123, ", "SELECT a FROM t WHERE b IN (?+"},
    };
    char sql[PROF_LABEL_RAW_MAX * 2], to[PROF_SQL_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *at = stpcpy(sql, rows[i][0]);
        while (at < sql + PROF_LABEL_RAW_MAX + 100)
            at = stpcpy(at, rows[i][1]);
        for (int blanks = 0; blanks < 30; blanks++) {
            const size_t length = prof_sql_normalise(sql, (size_t)(at - sql), PROF_SQL_UNKNOWN, to);
            assert_int_equal(length, strlen(rows[i][2]));
            assert_memory_equal(to, rows[i][2], length);
            memmove(sql + 1, sql, (size_t)(at++ - sql));
            *sql = ' '; /* the limit is one byte earlier */
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literals_become_question_marks),
        cmocka_unit_test(servers_differ),
        cmocka_unit_test(results_fit),
        cmocka_unit_test(long_lists_are_one_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
