#include "model/added.h"

#include <glib.h>

nytp_added *nytp_added_new(double ticks_per_sec)
{
    nytp_added *added = g_new0(nytp_added, 1);
    added->fids = nytp_fid_map_new();
    added->names = nytp_names_new();
    added->subs = nytp_sub_map_new(added->names);
    added->settings = nytp_merged_settings_new(ticks_per_sec, NULL, NULL);
    return added;
}

void nytp_added_free(nytp_added *added)
{
    if (added == NULL)
        return;
    nytp_merged_settings_free(added->settings);
    nytp_sub_map_free(added->subs);
    nytp_names_free(added->names);
    nytp_fid_map_free(added->fids);
    g_free(added);
}
