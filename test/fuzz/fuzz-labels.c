/* Texts of labels: no literal is left, the result fits, and the result of the result is the same. */
#include "test/fuzz/fuzz.h"
#include "xs/labels/labeltext.h"
#include "xs/labels/sqltext.h"

#include <string.h>

enum { DIALECTS = 4 };

static void check_sql(const char *sql, size_t length, prof_sql_dialect dialect, const char *secret)
{
    static char to[PROF_SQL_MAX], again[PROF_SQL_MAX];
    const size_t size = prof_sql_normalise(sql, length, dialect, to);
    must(size <= sizeof to);
    must(secret == NULL || memmem(to, size, secret, strlen(secret)) == NULL);
    /* What "[" begins depends on quotes that may be gone. */
    if (size <= PROF_LABEL_RAW_MAX && memchr(sql, '[', length) == NULL) {
        must(prof_sql_normalise(to, size, dialect, again) == size);
        must(memcmp(to, again, size) == 0);
    }
}

/* Statements of which each byte is one part. Those that have the secret are literals or comments. */
static void check_parts(const uint8_t *data, size_t size)
{
    static const char *const parts[] = {
        " 'SECRET' ",
        " 'it''s SECRET' ",
        " E'SECRET\\' SECRET' ",
        " x'SECRET' ",
        " -- SECRET's\n ",
        " /* SECRET's */ ",
        " $t$SECRET's$t$ ",
        " \"t 1\" ",
        " `t` ",
        " (",
        ") ",
        ", ",
        " 12.5e3 ",
        " OR ",
        " VALUES ",
        " IN ",
        " ? ",
        " = ",
        " - ",
        " ; ",
        " a.b ",
        " ?+ ",
        " [1] ",
        " :x ",
    };
    static char sql[PROF_LABEL_RAW_MAX + 64];
    size_t length = 0;
    for (size_t i = 0; i < size && length < PROF_LABEL_RAW_MAX; i++)
        length = (size_t)(stpcpy(sql + length, parts[data[i] % (sizeof parts / sizeof *parts)]) - sql);
    for (int dialect = 0; dialect < DIALECTS; dialect++)
        check_sql(sql, length, (prof_sql_dialect)dialect, "SECRET");
}

static void check_clean(const char *text, size_t length, bool utf8)
{
    static char to[PROF_LABEL_CLEAN_MAX], again[PROF_LABEL_CLEAN_MAX];
    const size_t size = prof_label_clean(text, length, utf8, to);
    must(size <= sizeof to);
    must(memmem(to, size, "::", 2) == NULL && memchr(to, ';', size) == NULL &&
         memchr(to, '\n', size) == NULL);
    if (size > PROF_LABEL_RAW_MAX)
        return;
    must(prof_label_clean(to, size, true, again) == size);
    must(memcmp(to, again, size) == 0);
    prof_label label;
    prof_label_cut(to, size, PROF_LABEL_LEAST, true, &label);
    must(label.length <= PROF_LABEL_LEAST && label.whole_length <= PROF_LABEL_WHOLE_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char shorter[PROF_LABEL_RAW_MAX];
    const size_t most = size < sizeof shorter ? size : sizeof shorter;
    const char *text = (const char *)data;
    for (int dialect = 0; dialect < DIALECTS; dialect++)
        check_sql(text, size, (prof_sql_dialect)dialect, NULL);
    check_parts(data, size);
    check_clean(text, size, false);
    check_clean(text, size, true);
    must(prof_url_normalise(text, size, shorter) <= most);
    must(prof_dsn_normalise(text, size, shorter) <= most);
    return 0;
}
