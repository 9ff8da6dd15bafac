#include "export/json.h"

#include "base/shown.h"
#include "export/amount.h"

static void write_escape(FILE *out, uint32_t c)
{
    switch (c) {
    case '"': fputs("\\\"", out); break;
    case '\\': fputs("\\\\", out); break;
    case '\n': fputs("\\n", out); break;
    case '\t': fputs("\\t", out); break;
    default: fprintf(out, "\\u%04x", (unsigned)c); break;
    }
}

static bool is_escaped(uint32_t c)
{
    return c == '"' || c == '\\' || nytp_is_shown_escaped(c);
}

void nytp_json_string(FILE *out, nytp_str s)
{
    size_t done = 0;
    putc_unlocked('"', out);
    for (size_t i = 0, length; i < s.length; i += length) {
        uint32_t c = (unsigned char)s.bytes[i];
        length = c < 0x7F ? 1 : nytp_utf8_read(s.bytes + i, s.bytes + s.length, &c);
        length += length == 0; /* not UTF-8 after all */
        if (!is_escaped(c))
            continue;
        fwrite_unlocked(s.bytes + done, 1, i - done, out);
        write_escape(out, c);
        done = i + length;
    }
    fwrite_unlocked(s.bytes + done, 1, s.length - done, out);
    putc_unlocked('"', out);
}

void nytp_json_decimal(FILE *out, uint64_t value, unsigned decimals)
{
    char text[NYTP_EXACT_MAX];
    fwrite_unlocked(text, 1, nytp_exact_write(text, value, decimals), out);
}
