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
