#include "calls/time_slices.h"

#include "model/grow.h"

static void begin_profile(nytp_slice_places *p)
{
    nytp_records_init(&p->numbers, sizeof(nytp_slice_place), sizeof(nytp_slice_place));
}

nytp_slice_places nytp_slice_places_new(void)
{
    nytp_slice_places p = {.all = NYTP_ARRAY(nytp_slice_place)};
    begin_profile(&p);
    return p;
}

void nytp_slice_places_free(nytp_slice_places *places)
{
    nytp_records_clear(&places->numbers);
    g_array_free(places->all, TRUE);
}

uint32_t nytp_slice_places_number(nytp_slice_places *places, nytp_slice_place place)
{
    return places->all->len + nytp_records_number(&places->numbers, &place, NULL);
}

void nytp_slice_places_end_profile(nytp_slice_places *places, nytp_slice_fid_fn *fid_of, const void *context)
{
    NYTP_EACH_RECORD(const nytp_slice_place, one, &places->numbers) {
        nytp_slice_place place = *one;
        place.fid = fid_of != NULL ? fid_of(context, place.fid) : place.fid;
        g_array_append_val(places->all, place);
    }
    nytp_records_clear(&places->numbers);
    begin_profile(places);
}
