/* What a profile keeps of the profiles that were added to it, so that the next one can be folded into it. */
#ifndef NYTP_MODEL_ADDED_H
#define NYTP_MODEL_ADDED_H

#include "model/fid_map.h"
#include "model/merged_settings.h"
#include "model/names.h"
#include "model/sub_map.h"

typedef struct nytp_added {
    nytp_fid_map *fids;
    nytp_names *names; /* of the subs in subs */
    nytp_sub_map *subs;
    nytp_merged_settings *settings;
} nytp_added;

nytp_added *nytp_added_new(double ticks_per_sec);
void nytp_added_free(nytp_added *added); /* NULL is fine */

#endif
