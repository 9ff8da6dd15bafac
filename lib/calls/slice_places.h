/* Numbers for lines of several profiles, whose files get other fids where they are added up. */
#pragma once

#include "model/records.h"

#include <glib.h>

typedef struct nytp_slice_place {
    uint32_t fid, line;
} nytp_slice_place;

typedef struct nytp_slice_places {
    nytp_records numbers; /* nytp_slice_place, of the current profile */
    GArray *all;          /* nytp_slice_place, of the profiles before it */
} nytp_slice_places;

nytp_slice_places nytp_slice_places_new(void);
void nytp_slice_places_free(nytp_slice_places *places);

/* Returns the number of a line of the current profile. */
uint32_t nytp_slice_places_number(nytp_slice_places *places, nytp_slice_place place);

/* Call it at the end of a profile. fid_of gives the fid that a file of the profile has where several are
 * added up; NULL if it keeps its fid. */
typedef uint32_t nytp_slice_fid_fn(const void *context, uint32_t fid);
void nytp_slice_places_end_profile(nytp_slice_places *places, nytp_slice_fid_fn *fid_of, const void *context);
