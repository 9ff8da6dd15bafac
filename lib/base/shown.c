#include "base/shown.h"

#include <stdio.h>

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

/* Unicode 15: the property Bidi_Control, the separators of lines, and what has no width, so that names that
 * differ would look the same. hidden in page/app/highlight.js has the same characters. */
static bool is_hidden(uint32_t c)
{
    static const uint32_t ranges[][2] = {{0xAD, 0xAD},     {0x061C, 0x061C}, {0x180E, 0x180E},
                                         {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},
                                         {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (c >= ranges[i][0] && c <= ranges[i][1])
            return true;
    return false;
}

bool nytp_is_shown_escaped(uint32_t character)
{
    return character < ' ' || (character >= 0x7F && character < 0xA0) || is_hidden(character);
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

size_t nytp_shown_plain(const char *at, const char *end)
{
    const char *from = at;
    while (at < end && *at >= ' ' && *at < 0x7F)
        at++;
    return (size_t)(at - from);
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
