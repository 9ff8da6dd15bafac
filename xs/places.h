/* The place of each COP in the profile: its fid and line. */
#ifndef PROF_PLACES_H
#define PROF_PLACES_H

#include "prof.h"

#include "output.h"

/* A cache slot. perl may free a COP and put another at its address; the later one has the larger cop_seq. */
typedef struct prof_place {
    const COP *cop; /* NULL: the slot is empty */
    U32 seq;
    uint32_t fid, line;                      /* line 0: the optimizer has removed it */
    unsigned char encoded[2 * NYTP_U32_MAX]; /* fid and line, as in a TIME chunk */
    uint8_t length;                          /* of encoded; 0: no file */
} prof_place;

enum { PROF_PLACE_BITS = 12, PROF_PLACES = 1 << PROF_PLACE_BITS };

typedef struct prof_places {
    /* The place of the statement that runs, encoded as in a TIME chunk: in a slot, or in kept. */
    const unsigned char *current;
    uint8_t current_length; /* 0: no statement runs */
    unsigned char kept[4 * NYTP_U32_MAX];
    prof_place *slots; /* the cache, and one more slot for places that cannot be kept */
} prof_places;

void prof_places_init(prof_places *places);
void prof_places_clear(prof_places *places);

/* Fills a slot for cop and returns it: slot, or the one for places that cannot be kept. cop may be NULL, as
 * PL_curcop is while perl frees the code that ran and destroys an object; then the place is that of the
 * statement that called the code. Use prof_place_of() (hot.h). */
const prof_place *prof_place_find(pTHX_ prof *p, prof_place *slot, const COP *cop, uint32_t via);

#endif
