#include "escape.h"

#include "model/display.h"

#include <string.h>

static void escape_byte(FILE *out, unsigned char byte, bool latin1)
{
    if (byte <= ' ' || byte == '%' || byte == 0x7f) {
        fprintf(out, "%%%02X", byte);
    } else if (byte >= 0x80 && latin1) {
        putc(0xC0 | byte >> 6, out);
        putc(0x80 | (byte & 0x3F), out);
    } else {
        putc(byte, out);
    }
}

static void escape_part(FILE *out, const char *at, const char *end, bool latin1)
{
    if (at == end)
        putc('%', out);
    for (; at < end; at++)
        escape_byte(out, (unsigned char)*at, latin1);
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
