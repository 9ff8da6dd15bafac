#include "escape.h"

#include "base/shown.h"
#include "model/display.h"

#include <string.h>

/* Writes a character, or a byte of Latin-1, as UTF-8 or as escapes. */
static void escape_character(FILE *out, const char *bytes, size_t length, uint32_t character)
{
    bool is_latin1 = length == 1 && character >= 0x80;
    const unsigned char converted[] = {0xC0 | (unsigned char)character >> 6, 0x80 | (character & 0x3F)};
    const unsigned char *at = is_latin1 ? converted : (const unsigned char *)bytes;
    bool escaped = character <= ' ' || character == '%' || nytp_is_shown_escaped(character);
    for (size_t i = 0; i < (is_latin1 ? sizeof converted : length); i++)
        fprintf(out, escaped ? "%%%02X" : "%c", at[i]);
}

static void escape_part(FILE *out, const char *at, const char *end, bool latin1)
{
    if (at == end)
        putc('%', out);
    while (at < end) {
        uint32_t character = (unsigned char)*at;
        size_t length = latin1 ? 1 : nytp_utf8_read(at, end, &character);
        length += length == 0; /* the parts of valid UTF-8 are valid: they end at a colon */
        escape_character(out, at, length, character);
        at += length;
    }
}

/* Returns the last "::" of the name, or NULL. Those in the brackets that follow the name of an anonymous sub
 * do not count. */
static const char *last_colons(nytp_str name)
{
    const char *bracket = name.length > 0 ? memchr(name.bytes, '[', name.length) : NULL;
    const char *at = bracket != NULL ? bracket : name.bytes + name.length;
    while (at - name.bytes >= 2) {
        at--;
        if (at[-1] == ':' && at[0] == ':')
            return at - 1;
    }
    return NULL;
}

void dprof_escape_name(FILE *out, nytp_str name)
{
    const char *colons = last_colons(name), *end = name.bytes + name.length;
    bool latin1 = !nytp_name_is_utf8(name);
    if (colons != NULL)
        escape_part(out, name.bytes, colons, latin1);
    else
        fputs("main", out);
    putc(' ', out);
    escape_part(out, colons != NULL ? colons + 2 : name.bytes, end, latin1);
}
