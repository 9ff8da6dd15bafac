#include "events/filter.h"

#include "format/tags.h"
#include "model/grow.h"

#include <string.h>

enum { TEXTS = 256 };

typedef struct queued {
    nytp_chunk chunk;
    uint64_t times; /* it is to be delivered */
    bool discounts; /* a DISCOUNT is to precede it */
} queued;

static void keep_statement(nytp_filter_queue *q, const nytp_statement *s, uint64_t times)
{
    const queued kept = {.chunk = {.tag = s->has_block ? NYTP_TIME_BLOCK : NYTP_TIME_LINE,
                                   .offset = q->offset,
                                   .time = {.ticks = s->ticks,
                                            .fid = s->fid,
                                            .line = s->line,
                                            .block_line = s->block_line,
                                            .sub_line = s->sub_line}},
                         .times = times,
                         .discounts = s->executions == 0};
    g_array_append_val(q->chunks, kept);
}

static inline bool wants(const nytp_filter_queue *q, nytp_tag tag)
{
    return (nytp_tag_bits[tag & 0xFF] & q->wanted) != 0;
}

static void take_statement(nytp_filter *filter, const nytp_statement *statement, uint64_t times)
{
    nytp_filter_queue *q = (nytp_filter_queue *)filter;
    if (nytp_filter_queue_gives(q))
        for (; times > 0; times--)
            q->on_statement(q->context, *statement);
    else if (times > 0 && (q->wanted & NYTP_TIMES) != 0)
        keep_statement(q, statement, times);
}

static void keep_text(const nytp_filter_queue *q, nytp_str *text)
{
    text->bytes = g_string_chunk_insert_len(q->texts, text->bytes, (gssize)text->length);
}

static void take_chunk(nytp_filter *filter, const nytp_chunk *chunk)
{
    const nytp_filter_queue *q = (nytp_filter_queue *)filter;
    queued kept = {.chunk = *chunk, .times = 1};
    if (!wants(q, chunk->tag))
        return;
    if (chunk->tag == NYTP_ATTRIBUTE) {
        keep_text(q, &kept.chunk.attribute.key);
        keep_text(q, &kept.chunk.attribute.value);
    }
    g_array_append_val(q->chunks, kept);
}

/* The return to come is of a part of a call, or of a request. */
static void keep_part(nytp_filter *filter, enum nytp_mark_kind kind, double number)
{
    nytp_mark_text text;
    nytp_mark_write(&(nytp_mark){.kind = kind, .count = 1, .numbers = {number}}, &text);
    take_chunk(filter, &text.chunk);
}

static void take_return(nytp_filter *filter, const nytp_return *returned)
{
    nytp_filter_queue *q = (nytp_filter_queue *)filter;
    const bool is_plain = !returned->is_part && returned->request == 0;
    if (is_plain && !wants(q, NYTP_SUB_RETURN))
        return;
    if (is_plain && nytp_filter_queue_gives(q)) {
        q->on_return(q->context, returned);
        return;
    }
    if (returned->is_part)
        keep_part(filter, NYTP_MARK_PARTS, 1);
    if (returned->request != 0)
        keep_part(filter, NYTP_MARK_REQUEST, (double)returned->request);
    take_chunk(filter, &(nytp_chunk){.tag = NYTP_SUB_RETURN,
                                     .offset = q->offset,
                                     .sub_return = {.depth = returned->depth,
                                                    .incl_ticks = returned->incl_ticks,
                                                    .excl_ticks = returned->excl_ticks,
                                                    .name = returned->name}});
}

nytp_filter_queue nytp_filter_queue_new(void)
{
    static const nytp_filter_type type = {
        .statement = take_statement, .returned = take_return, .chunk = take_chunk};
    return (nytp_filter_queue){
        .filter = {.type = &type}, .chunks = NYTP_ARRAY(queued), .texts = g_string_chunk_new(TEXTS)};
}

void nytp_filter_queue_clear(nytp_filter_queue *queue)
{
    g_array_free(queue->chunks, TRUE);
    g_string_chunk_free(queue->texts);
}

void nytp_filter_queue_empty(nytp_filter_queue *queue, uint32_t wanted)
{
    g_array_set_size(queue->chunks, 0);
    g_string_chunk_clear(queue->texts);
    queue->next = 0;
    queue->wanted = wanted;
}

void nytp_filter_queue_deliver(nytp_filter_queue *queue, nytp_chunk *chunk)
{
    queued *kept = &g_array_index(queue->chunks, queued, queue->next);
    if (kept->discounts) {
        *chunk = (nytp_chunk){.tag = NYTP_DISCOUNT, .offset = kept->chunk.offset};
        kept->discounts = false;
        return;
    }
    *chunk = kept->chunk;
    if (--kept->times == 0)
        queue->next++;
}
