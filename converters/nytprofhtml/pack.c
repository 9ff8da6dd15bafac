#include "pack.h"

#include "bytes/raw_deflate.h"

#include <string.h>

enum { LEVEL = 6 /* of zlib; a report is written once and kept */ };

struct html_pack {
    nytp_raw_deflate *deflate;
    GByteArray *deflated;
};

static int append(void *context, const void *data, size_t size)
{
    g_byte_array_append(context, data, (guint)size);
    return 0;
}

html_pack *html_pack_new(void)
{
    html_pack *p = g_new0(html_pack, 1);
    p->deflated = g_byte_array_new();
    p->deflate = nytp_raw_deflate_new(LEVEL, append, p->deflated);
    if (p->deflate == NULL)
        g_error("out of memory");
    return p;
}

void html_pack_add(html_pack *pack, const void *data, size_t size)
{
    nytp_raw_deflate_write(pack->deflate, data, size);
}

GByteArray *html_pack_finish(html_pack *pack)
{
    GByteArray *deflated = pack->deflated;
    nytp_raw_deflate_finish(pack->deflate);
    nytp_raw_deflate_free(pack->deflate);
    g_free(pack);
    return deflated;
}

/* The digits of base 85. No quote, "<", "&" or backslash is among them: data cannot end its element. */
static const char digits[] =
    "()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
_Static_assert(sizeof digits == 85 + 1, "85 digits");

enum { GROUP_BYTES = 4, GROUP_DIGITS = 5 };

/* Appends the digits of four bytes, the most significant one first. */
static char *put_group(char *to, const guint8 *bytes)
{
    uint32_t left =
        (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | (uint32_t)bytes[3];
    for (int i = GROUP_DIGITS; i-- > 0; left /= 85)
        to[i] = digits[left % 85];
    return to + GROUP_DIGITS;
}

/* The last group may have fewer bytes. n bytes are written as n + 1 digits. */
static void write_last_group(const guint8 *bytes, size_t count, FILE *out)
{
    guint8 padded[GROUP_BYTES] = {0};
    char text[GROUP_DIGITS] = {0};
    memcpy(padded, bytes, count);
    put_group(text, padded);
    fwrite(text, 1, count + 1, out);
}

void html_pack_write_bytes(const GByteArray *deflated, const char *id, FILE *out)
{
    enum { GROUPS = 4096 };
    char text[GROUPS * GROUP_DIGITS];
    const guint8 *at = deflated->data, *end = at + deflated->len;
    fprintf(out, "<script type=\"text/plain\" id=\"%s\">", id);
    while (end - at >= GROUP_BYTES) {
        char *to = text;
        for (; end - at >= GROUP_BYTES && to < text + sizeof text; at += GROUP_BYTES)
            to = put_group(to, at);
        fwrite(text, 1, (size_t)(to - text), out);
    }
    if (at < end)
        write_last_group(at, (size_t)(end - at), out);
    fputs("</script>\n", out);
}

size_t html_pack_bytes(const GByteArray *deflated)
{
    const size_t last = deflated->len % GROUP_BYTES;
    return (size_t)deflated->len / GROUP_BYTES * GROUP_DIGITS + (last > 0 ? last + 1 : 0);
}

size_t html_pack_write(html_pack *pack, const char *id, FILE *out)
{
    GByteArray *deflated = html_pack_finish(pack);
    const size_t bytes = html_pack_bytes(deflated);
    html_pack_write_bytes(deflated, id, out);
    g_byte_array_unref(deflated);
    return bytes;
}
