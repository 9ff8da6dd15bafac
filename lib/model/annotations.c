#include "model/annotations.h"

#include <inttypes.h>
#include <string.h>

/* It begins so since the first version that wrote annotations. */
#define BEGIN " Merged by nytprofmerge."
static const char begin_text[] =
    BEGIN " Of the next chunk: #>N, it stems from fid N; #*N, these fids define the sub. "
          "#+K N, these do, too, that of the Kth SUB_INFO. #=N, processes of an application.";

static void put_comment(const char *text, size_t length, nytp_put_annotation_fn *put, void *context)
{
    const nytp_chunk comment = {.tag = NYTP_COMMENT, .comment = {{text, length, false}}};
    put(context, &comment);
}

/* Reads a number. Moves *at past it and the byte after it. */
static uint64_t read_number(const char **at, const char *end)
{
    uint64_t number = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; (*at)++)
        number = number * 10 + (uint64_t)(**at - '0');
    if (*at < end)
        (*at)++;
    return number;
}

enum nytp_annotation nytp_annotation_kind(nytp_str text)
{
    if (text.length >= sizeof BEGIN - 1 && memcmp(text.bytes, BEGIN, sizeof BEGIN - 1) == 0)
        return NYTP_BEGINS_ANNOTATIONS;
    switch (text.length > 0 ? text.bytes[0] : ' ') {
    case '>': return NYTP_ANNOTATED_ORIGIN;
    case '*': return NYTP_ANNOTATED_DEFINERS;
    case '+': return NYTP_ANNOTATED_LATER_DEFINERS;
    case '=': return NYTP_ANNOTATED_APPLICATION;
    default: return NYTP_NO_ANNOTATION;
    }
}

void nytp_annotate_begin(nytp_put_annotation_fn *put, void *context)
{
    put_comment(begin_text, sizeof begin_text - 1, put, context);
}

void nytp_annotate_origin(uint32_t fid, nytp_put_annotation_fn *put, void *context)
{
    char text[16];
    put_comment(text, (size_t)snprintf(text, sizeof text, ">%" PRIu32, fid), put, context);
}

uint32_t nytp_annotation_origin(nytp_str text)
{
    const char *at = text.bytes + 1;
    return (uint32_t)read_number(&at, text.bytes + text.length);
}

/* Puts comments of many fids each, which begin with the start. */
static void put_fids(const char *start, const uint32_t *fids, size_t count, nytp_put_annotation_fn *put,
                     void *context)
{
    enum { FIDS_A_LINE = 200 };
    g_autoptr(GString) text = g_string_new(NULL);
    for (size_t i = 0; i < count;) {
        const size_t end = MIN(i + FIDS_A_LINE, count);
        for (g_string_assign(text, start); i < end; i++)
            g_string_append_printf(text, "%" PRIu32 " ", fids[i]);
        put_comment(text->str, text->len - 1, put, context);
    }
}

static void read_fids(const char *at, const char *end, GArray *fids)
{
    while (at < end) {
        const uint32_t fid = (uint32_t)read_number(&at, end);
        g_array_append_val(fids, fid);
    }
}

void nytp_annotate_definers(const uint32_t *fids, size_t count, nytp_put_annotation_fn *put, void *context)
{
    put_fids("*", fids, count, put, context);
}

void nytp_annotation_definers(nytp_str text, GArray *fids)
{
    read_fids(text.bytes + 1, text.bytes + text.length, fids);
}

void nytp_annotate_later_definers(uint32_t sub_info, const uint32_t *fids, size_t count,
                                  nytp_put_annotation_fn *put, void *context)
{
    char start[16];
    (void)snprintf(start, sizeof start, "+%" PRIu32 " ", sub_info);
    put_fids(start, fids, count, put, context);
}

uint32_t nytp_annotation_later_definers(nytp_str text, GArray *fids)
{
    const char *at = text.bytes + 1, *end = text.bytes + text.length;
    const uint32_t number = (uint32_t)read_number(&at, end);
    read_fids(at, end, fids);
    return number;
}

void nytp_annotate_application(nytp_str application, uint64_t processes, nytp_put_annotation_fn *put,
                               void *context)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "=%" PRIu64 " ", processes);
    g_string_append_len(text, application.bytes, (gssize)application.length);
    put_comment(text->str, text->len, put, context);
}

nytp_str nytp_annotation_application(nytp_str text, uint64_t *processes)
{
    const char *at = text.bytes + 1, *end = text.bytes + text.length;
    *processes = read_number(&at, end);
    return (nytp_str){at, (size_t)(end - at), false};
}
