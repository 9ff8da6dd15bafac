#include "escape.h"

#include <string.h>

static void escape_part(FILE *out, const char *at, const char *end)
{
    if (at == end)
        putc('%', out);
    for (; at < end; at++) {
        unsigned char byte = (unsigned char)*at;
        if (byte <= ' ' || byte == '%' || byte == 0x7f)
            fprintf(out, "%%%02X", byte);
        else
            putc(byte, out);
    }
}

/* The last "::" of the name itself: what follows it in brackets is where the sub is. NULL: there is none. */
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

void escape_name(FILE *out, nytp_str name)
{
    const char *colons = last_colons(name), *end = name.bytes + name.length;
    if (colons != NULL)
        escape_part(out, name.bytes, colons);
    else
        fputs("main", out);
    putc(' ', out);
    escape_part(out, colons != NULL ? colons + 2 : name.bytes, end);
}
