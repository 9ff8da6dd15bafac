#include "calls/time_slices.h"

#include "model/grow.h"
#include "model/lines.h"

/* A place whose number was found: to find it takes longer than all else that is done with it. */
typedef struct nytp_numbered_place {
    nytp_slice_place place;
    uint32_t number; /* + 1; 0: there is none here */
} nytp_numbered_place;

static void begin_profile(nytp_slice_places *p)
{
    nytp_records_init(&p->numbers, sizeof(nytp_slice_place), sizeof(nytp_slice_place));
    p->cache = g_new0(nytp_numbered_place, NYTP_LINE_SLOTS);
}

static void end_profile(nytp_slice_places *p)
{
    nytp_records_clear(&p->numbers);
    g_free(p->cache);
}

nytp_slice_places nytp_slice_places_new(void)
{
    nytp_slice_places p = {.all = NYTP_ARRAY(nytp_slice_place)};
    begin_profile(&p);
    return p;
}

void nytp_slice_places_free(nytp_slice_places *places)
{
    end_profile(places);
    g_array_free(places->all, TRUE);
}

uint32_t nytp_slice_places_number(nytp_slice_places *places, nytp_slice_place place)
{
    const size_t slot = nytp_line_slot_of((nytp_statement){.fid = place.fid, .line = place.line});
    nytp_numbered_place *cached = &places->cache[slot];
    if (cached->number == 0 || cached->place.fid != place.fid || cached->place.line != place.line)
        *cached = (nytp_numbered_place){place, places->all->len +
                                                   nytp_records_number(&places->numbers, &place, NULL) + 1};
    return cached->number - 1;
}

void nytp_slice_places_end_profile(nytp_slice_places *places, nytp_slice_fid_fn *fid_of, const void *context)
{
    NYTP_EACH_RECORD(const nytp_slice_place, one, &places->numbers) {
        nytp_slice_place place = *one;
        place.fid = fid_of != NULL ? fid_of(context, place.fid) : place.fid;
        g_array_append_val(places->all, place);
    }
    end_profile(places);
    begin_profile(places);
}
