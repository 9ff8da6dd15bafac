#include "base/error.h"

#include <stdarg.h>

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
