#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int nytp_fail(nytp_error *err, int code, const char *format, ...)
{
    if (err->code != NYTP_OK)
        return err->code;
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    err->code = code;
    return code;
}

char *nytp_name_in_messages(const char *name)
{
    enum { MOST_BYTES = 300 };
    const size_t length = strlen(name);
    if (length <= MOST_BYTES)
        return strdup(name);
    const char *end = name + length - MOST_BYTES;
    while ((*end & 0xC0) == 0x80) /* within a UTF-8 character */
        end++;
    char *shown;
    return asprintf(&shown, "...%s", end) < 0 ? NULL : shown;
}
