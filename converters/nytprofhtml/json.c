#include "json.h"

#include "text.h"

#include <math.h>
#include <string.h>

enum { MOST_DIGITS = 24 }; /* with a sign */

html_json *html_json_new(html_pack *to)
{
    html_json *j = g_new(html_json, 1);
    j->to = to;
    j->first = true;
    j->used = 0;
    html_json_open(j, NULL, '{');
    return j;
}

/* Passes the buffered bytes on. */
static void flush(html_json *j)
{
    html_pack_add(j->to, j->buffer, j->used);
    j->used = 0;
}

void html_json_end_block(html_json *j)
{
    html_json_close(j, '}');
    flush(j);
    html_pack_end(j->to);
}

GByteArray *html_json_take_block(html_json *j)
{
    html_json_end_block(j);
    return html_pack_take(j->to);
}

static void put(html_json *j, const char *bytes, size_t length)
{
    if (sizeof j->buffer - j->used < length)
        flush(j);
    if (length > sizeof j->buffer) {
        html_pack_add(j->to, bytes, length);
        return;
    }
    memcpy(j->buffer + j->used, bytes, length);
    j->used += length;
}

static void put_key(html_json *j, const char *key)
{
    if (!j->first)
        put(j, ",", 1);
    j->first = false;
    if (key == NULL)
        return;
    put(j, "\"", 1);
    put(j, key, strlen(key));
    put(j, "\":", 2);
}

void html_json_open(html_json *j, const char *key, char bracket)
{
    put_key(j, key);
    put(j, &bracket, 1);
    j->first = true;
}

void html_json_close(html_json *j, char bracket)
{
    put(j, &bracket, 1);
    j->first = false;
}

/* There is room for MOST_DIGITS. */
static void put_digits(html_json *j, int64_t number)
{
    char digits[2 * MOST_DIGITS] = {0}, *const end = digits + MOST_DIGITS, *at = end;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do
        *--at = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (number < 0)
        *--at = '-';
    memcpy(j->buffer + j->used, at, MOST_DIGITS); /* a copy of a fixed size takes a few instructions */
    j->used += (size_t)(end - at);
}

void html_json_any_int(html_json *j, const char *key, int64_t number)
{
    if (key != NULL)
        put_key(j, key);
    if (sizeof j->buffer - j->used < MOST_DIGITS + 1)
        flush(j);
    if (key == NULL && !j->first)
        j->buffer[j->used++] = ',';
    j->first = false;
    put_digits(j, number);
}

void html_json_real(html_json *j, const char *key, double number)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    if (!isfinite(number))
        number = 0;
    put_key(j, key);
    g_ascii_formatd(digits, sizeof digits, "%.17g", number);
    put(j, digits, strlen(digits));
}

void html_json_bool(html_json *j, const char *key, bool value)
{
    put_key(j, key);
    put(j, value ? "true" : "false", value ? 4 : 5);
}

void html_json_text(html_json *j, const char *key, const char *text)
{
    put_key(j, key);
    put(j, "\"", 1);
    for (const char *from = text;;) {
        size_t plain = 0;
        while ((unsigned char)from[plain] >= ' ' && from[plain] != '"' && from[plain] != '\\')
            plain++;
        put(j, from, plain);
        from += plain;
        if (*from == '\0')
            break;
        char escape[8];
        int length = snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(unsigned char)*from++);
        put(j, escape, (size_t)length);
    }
    put(j, "\"", 1);
}

void html_json_clean(html_json *j, const char *key, const char *text)
{
    g_autofree char *clean = html_text_clean(text != NULL ? text : "");
    html_json_text(j, key, clean);
}
