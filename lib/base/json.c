#include "base/json.h"

static void write_escape(FILE *out, unsigned char c)
{
    switch (c) {
    case '"': fputs("\\\"", out); break;
    case '\\': fputs("\\\\", out); break;
    case '\n': fputs("\\n", out); break;
    case '\t': fputs("\\t", out); break;
    default: fprintf(out, "\\u%04x", c); break;
    }
}

void nytp_json_string(FILE *out, nytp_str s)
{
    size_t done = 0;
    putc_unlocked('"', out);
    for (size_t i = 0; i < s.length; i++) {
        unsigned char c = (unsigned char)s.bytes[i];
        if (c >= ' ' && c != '"' && c != '\\')
            continue;
        fwrite_unlocked(s.bytes + done, 1, i - done, out);
        write_escape(out, c);
        done = i + 1;
    }
    fwrite_unlocked(s.bytes + done, 1, s.length - done, out);
    putc_unlocked('"', out);
}

void nytp_json_decimal(FILE *out, uint64_t value, unsigned decimals)
{
    char digits[32], *const end = digits + sizeof digits, *at = end;
    if (decimals > 0) {
        for (; decimals > 0; decimals--, value /= 10)
            *--at = (char)('0' + value % 10);
        *--at = '.';
    }
    do {
        *--at = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    fwrite_unlocked(at, 1, (size_t)(end - at), out);
}
