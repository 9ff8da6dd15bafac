#include "json.h"

#include "bytes/raw_deflate_mt.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

enum { PIECE_BYTES = 256 << 10, MOST_THREADS = 4 };
enum { LEVEL = 5 /* 6 takes a fifth more time for 1.5 % fewer bytes with zlib, and 0.5 % with libdeflate */ };

struct html_pack {
    nytp_raw_deflate_mt *deflate;
    GQueue done;       /* GByteArray: blocks that are deflated */
    GByteArray *block; /* the next one, as far as it is */
};

static void append(void *context, const nytp_deflated *piece)
{
    html_pack *p = context;
    g_byte_array_append(p->block, piece->bytes, (guint)piece->size);
    if (!piece->ends)
        return;
    g_queue_push_tail(&p->done, p->block);
    p->block = g_byte_array_new();
}

static void check_memory(int status)
{
    if (status == 0)
        return;
    errno = ENOMEM; /* for lib/cli/limit.c; that of another thread was refused memory */
    g_error("out of memory");
}

/* Returns how many processors there are beside that of the caller. */
static unsigned other_processors(void)
{
    cpu_set_t cores;
    const unsigned count = sched_getaffinity(0, sizeof cores, &cores) == 0 ? (unsigned)CPU_COUNT(&cores) : 1;
    return MIN(count - 1, MOST_THREADS);
}

html_pack *html_pack_new(void)
{
    html_pack *p = g_new0(html_pack, 1);
    p->block = g_byte_array_new();
    p->deflate = nytp_raw_deflate_mt_new(&(nytp_raw_deflate_mt_options){
        .level = LEVEL,
        .with = NYTP_DEFLATE_STRONG,
        .piece_bytes = PIECE_BYTES,
        .threads = other_processors(),
        .deflated = append,
        .context = p,
    });
    check_memory(p->deflate == NULL);
    return p;
}

void html_pack_free(html_pack *pack)
{
    nytp_raw_deflate_mt_free(pack->deflate);
    g_byte_array_unref(pack->block);
    g_queue_clear_full(&pack->done, (GDestroyNotify)g_byte_array_unref);
    g_free(pack);
}

void html_pack_add(html_pack *pack, const void *data, size_t size)
{
    check_memory(nytp_raw_deflate_mt_write(pack->deflate, data, size));
}

void html_pack_end(html_pack *pack)
{
    check_memory(nytp_raw_deflate_mt_end(pack->deflate));
}

GByteArray *html_pack_take(html_pack *pack)
{
    bool any = true;
    while (g_queue_is_empty(&pack->done) && any)
        check_memory(nytp_raw_deflate_mt_collect(pack->deflate, &any));
    return g_queue_pop_head(&pack->done);
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
    g_autoptr(GByteArray) deflated = html_pack_take(pack);
    const size_t bytes = html_pack_bytes(deflated);
    html_pack_write_bytes(deflated, id, out);
    return bytes;
}

bool html_pack_write_if_fits(const GByteArray *deflated, const char *id, size_t *most_bytes, FILE *out)
{
    const size_t bytes = html_pack_bytes(deflated);
    if (bytes > *most_bytes)
        return false;
    *most_bytes -= bytes;
    html_pack_write_bytes(deflated, id, out);
    return true;
}
