#include "labels/labeltext.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

typedef struct part {
    const char *at, *end;
} part;

static size_t put(char *to, size_t length, part p)
{
    memcpy(to + length, p.at, (size_t)(p.end - p.at));
    return length + (size_t)(p.end - p.at);
}

/* Returns the end of the letters, digits and other characters that begin a text. */
static const char *skip(const char *at, const char *end, const char *others)
{
    while (at < end && (isalnum((unsigned char)*at) || (*at != '\0' && strchr(others, *at) != NULL)))
        at++;
    return at;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && *at == ' ')
        at++;
    return at;
}

static bool is_harmless(part key)
{
    static const char *const keys[] = {"host", "hostname", "hostaddr", "port", "dbname", "database", "db"};
    const size_t length = (size_t)(key.end - key.at);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strlen(keys[i]) == length && strncasecmp(keys[i], key.at, length) == 0)
            return true;
    return false;
}

static part value_at(const char *at, const char *end)
{
    static const char memory[] = ":memory:"; /* of SQLite */
    const size_t length = sizeof memory - 1;
    if ((size_t)(end - at) >= length && memcmp(at, memory, length) == 0)
        return (part){at, at + length};
    return (part){at, skip(at, end, "_./-")};
}

/* Appends KEY=VALUE. Drivers do not agree whether a blank or ":" ends a value; ";" does, unless it is quoted.
 * Returns where the next key may be. */
static const char *put_pair(const char *at, const char *end, bool is_first, char *to, size_t *length)
{
    const part key = {at, skip(at, end, "_")};
    const char *equals = skip_blanks(key.end, end);
    if (equals < end && *equals == '=' && is_harmless(key)) {
        const part value = value_at(skip_blanks(equals + 1, end), end);
        if (value.end > value.at &&
            (value.end == end || *value.end == ';' || *value.end == ' ' || *value.end == ':')) {
            if (!is_first)
                to[(*length)++] = ';';
            *length = put(to, *length, key);
            to[(*length)++] = '=';
            *length = put(to, *length, value);
            return value.end < end ? value.end + 1 : end;
        }
    }
    const char *semicolon = memchr(at, ';', (size_t)(end - at));
    return semicolon != NULL ? semicolon + 1 : end;
}

/* Returns where the first quote is, or end: all that follows a quote may be part of a password. */
static const char *before_quotes(const char *at, const char *end)
{
    while (at < end && *at != '\0' && strchr("'\"`\\{}()", *at) == NULL)
        at++;
    return at;
}

size_t prof_dsn_normalise(const char *dsn, size_t length, char *to)
{
    static const char scheme[] = "dbi:";
    const size_t begin = sizeof scheme - 1;
    const char *end = dsn + (length < PROF_LABEL_RAW_MAX ? length : PROF_LABEL_RAW_MAX);
    if ((size_t)(end - dsn) <= begin || strncasecmp(dsn, scheme, begin) != 0)
        return 0;
    const char *at = skip(dsn + begin, end, "_");
    if (at == dsn + begin || (at < end && *at != ':' && *at != '('))
        return 0;
    length = put(to, 0, (part){dsn, at});
    end = before_quotes(at, end);
    if (at == end)
        return length;
    const size_t driver = length;
    to[length++] = ':';
    for (at = skip_blanks(at + 1, end); at < end; at = skip_blanks(at, end))
        at = put_pair(at, end, length == driver + 1, to, &length);
    return length > driver + 1 ? length : driver;
}
