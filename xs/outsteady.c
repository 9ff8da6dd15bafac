#include "outsteady.h"

#include "chunks.h"
#include "hash.h"

#include <stdlib.h>

enum { SLOT_BITS = 13, SLOTS = 1 << SLOT_BITS, SUM_ENOUGH = PROF_STEADY_TICKS * PROF_STEADY_PART };

/* Of a statement, or of calls of a sub. */
typedef struct slot {
    uint64_t key;
    uint16_t sum;  /* ticks that were measured; of more than SUM_ENOUGH, so many */
    int8_t ahead;  /* ticks that were written, less those that were measured */
    uint8_t ticks; /* written last */
} slot;
_Static_assert(PROF_STEADY_TICKS <= INT8_MAX && SUM_ENOUGH <= UINT16_MAX, "a slot holds these");

/* Caches. A slot is given away only while no more and no less was written for its owner than was measured,
 * so that sums stay near whatever comes between; meanwhile the times of others stay as they are. */
struct prof_steady {
    uint64_t recent; /* the last four short statements and returns, 16 bits of a hash of each */
    slot statements[SLOTS], calls[SLOTS];
};

prof_steady *prof_steady_new(void)
{
    return calloc(1, sizeof(prof_steady));
}

void prof_steady_free(prof_steady *steady)
{
    free(steady);
}

/* For a key that does not have the first; apart, for that is rare. NULL: others have both. */
static __attribute__((noinline)) slot *second_slot(slot *first, slot *second, uint64_t key)
{
    if (second->key == key)
        return second;
    slot *s = first->ahead == 0 ? first : second;
    if (s->ahead != 0)
        return NULL;
    *s = (slot){.key = key};
    return s;
}

/* What to write for ticks: these, or what is near. No branch depends on what was measured: nothing would
 * predict it. */
static inline uint8_t choose(slot slots[SLOTS], uint64_t key, uint64_t hash, uint8_t ticks, unsigned near)
{
    const size_t at = hash >> (64 - SLOT_BITS);
    slot *s = &slots[at];
    if (s->key != key && (s = second_slot(s, &slots[at ^ 1], key)) == NULL)
        return ticks;
    const unsigned sum = s->sum + ticks, counted = sum < SUM_ENOUGH ? sum : SUM_ENOUGH;
    const unsigned most = counted / PROF_STEADY_PART;
    const int more = s->ticks - ticks; /* than measured, if the last one is written again */
    const int ahead = s->ahead + more;
    const bool again = ((unsigned)more + near <= 2 * near) & ((unsigned)ahead + most <= 2 * most);
    s->sum = (uint16_t)counted;
    const int change = more & -(int)again; /* of again ? more : 0 compilers make a branch */
    s->ahead = (int8_t)(s->ahead + change);
    s->ticks = (uint8_t)(ticks + change);
    return s->ticks;
}

static inline void remember(prof_steady *steady, uint64_t hash)
{
    steady->recent = steady->recent << 16 | hash >> 48;
}

/* at: where its ticks are. */
static inline void pass_ticks(prof_steady *steady, unsigned char *at, uint64_t place)
{
    const uint64_t hash = place * UINT64_C(0x9E3779B97F4A7C15);
    *at = choose(steady->statements, place, hash, *at, PROF_STEADY_NEAR);
    remember(steady, hash);
}

/* ---- chunks: each returns where the one at at ends; NULL if that may be behind end, or if it is none. Up to
 * NYTP_PAD bytes behind end are read. ---- */

/* Equal times stay equal: nothing was called. */
static unsigned char *pass_return(prof_steady *steady, unsigned char *at, const unsigned char *end)
{
    nytp_cursor c = {.at = at + 1, .end = end};
    const uint32_t depth = nytp_get_u32(&c);
    unsigned char *times = at + (c.at - at);
    const double incl_ticks = nytp_get_nv(&c), excl_ticks = nytp_get_nv(&c);
    const nytp_str name = nytp_get_str(&c);
    if (c.bad != NULL || c.at > end)
        return NULL;
    const uint64_t hash = nytp_hash_bytes(name.bytes, name.length);
    if (incl_ticks == excl_ticks && incl_ticks >= 0 && incl_ticks < PROF_STEADY_BELOW) {
        const uint64_t key = nytp_hash_mix(hash, depth, steady->recent);
        const double chosen = choose(steady->calls, key, key, (uint8_t)incl_ticks, PROF_STEADY_NEAR_CALL);
        nytp_put_nv(nytp_put_nv(times, chosen), chosen);
    }
    remember(steady, hash);
    return at + (c.at - at);
}

/* A statement is added up by what TIME_BLOCK has, too: the lines of its block and sub. */
static unsigned char *pass_statement(prof_steady *steady, unsigned char *at, const unsigned char *end)
{
    nytp_cursor c = {.at = at + 1, .end = end};
    nytp_get_i32(&c);
    uint64_t place = (uint64_t)nytp_get_u32(&c) << 32;
    place |= nytp_get_u32(&c);
    if (*at == NYTP_TIME_BLOCK) {
        uint64_t around = (uint64_t)nytp_get_u32(&c) << 32;
        around |= nytp_get_u32(&c);
        place = nytp_hash_mix(place, 0, around);
    }
    if (c.at > end)
        return NULL;
    if (at[1] < PROF_STEADY_BELOW)
        pass_ticks(steady, at + 1, place);
    return at + (c.at - at);
}

static unsigned char *pass_other(unsigned char *at, const unsigned char *end)
{
    nytp_chunk chunk = {.tag = *at};
    nytp_cursor c = {.at = at + 1, .end = end};
    return nytp_get_fields(&c, &chunk) && c.bad == NULL && c.at <= end ? at + (c.at - at) : NULL;
}

static unsigned char *pass_one(prof_steady *steady, unsigned char *at, const unsigned char *end)
{
    switch (*at) {
    case NYTP_DISCOUNT: return at + 1;
    case NYTP_TIME_LINE:
    case NYTP_TIME_BLOCK: return pass_statement(steady, at, end);
    case NYTP_SUB_RETURN: return pass_return(steady, at, end);
    default: return pass_other(at, end);
    }
}

unsigned char *prof_steady_run(prof_steady *steady, unsigned char *at, const unsigned char *enough,
                               unsigned char *end)
{
    const unsigned char *safe = end - at < NYTP_PAD ? at : end - NYTP_PAD;
    const unsigned char *until = safe < enough ? safe : enough;
    while (at < until) {
        uint64_t bytes;
        const size_t size = nytp_short_statement(at, &bytes);
        if (size != 0) {
            pass_ticks(steady, at + 1, bytes >> 16 & (size == 4 ? 0xFFFF : 0xFFFFFF)); /* fid and line */
            at += size;
        } else {
            unsigned char *next = pass_one(steady, at, safe);
            if (next == NULL)
                break;
            at = next;
        }
    }
    return at < enough ? end : at;
}
