/* Labels without secrets: names of data sources, URLs, and commands. */
#include "labels/labeltext.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

typedef struct part {
    const char *at, *end;
} part;

/* In the place of what is private. */
static const char stars[] = "*";
static const part star = {stars, stars + 1};

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

/* Returns the end of what is before the first of some characters. */
static const char *until(const char *at, const char *end, const char *stops)
{
    while (at < end && (*at == '\0' || strchr(stops, *at) == NULL))
        at++;
    return at;
}

static bool is_host(part host)
{
    for (const char *c = host.at; c < host.end; c++)
        if (!isalnum((unsigned char)*c) && (*c == '\0' || strchr(".-_:[]*", *c) == NULL))
            return false;
    return host.end > host.at && host.end - host.at <= 100;
}

/* Sets host to what is between the scheme and the path, without user and password. Returns the path. Of
 * "mailto:" and the like, and of what may be one, nothing is kept. */
static const char *split(const char *url, const char *end, part *host)
{
    const char *colon = memchr(url, ':', (size_t)(end - url)), *slash = until(url, end, "/?#\\");
    const char *path = url;
    *host = (part){NULL, NULL};
    if (colon != NULL && colon < slash && slash == colon + 1 && end - colon > 2 && colon[1] == '/' &&
        colon[2] == '/')
        url = colon + 3;
    else if (end - url > 1 && url[0] == '/' && url[1] == '/')
        url += 2;
    else if (slash == url)
        return path;
    else if (colon != NULL && colon < slash && (colon + 1 == end || !isdigit((unsigned char)colon[1])))
        return end;
    path = until(url, end, "/?#\\");
    host->at = url;
    host->end = path;
    for (const char *c = url; c < path; c++)
        if (*c == '@')
            host->at = c + 1;
    return path;
}

static bool is_private(part s)
{
    bool has_digit = false, has_other = false, is_hex = true;
    for (const char *c = s.at; c < s.end; c++) {
        has_digit |= isdigit((unsigned char)*c) != 0;
        has_other |= !isdigit((unsigned char)*c);
        is_hex &= isxdigit((unsigned char)*c) || *c == '-';
        if (*c == '@' || *c == '%' || *c == '=' || *c == '&' || (unsigned char)*c < ' ')
            return true;
    }
    return (has_digit && (!has_other || (is_hex && s.end - s.at >= 8))) || s.end - s.at > 40;
}

/* A segment may have parameters, after ";". */
static size_t put_path(const char *at, const char *end, char *to, size_t length)
{
    end = until(at, end, "?#");
    while (at < end) {
        if (*at == '/' || *at == '\\') {
            length = put(to, length, (part){at, at + 1});
            at++;
            continue;
        }
        part segment = {at, until(at, end, "/\\")};
        at = segment.end;
        segment.end = until(segment.at, segment.end, ";");
        length = put(to, length, is_private(segment) ? star : segment);
    }
    return length;
}

size_t prof_url_normalise(const char *url, size_t length, char *to)
{
    const char *end = url + (length < PROF_LABEL_RAW_MAX ? length : PROF_LABEL_RAW_MAX);
    part host;
    while (url < end && (unsigned char)*url <= ' ')
        url++;
    const char *path = split(url, end, &host);
    length = 0;
    if (host.at != NULL && is_host(host))
        length = put(to, length, host);
    else if (end > url && (host.at != NULL || path == end))
        length = put(to, length, star);
    return put_path(path, end, to, length);
}

/* ---- commands ---- */

static bool is_blank(char c)
{
    return (unsigned char)c <= ' ';
}

static part next_word(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    part w = {at, at};
    while (w.end < end && !is_blank(*w.end))
        w.end++;
    return w;
}

static bool has_any(part w, const char *characters)
{
    for (; w.at < w.end; w.at++)
        if (strchr(characters, *w.at) != NULL)
            return true;
    return false;
}

/* Whether it can be the name of a subcommand or a file, and of nothing else. */
static bool is_name(part w)
{
    enum { LONGEST = 60 };
    if (w.at == w.end || w.end - w.at > LONGEST || *w.at == '-')
        return false;
    for (const char *c = w.at; c < w.end; c++)
        if (!isalnum((unsigned char)*c) && (*c == '\0' || strchr("._/+-", *c) == NULL))
            return false;
    return true;
}

static size_t put_word(char *to, size_t length, part w)
{
    size_t size = (size_t)(w.end - w.at);
    if (length > 0)
        to[length++] = ' ';
    size = size < PROF_COMMAND_MAX / 2 - 1 ? size : PROF_COMMAND_MAX / 2 - 1;
    memcpy(to + length, w.at, size);
    return length + size;
}

size_t prof_command_normalise(const char *command, size_t length, const char *next, size_t next_length,
                              char *to)
{
    const char *end = command + length;
    part program = next_word(command, end);
    while (next == NULL && has_any(program, "="))
        program = next_word(program.end, end);
    if (next == NULL && has_any(program, "'\"`$;&|<>(){}*?\\")) /* a shell makes something else of it */
        program.end = program.at;
    if (program.at == program.end || has_any(program, "=@"))
        return 0;
    const part second = next != NULL ? (part){next, next + next_length} : next_word(program.end, end);
    length = put_word(to, 0, program);
    return is_name(second) ? put_word(to, length, second) : length;
}
