#include "base/shown.h"

#include <stdio.h>
#include <string.h>

/* Unicode 15, table 3-7: nothing longer than needed, no surrogates, nothing past U+10FFFF. */
size_t nytp_utf8_read(const char *at, const char *end, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)*at;
    size_t length = first < 0x80 ? 1 : first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    uint32_t code = length == 1 ? first : first & (0xFFU >> (length + 1));
    if (length == 0 || first >= 0xF8 || (size_t)(end - at) < length)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if (((unsigned char)at[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | ((unsigned char)at[i] & 0x3F);
    }
    if (code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return 0;
    *character = code;
    return length;
}

/* Unicode 15, property Bidi_Control. */
static bool is_direction(uint32_t c)
{
    return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069);
}

bool nytp_is_shown_escaped(uint32_t character)
{
    return character < ' ' || (character >= 0x7F && character < 0xA0) || is_direction(character);
}

size_t nytp_shown_escape(char escape[NYTP_ESCAPE_ROOM], uint32_t character)
{
    static const char in_short[] = {['\0'] = '0', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};
    bool is_short = character < sizeof in_short && in_short[character] != '\0';
    int length = is_short            ? snprintf(escape, NYTP_ESCAPE_ROOM, "\\%c", in_short[character])
                 : character < 0x100 ? snprintf(escape, NYTP_ESCAPE_ROOM, "\\x%02x", (unsigned)character)
                                     : snprintf(escape, NYTP_ESCAPE_ROOM, "\\x{%x}", (unsigned)character);
    return (size_t)length;
}

size_t nytp_shown_next(const char *at, const char *end, char escape[NYTP_ESCAPE_ROOM])
{
    uint32_t character;
    size_t length = nytp_utf8_read(at, end, &character);
    escape[0] = '\0';
    if (length == 0)
        nytp_shown_escape(escape, (unsigned char)*at);
    else if (nytp_is_shown_escaped(character))
        nytp_shown_escape(escape, character);
    return length > 0 ? length : 1;
}
