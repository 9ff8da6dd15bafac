#include "model/eval_name.h"

#include <glib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static nytp_str between(const char *from, const char *to)
{
    return (nytp_str){from, (size_t)(to - from), false};
}

static bool is_number(nytp_str s)
{
    for (size_t i = 0; i < s.length; i++)
        if (!is_digit(s.bytes[i]))
            return false;
    return s.length > 0;
}

static bool ends_in_eval(nytp_str word)
{
    enum { EVAL = 4 };
    return word.length >= EVAL && memcmp(word.bytes + word.length - EVAL, "eval", EVAL) == 0;
}

/* Returns whether the text from `at` to end begins with "(eval 5)", or the same with another word that ends
 * in "eval". If so, sets *kind to the word and *number to the number. */
static bool begins_numbered(const char *at, const char *end, nytp_str *kind, nytp_str *number)
{
    if (at >= end || *at != '(')
        return false;
    const char *word = ++at;
    while (at < end && is_word(*at))
        at++;
    *kind = between(word, at);
    if (at == end || *at != ' ' || !ends_in_eval(*kind))
        return false;
    const char *digit = ++at;
    while (at < end && is_digit(*at))
        at++;
    *number = between(digit, at);
    return number->length > 0 && at < end && *at == ')';
}

bool nytp_eval_name_parse(nytp_str name, nytp_eval_name *e)
{
    const char *end = name.bytes + name.length;
    if (name.length == 0 || !begins_numbered(name.bytes, end, &e->kind, &e->number))
        return false;
    e->file = e->line = (nytp_str){"", 0, false};
    const char *open = e->number.bytes + e->number.length + 1;
    if (open == end) /* recorded with nameevals=0 */
        return true;
    const char *colon = end - open > 2 ? memrchr(open, ':', (size_t)(end - open)) : NULL;
    if (*open != '[' || end[-1] != ']' || colon == NULL)
        return false;
    e->file = between(open + 1, colon);
    e->line = between(colon + 1, end - 1);
    return is_number(e->line);
}

nytp_str nytp_eval_name_outermost(nytp_str name)
{
    nytp_eval_name e;
    while (nytp_eval_name_parse(name, &e))
        name = e.file;
    return name;
}

/* Returns the colon of the last ":26]", which ends the name of an eval's file, or NULL. */
static const char *last_line(nytp_str name)
{
    const char *end = name.bytes + name.length, *colon = end;
    while (colon > name.bytes && (colon = memrchr(name.bytes, ':', (size_t)(colon - name.bytes))) != NULL) {
        const char *digit = colon + 1;
        while (digit < end && is_digit(*digit))
            digit++;
        if (digit > colon + 1 && digit < end && *digit == ']')
            return colon;
    }
    return NULL;
}

/* Returns whether the text at `at` begins with "(eval N)[" and a file name that ends at line. Sets *number to
 * N. */
static bool begins_eval(const char *at, const char *line, nytp_str *number)
{
    nytp_str kind;
    if (line == NULL || at >= line || !begins_numbered(at, line, &kind, number))
        return false;
    const char *after = number->bytes + number->length + 1;
    return after + 1 < line && *after == '[';
}

char *nytp_eval_name_merge(nytp_str name, size_t *length)
{
    const char *at = name.bytes, *end = name.bytes + name.length, *line = last_line(name);
    char *merged = g_malloc(name.length + 1), *to = merged;
    nytp_str number;
    while (at < end) {
        if (!begins_eval(at, line, &number)) {
            *to++ = *at++;
            continue;
        }
        to = mempcpy(to, at, (size_t)(number.bytes - at));
        *to++ = '0';
        at = number.bytes + number.length;
    }
    *to = '\0';
    *length = (size_t)(to - merged);
    return merged;
}

char *nytp_eval_frame_name(nytp_str file, uint32_t line, size_t *length)
{
    GString *name = g_string_new(NYTP_EVAL_FRAME);
    g_string_append_len(name, file.bytes, (gssize)file.length);
    g_string_append_printf(name, ":%u", line);
    *length = name->len;
    return g_string_free(name, FALSE);
}

nytp_place_name nytp_eval_frame_place(nytp_str name)
{
    const char *file = name.bytes + sizeof NYTP_EVAL_FRAME - 1, *end = name.bytes + name.length;
    const char *colon = memrchr(file, ':', (size_t)(end - file));
    const double line = colon != NULL ? nytp_str_number(between(colon + 1, end)) : 0;
    return (nytp_place_name){between(file, colon != NULL ? colon : end),
                             line > 0 && line <= INT32_MAX ? (uint32_t)line : 0};
}
