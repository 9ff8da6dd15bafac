#include "repeats.h"

#include "dynblock.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 32 << 10, /* how far back deflate can refer */
    ROOM = 3 * WINDOW,
    LONG = 64, /* bytes of which the places are remembered, of one place */
    MIDDLE = 16,
    SHORT = 4,
    AHEAD = NYTP_MATCH_MOST + LONG, /* so many bytes behind a place are looked at */
    TABLE_BITS = 13,
    TABLE = 1 << TABLE_BITS,
    LASTS_AFTER_MATCH = 16, /* copies */
    LASTS_AFTER_LITERAL = 4
};

/* Where the bytes of a key stood last, and the time before for the long ones; 0: nowhere. */
typedef struct places {
    uint32_t longs[TABLE], befores[TABLE], middles[TABLE], shorts[TABLE];
} places;

typedef struct repeats {
    size_t done, end; /* of bytes */
    places places;
    nytp_dynblock block;
    nytp_bits bits;                  /* into out */
    unsigned char *taken;            /* of out */
    enum nytp_deflate_flush flushed; /* what was put into out behind all that came in */
    unsigned char bytes[ROOM + AHEAD];
    uint8_t lasts[ROOM + AHEAD]; /* for how many copies a place is one that is remembered */
    unsigned char out[NYTP_BLOCK_MOST_BYTES + 64];
} repeats;

/* ---- where the same bytes stood ---- */

typedef struct keys {
    uint32_t longs, middles, shorts;
} keys;

static inline uint64_t load(const unsigned char *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return le64toh(value);
}

static inline void store(unsigned char *at, uint64_t value)
{
    value = htole64(value);
    memcpy(at, &value, sizeof value);
}

static inline keys keys_at(const unsigned char *at)
{
    static const uint64_t odd[LONG / 8] = {UINT64_C(0x9E3779B97F4A7C15), UINT64_C(0xC2B2AE3D27D4EB4F),
                                           UINT64_C(0x165667B19E3779F9), UINT64_C(0x27D4EB2F165667C5),
                                           UINT64_C(0x85EBCA77C2B2AE63), UINT64_C(0xD6E8FEB86659FD93),
                                           UINT64_C(0xA0761D6478BD642F), UINT64_C(0xE7037ED1A0B428DB)};
    const uint64_t first = load(at);
    uint64_t sum = first * odd[0] ^ load(at + 8) * odd[1];
    keys k;
    k.middles = (uint32_t)((sum ^ sum >> 29) * odd[0] >> (64 - TABLE_BITS));
    sum += load(at + 16) * odd[2] + load(at + 24) * odd[3] + load(at + 32) * odd[4];
    sum += load(at + 40) * odd[5] + load(at + 48) * odd[6] + load(at + 56) * odd[7];
    k.longs = (uint32_t)((sum ^ sum >> 29) * odd[0] >> (64 - TABLE_BITS));
    k.shorts = (uint32_t)first * UINT32_C(0x9E3779B1) >> (32 - TABLE_BITS);
    return k;
}

static inline void remember(places *p, keys k, size_t at)
{
    p->befores[k.longs] = p->longs[k.longs];
    p->longs[k.longs] = p->middles[k.middles] = p->shorts[k.shorts] = (uint32_t)at;
}

static inline unsigned same_bytes(const unsigned char *a, const unsigned char *b, unsigned most)
{
    for (unsigned n = 0; n < most; n += 8) {
        const uint64_t differ = load(a + n) ^ load(b + n);
        if (differ != 0) {
            n += (unsigned)__builtin_ctzll(differ) / 8;
            return n < most ? n : most;
        }
    }
    return most;
}

typedef struct match {
    unsigned length, distance;
} match;

/* The match with what is at place, if it is longer than another that was found. */
static inline match longer(const repeats *r, size_t at, size_t place, unsigned most, match than)
{
    if (place == 0 || at - place > WINDOW)
        return than;
    const unsigned length = same_bytes(r->bytes + at, r->bytes + place, most);
    return length > than.length ? (match){length, (unsigned)(at - place)} : than;
}

/* And remembers the place. */
static match find(repeats *r, size_t at)
{
    const size_t left = r->end - at;
    const unsigned most = left < NYTP_MATCH_MOST ? (unsigned)left : NYTP_MATCH_MOST;
    const keys k = keys_at(r->bytes + at);
    places *p = &r->places;
    match m = longer(r, at, p->longs[k.longs], most, (match){SHORT - 1, 0});
    if (m.length < most)
        m = longer(r, at, p->befores[k.longs], most, m);
    if (m.length < LONG)
        m = longer(r, at, p->middles[k.middles], most, m);
    if (m.length < MIDDLE)
        m = longer(r, at, p->shorts[k.shorts], most, m);
    remember(p, k, at);
    return m;
}

/* ---- from bytes to literals and matches ---- */

/* What is copied is remembered where its original was, until that was copied too often. */
static void copy_lasts(repeats *r, size_t at, match m)
{
    static const uint64_t ones = UINT64_C(0x0101010101010101);
    for (size_t n = 1; n < m.length; n += 8) {
        uint64_t lasts = load(r->lasts + at + n - m.distance);
        if (lasts == 0) {
            memset(r->lasts + at + n, 0, 8);
            continue;
        }
        lasts -= (lasts | lasts >> 1 | lasts >> 2 | lasts >> 3 | lasts >> 4) & ones; /* those above 0 */
        store(r->lasts + at + n, lasts);
        while (lasts != 0) {
            const unsigned bit = (unsigned)__builtin_ctzll(lasts) & ~7U;
            const size_t to = n + bit / 8;
            if (to < m.length)
                remember(&r->places, keys_at(r->bytes + at + to), at + to);
            lasts &= ~(UINT64_C(0xFF) << bit);
        }
    }
}

static size_t take_match(repeats *r, size_t at, match m)
{
    nytp_block_match(&r->block, m.length, m.distance);
    copy_lasts(r, at, m);
    at += m.length;
    r->lasts[at] = m.length < NYTP_MATCH_MOST ? LASTS_AFTER_MATCH : 0;
    return at;
}

static void take_out(repeats *r, nytp_window *w)
{
    const size_t there = (size_t)(r->bits.at - r->taken);
    const size_t size = there < w->out_size ? there : w->out_size;
    memcpy(w->out, r->taken, size);
    r->taken += size;
    w->out += size;
    w->out_size -= size;
    if (r->taken == r->bits.at)
        r->taken = r->bits.at = r->out;
}

/* Up to a place, or until out is in use. */
static void encode(repeats *r, size_t until, nytp_window *w)
{
    while (r->done < until && r->bits.at == r->out) {
        const match m = find(r, r->done);
        if (m.distance == 0) {
            nytp_block_literal(&r->block, r->bytes[r->done]);
            r->lasts[r->done++] = LASTS_AFTER_LITERAL;
        } else {
            r->done = take_match(r, r->done, m);
        }
        if (r->block.count == NYTP_BLOCK_SYMBOLS) {
            nytp_block_write(&r->block, &r->bits, false);
            take_out(r, w);
        }
    }
}

/* ---- bytes in ---- */

static void shift_table(uint32_t *table, uint32_t by)
{
    for (unsigned i = 0; i < TABLE; i++)
        table[i] = table[i] > by ? table[i] - by : 0;
}

/* All but the window goes. */
static void make_room(repeats *r)
{
    const size_t by = r->done - WINDOW, left = r->end - by;
    memmove(r->bytes, r->bytes + by, left);
    memmove(r->lasts, r->lasts + by, left);
    shift_table(r->places.longs, (uint32_t)by);
    shift_table(r->places.befores, (uint32_t)by);
    shift_table(r->places.middles, (uint32_t)by);
    shift_table(r->places.shorts, (uint32_t)by);
    r->done -= by;
    r->end -= by;
}

static void take_in(repeats *r, nytp_window *w)
{
    if (r->end == ROOM)
        make_room(r);
    const size_t room = ROOM - r->end, size = w->in_size < room ? w->in_size : room;
    memcpy(r->bytes + r->end, w->in, size);
    r->end += size;
    w->in += size;
    w->in_size -= size;
    r->flushed = NYTP_DEFLATE_MORE;
}

/* ---- the stream ---- */

/* RFC 1951, 3.2.4: a stored block of no bytes begins at a byte, so what comes next does, too. */
static void put_mark(repeats *r)
{
    nytp_bits_put(&r->bits, 0, 3);
    nytp_bits_put(&r->bits, 0, (8 - r->bits.count) & 7);
    nytp_bits_put(&r->bits, UINT64_C(0xFFFF0000), 32);
}

static void end_block(repeats *r, enum nytp_deflate_flush flush, nytp_window *w)
{
    if (r->block.count > 0 || flush == NYTP_DEFLATE_END)
        nytp_block_write(&r->block, &r->bits, flush == NYTP_DEFLATE_END);
    if (flush == NYTP_DEFLATE_SYNC)
        put_mark(r);
    else
        nytp_bits_put(&r->bits, 0, (8 - r->bits.count) & 7);
    r->flushed = flush;
    take_out(r, w);
}

const char *nytp_repeats_step(void *state, nytp_window *w, enum nytp_deflate_flush flush)
{
    repeats *r = state;
    take_out(r, w);
    while (r->bits.at == r->out && w->out_size > 0) {
        const bool all = w->in_size == 0 && flush != NYTP_DEFLATE_MORE;
        const size_t until = all ? r->end : r->end > AHEAD ? r->end - AHEAD : 0;
        if (r->done < until) {
            encode(r, until, w);
        } else if (w->in_size > 0) {
            take_in(r, w);
        } else {
            if (all && r->flushed != flush)
                end_block(r, flush, w);
            break;
        }
    }
    return NULL;
}

/* All of it, so that the same bytes give the same blocks whatever was there before. */
void nytp_repeats_restart(void *state)
{
    repeats *r = state;
    memset(r, 0, sizeof *r);
    r->bits.at = r->taken = r->out;
}

void *nytp_repeats_start(int level)
{
    repeats *r = malloc(sizeof *r);
    (void)level;
    if (r != NULL)
        nytp_repeats_restart(r);
    return r;
}
