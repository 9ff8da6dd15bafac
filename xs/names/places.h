/* The place of each COP in the profile: its fid and line. */
#pragma once

#include "prof.h"

#include "output/output.h"

/* The bytes of a TIME chunk whose time takes one byte, which is not filled in: tag, time, fid, line. All 16
 * bytes are copied at once. */
typedef struct prof_encoded {
    unsigned char bytes[15];
    uint8_t length; /* 0 if there is nothing to write */
} prof_encoded;

enum { PROF_PLACE_AT = 2 }; /* where fid and line begin */

/* A cache slot, of 32 bytes, so that its address is found without multiplying. perl may free a COP and put
 * another at its address; the later one has the larger cop_seq. */
typedef struct prof_place {
    const COP *cop; /* NULL if the slot is empty */
    U32 seq;
    uint32_t line;     /* 0 if the optimizer has removed it, and another one is in time */
    prof_encoded time; /* length 0 if no file; fid 0 is in it */
} prof_place;

static inline uint32_t prof_place_fid(const prof_place *place)
{
    nytp_cursor at = {.at = place->time.bytes + PROF_PLACE_AT,
                      .end = place->time.bytes + sizeof place->time.bytes};
    return nytp_get_u32(&at);
}

enum { PROF_PLACE_BITS = 12, PROF_PLACES = 1 << PROF_PLACE_BITS };

typedef struct prof_places {
    prof_encoded current; /* the place of the statement that runs; length 0 if no statement runs */
    prof_encoded block;   /* blocks=1: what follows it, the lines of block and sub; otherwise of length 0 */
    prof_place *slots;    /* the cache, and one more slot for places that cannot be kept */
} prof_places;

void prof_places_init(prof_places *places);
void prof_places_free(prof_places *places);

/* Fills a slot for cop and returns it: the first of its two, or the one for places that cannot be kept.
 * What was in the first moves to the second. cop may be NULL, as PL_curcop is while perl frees the code that
 * ran and destroys an object; then the place is that of the statement that called the code. Use
 * prof_place_of() (hot.h). */
const prof_place *prof_place_find(pTHX_ prof *p, const COP *cop, uint32_t via);
