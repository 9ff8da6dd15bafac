#include "view.h"

#include <glib.h>
#include <string.h>

static const char left_out[] = "...", between[] = "  ";
enum { LEFT_OUT = sizeof left_out - 1, BETWEEN = sizeof between - 1 };

static size_t columns_of(const char *text)
{
    size_t columns = 0;
    for (const char *at = text; *at != '\0'; at = g_utf8_next_char(at)) {
        const gunichar c = g_utf8_get_char(at);
        columns += g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
    }
    return columns;
}

char *top_shorten(const char *text, size_t columns)
{
    const char *at = text;
    if (columns_of(text) <= columns)
        return g_strdup(text);
    if (columns <= LEFT_OUT)
        return g_strndup(left_out, columns);
    while (columns_of(at) > columns - LEFT_OUT)
        at = g_utf8_next_char(at);
    return g_strconcat(left_out, at, NULL);
}

char *top_shorten_call(const char *text, size_t columns)
{
    const char *place = g_strrstr(text, between);
    if (place == NULL || columns < BETWEEN)
        return top_shorten(text, columns);
    g_autofree char *call = g_strndup(text, (size_t)(place - text));
    place += BETWEEN;
    const size_t room = columns - BETWEEN, call_columns = columns_of(call);
    g_autofree char *end = top_shorten(place, MAX(room / 2, room - MIN(room, call_columns)));
    g_autofree char *begin = top_shorten(call, room - columns_of(end));
    return g_strconcat(begin, between, end, NULL);
}
