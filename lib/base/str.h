/* The strings of chunks: comparing and reading them. Only the bytes count, not the flag utf8. */
#pragma once

#include "nytprof.h"

#include "base/order.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NYTP_RUNTIME "main::RUNTIME" /* stock's name of the code outside of all subs */

enum { NYTP_DECIMAL_MAX = 20 }; /* digits of a uint64_t */

/* Writes the digits of a number at `at`. Returns their end. */
static inline char *nytp_put_decimal(char *at, uint64_t number)
{
    char digits[NYTP_DECIMAL_MAX];
    int first = NYTP_DECIMAL_MAX;
    do
        digits[--first] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (first < NYTP_DECIMAL_MAX)
        *at++ = digits[first++];
    return at;
}

static inline nytp_str nytp_str_of(const char *text)
{
    return (nytp_str){text, strlen(text), false};
}

static inline bool nytp_str_same(nytp_str a, nytp_str b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

static inline bool nytp_str_is(nytp_str s, const char *text)
{
    return nytp_str_same(s, nytp_str_of(text));
}

/* Takes the first line, with its newline, off a text that is not empty, and returns it. */
static inline nytp_str nytp_str_take_line(nytp_str *text)
{
    const char *newline = memchr(text->bytes, '\n', text->length);
    nytp_str line = *text;
    if (newline != NULL)
        line.length = (size_t)(newline + 1 - text->bytes);
    text->bytes += line.length;
    text->length -= line.length;
    return line;
}

/* Returns which of the texts s is; -1: none. */
static inline int nytp_str_index(nytp_str s, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (nytp_str_is(s, texts[i]))
            return (int)i;
    return -1;
}

/* Returns whether s is the full name of a sub called text: main::fact for fact. */
static inline bool nytp_str_is_sub(nytp_str s, const char *text)
{
    size_t length = strlen(text), before = s.length - length;
    return s.length > length + 2 && memcmp(s.bytes + before, text, length) == 0 &&
           memcmp(s.bytes + before - 2, "::", 2) == 0;
}

/* Compares like memcmp(): byte order, and a prefix comes before the longer string. */
static inline int nytp_str_order(nytp_str a, nytp_str b)
{
    size_t common = a.length < b.length ? a.length : b.length;
    int order = common > 0 ? memcmp(a.bytes, b.bytes, common) : 0;
    return order != 0 ? order : NYTP_ORDER(a.length, b.length);
}

/* Returns the number that s, which may be the value of an attribute, begins with; 0 if there is none. */
static inline double nytp_str_number(nytp_str s)
{
    char text[64] = "";
    if (s.length < sizeof text)
        memcpy(text, s.bytes, s.length);
    return strtod(text, NULL);
}
