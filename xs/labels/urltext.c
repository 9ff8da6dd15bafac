#include "labels/labeltext.h"

#include <ctype.h>
#include <string.h>

typedef struct part {
    const char *at, *end;
} part;

static size_t put(char *to, size_t length, const char *bytes, size_t count)
{
    memcpy(to + length, bytes, count);
    return length + count;
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
            length = put(to, length, at++, 1);
            continue;
        }
        part segment = {at, until(at, end, "/\\")};
        at = segment.end;
        segment.end = until(segment.at, segment.end, ";");
        if (is_private(segment))
            length = put(to, length, "*", 1);
        else
            length = put(to, length, segment.at, (size_t)(segment.end - segment.at));
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
        length = put(to, length, host.at, (size_t)(host.end - host.at));
    else if (host.at != NULL || path == end)
        length = put(to, length, "*", end > url);
    return put_path(path, end, to, length);
}
