#include "html_pack.h"

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

void html_pack_write_bytes(const GByteArray *deflated, const char *id, FILE *out)
{
    enum { IN = 48 << 10, OUT = (IN / 3 + 1) * 4 + 4 };
    char *text = g_malloc(OUT);
    gint state = 0, save = 0;
    fprintf(out, "<script type=\"text/plain\" id=\"%s\">", id);
    for (guint at = 0; at < deflated->len; at += IN) {
        gsize size = MIN((guint)IN, deflated->len - at);
        gsize made = g_base64_encode_step(deflated->data + at, size, FALSE, text, &state, &save);
        fwrite(text, 1, made, out);
    }
    fwrite(text, 1, g_base64_encode_close(FALSE, text, &state, &save), out);
    fputs("</script>\n", out);
    g_free(text);
}

void html_pack_write(html_pack *pack, const char *id, FILE *out)
{
    GByteArray *deflated = html_pack_finish(pack);
    html_pack_write_bytes(deflated, id, out);
    g_byte_array_unref(deflated);
}
