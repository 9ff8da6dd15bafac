/* Copies events from a reader to a writer. Chunks that need no change are passed on in place, in runs that
 * are as long as possible. Chunks that must be changed are encoded into a staging buffer; short runs are
 * copied there, too. */
#include "format/writer.h"

#include "bytes/source.h"
#include "format/chunks.h"
#include "format/fastpath.h"
#include "format/reader.h"
#include "format/primitives.h"
#include "format/tags.h"

enum {
    STAGE_BYTES = 32 << 10,
    RESERVED_BYTES = 2 * NYTP_PAD /* for a DISCOUNT and an event after a run */
};

/* Bytes on their way to the writer: those in the staging buffer, then a run in the reader's buffer. */
typedef struct transfer {
    nytp_writer *writer;
    const unsigned char *run; /* where it begins */
    size_t staged;            /* bytes in stage; at least RESERVED_BYTES are free after end_run() */
    int rc;                   /* what the writer returned */
    unsigned char stage[STAGE_BYTES];
} transfer;

static void pass_on(transfer *t, const unsigned char *data, size_t size)
{
    if (t->rc == 0 && size > 0)
        t->rc = nytp_writer_encoded(t->writer, data, size);
}

static void end_stage(transfer *t)
{
    pass_on(t, t->stage, t->staged);
    t->staged = 0;
}

/* Ends the run at end, and begins another one at next. */
static inline void end_run(transfer *t, const unsigned char *end, const unsigned char *next)
{
    size_t size = (size_t)(end - t->run);
    if (size + RESERVED_BYTES > sizeof t->stage - t->staged)
        end_stage(t);
    if (size + RESERVED_BYTES > sizeof t->stage) {
        pass_on(t, t->run, size);
    } else if (size > 0) {
        memcpy(t->stage + t->staged, t->run, size);
        t->staged += size;
    }
    t->run = next;
}

/* Writes a DISCOUNT that was held back because calls stood between it and its statement. */
static inline void put_discount(transfer *t, nytp_relay *relay, const unsigned char *statement)
{
    if (!relay->discount)
        return;
    end_run(t, statement, statement);
    t->stage[t->staged++] = NYTP_DISCOUNT;
    relay->discount = false;
}

static inline uint32_t writers_fid(const nytp_relay *relay, uint32_t fid)
{
    return fid < relay->fid_count ? relay->fids[fid] : 0;
}

/* Relays an event that is not a short statement. Returns false if nytp_reader_next() must handle it. */
static bool relay_event(transfer *t, nytp_relay *relay, nytp_cursor *c)
{
    const unsigned char *start = c->at;
    nytp_chunk chunk = {.tag = *c->at++};
    nytp_get_event(c, &chunk);
    if (c->bad != NULL || c->at > c->end)
        return false;
    const bool is_entry = chunk.tag == NYTP_SUB_ENTRY, is_call = is_entry || chunk.tag == NYTP_SUB_RETURN;
    if (is_call && relay->no_calls)
        end_run(t, start, c->at);
    if ((is_call && relay->no_calls) || chunk.tag == NYTP_SUB_RETURN) /* a SUB_RETURN has no fid */
        return true;
    uint32_t *fid = is_entry ? &chunk.sub_entry.fid : &chunk.time.fid, to = writers_fid(relay, *fid);
    if (to == 0)
        return false;
    if (!is_call) {
        relay->ticks += chunk.time.ticks;
        put_discount(t, relay, start);
    }
    if (to != *fid) {
        end_run(t, start, c->at);
        *fid = to;
        t->stage[t->staged] = *start;
        t->staged = (size_t)(nytp_put_fields(t->stage + t->staged + 1, &chunk) - t->stage);
    }
    return true;
}

/* Relays a short statement, whose eight bytes are in `bytes`. It stays short if the writer's fid has one
 * byte. */
static inline bool relay_short(transfer *t, nytp_relay *relay, nytp_cursor *c, size_t size, uint64_t bytes)
{
    uint32_t fid = bytes >> 16 & 0xFF, to = writers_fid(relay, fid);
    if (to == 0 || to > 0x7F)
        return relay_event(t, relay, c);
    relay->ticks += (int64_t)(bytes >> 8 & 0xFF);
    put_discount(t, relay, c->at);
    if (to != fid) {
        end_run(t, c->at, c->at + size);
        bytes = htole64((bytes & ~UINT64_C(0xFF0000)) | (uint64_t)to << 16);
        memcpy(t->stage + t->staged, &bytes, sizeof bytes);
        t->staged += size;
    }
    c->at += size;
    return true;
}

/* Passes a DISCOUNT, holding it back if no statement follows at once. Returns false if nytp_reader_next()
 * must handle it. */
static inline bool relay_discount(transfer *t, nytp_relay *relay, nytp_reader *r, nytp_cursor *c)
{
    if (c->at + 1 == c->end)
        return false;
    if (relay->discount || (nytp_tag_bits[c->at[1]] & NYTP_TIMES) == 0) {
        end_run(t, c->at, c->at + 1);
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
    transfer t; /* not cleared: the staging buffer is large */
    if (r->ended != NYTP_OK || r->dropped != NULL || !nytp_reader_is_plain(r))
        return 0;
    t.writer = writer;
    t.run = c.at;
    t.staged = 0;
    t.rc = 0;
    /* r->at is always after the last event that was relayed. A DISCOUNT is relayed with its statement. */
    while (c.at < c.end && t.rc == 0) {
        uint64_t bytes;
        size_t size = nytp_short_statement(c.at, &bytes);
        uint32_t bit = nytp_tag_bits[*c.at];
        if (bit == NYTP_BIT(DISCOUNT)) {
            if (!relay_discount(&t, relay, r, &c))
                break;
            continue;
        }
        if ((bit & NYTP_EVENTS) == 0 || (size != 0 && c.at + size > c.end))
            break;
        if (!(size != 0 ? relay_short(&t, relay, &c, size, bytes) : relay_event(&t, relay, &c)))
            break;
        r->at = c.at;
        r->chunks++;
    }
    if (t.run < r->at)
        end_run(&t, r->at, r->at);
    end_stage(&t);
    return t.rc;
}
