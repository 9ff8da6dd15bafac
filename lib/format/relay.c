/* Events from a reader to a writer. What stays as it is is handed on where it lies, in runs as long as can
 * be; what is to be changed goes through a stage, and so do short runs. */
#include "format/relay.h"

#include "bytes/source.h"
#include "format/chunks.h"
#include "format/input.h"
#include "format/primitives.h"
#include "format/tags.h"
#include "format/writer.h"

enum {
    STAGE_BYTES = 32 << 10,
    ROOM_BYTES = 2 * NYTP_PAD /* for a DISCOUNT and an event behind a run */
};

/* Bytes on their way to the writer: first those in the stage, then a run in the reader's buffer. */
typedef struct handing {
    nytp_writer *writer;
    const unsigned char *run; /* where it begins */
    size_t used;              /* of stage; at least ROOM_BYTES are free after end_run() */
    int rc;                   /* the writer's */
    unsigned char stage[STAGE_BYTES];
} handing;

static void hand_over(handing *h, const unsigned char *data, size_t size)
{
    if (h->rc == 0 && size > 0)
        h->rc = nytp_writer_encoded(h->writer, data, size);
}

static void end_stage(handing *h)
{
    hand_over(h, h->stage, h->used);
    h->used = 0;
}

/* The run goes up to end; another one begins at next. */
static inline void end_run(handing *h, const unsigned char *end, const unsigned char *next)
{
    size_t size = (size_t)(end - h->run);
    if (size + ROOM_BYTES > sizeof h->stage - h->used)
        end_stage(h);
    if (size + ROOM_BYTES > sizeof h->stage) {
        hand_over(h, h->run, size);
    } else if (size > 0) {
        memcpy(h->stage + h->used, h->run, size);
        h->used += size;
    }
    h->run = next;
}

/* A DISCOUNT that was held back goes before its statement: calls stood in between. */
static inline void put_discount(handing *h, nytp_relay *relay, const unsigned char *statement)
{
    if (!relay->discount)
        return;
    end_run(h, statement, statement);
    h->stage[h->used++] = NYTP_DISCOUNT;
    relay->discount = false;
}

static inline uint32_t writers_fid(const nytp_relay *relay, uint32_t fid)
{
    return fid < relay->fid_count ? relay->fids[fid] : 0;
}

/* An event that is no short statement. False: it is left to nytp_reader_next(). */
static bool relay_event(handing *h, nytp_relay *relay, nytp_cursor *c)
{
    const unsigned char *start = c->at;
    nytp_chunk chunk = {.tag = *c->at++};
    nytp_get_event(c, &chunk);
    if (c->bad != NULL || c->at > c->end)
        return false;
    const bool is_entry = chunk.tag == NYTP_SUB_ENTRY, is_call = is_entry || chunk.tag == NYTP_SUB_RETURN;
    if (is_call && relay->no_calls)
        end_run(h, start, c->at);
    if ((is_call && relay->no_calls) || chunk.tag == NYTP_SUB_RETURN) /* which has no fid */
        return true;
    uint32_t *fid = is_entry ? &chunk.sub_entry.fid : &chunk.time.fid, to = writers_fid(relay, *fid);
    if (to == 0)
        return false;
    if (!is_call) {
        relay->ticks += chunk.time.ticks;
        put_discount(h, relay, start);
    }
    if (to != *fid) {
        end_run(h, start, c->at);
        *fid = to;
        h->stage[h->used] = *start;
        h->used = (size_t)(nytp_put_fields(h->stage + h->used + 1, &chunk) - h->stage);
    }
    return true;
}

/* A statement whose ticks and fid are of one byte; it stays so if the writer's fid is small. */
static inline bool relay_short(handing *h, nytp_relay *relay, nytp_cursor *c, size_t size, uint64_t bytes)
{
    uint32_t fid = bytes >> 16 & 0xFF, to = writers_fid(relay, fid);
    if (to == 0 || to > 0x7F)
        return relay_event(h, relay, c);
    relay->ticks += (int64_t)(bytes >> 8 & 0xFF);
    put_discount(h, relay, c->at);
    if (to != fid) {
        end_run(h, c->at, c->at + size);
        bytes = htole64((bytes & ~UINT64_C(0xFF0000)) | (uint64_t)to << 16);
        memcpy(h->stage + h->used, &bytes, sizeof bytes);
        h->used += size;
    }
    c->at += size;
    return true;
}

/* False: it is left to nytp_reader_next(). */
static inline bool take_discount(handing *h, nytp_relay *relay, nytp_reader *r, nytp_cursor *c)
{
    if (c->at + 1 == c->end)
        return false;
    if (relay->discount || (nytp_tag_bits[c->at[1]] & NYTP_TIMES) == 0) {
        end_run(h, c->at, c->at + 1);
        relay->discount = true;
        r->at = c->at + 1;
        r->chunks++;
    }
    c->at++;
    return true;
}

int nytp_reader_relay(nytp_reader *r, nytp_writer *writer, nytp_relay *relay)
{
    nytp_cursor c = {.at = r->at, .end = r->end};
    handing h; /* whose stage is not worth clearing */
    if (r->ended != NYTP_OK || r->version == 0 || r->tmon != NULL)
        return 0;
    h.writer = writer;
    h.run = c.at;
    h.used = 0;
    h.rc = 0;
    /* r->at stays behind the last event that was taken: a DISCOUNT is taken with its statement. */
    while (c.at < c.end && h.rc == 0) {
        uint64_t bytes;
        size_t size = nytp_short_statement(c.at, &bytes);
        uint32_t bit = nytp_tag_bits[*c.at];
        if (bit == NYTP_BIT(DISCOUNT)) {
            if (!take_discount(&h, relay, r, &c))
                break;
            continue;
        }
        if ((bit & NYTP_EVENTS) == 0 || (size != 0 && c.at + size > c.end))
            break;
        if (!(size != 0 ? relay_short(&h, relay, &c, size, bytes) : relay_event(&h, relay, &c)))
            break;
        r->at = c.at;
        r->chunks++;
    }
    if (h.run < r->at)
        end_run(&h, r->at, r->at);
    end_stage(&h);
    return h.rc;
}
