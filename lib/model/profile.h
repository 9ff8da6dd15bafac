/* What a profile is made of, for the modules of the model that shape it: profile.c, evals.c and view.c.
 */
#ifndef NYTP_MODEL_PROFILE_H
#define NYTP_MODEL_PROFILE_H

#include "base/pids.h"
#include "model/lines.h"
#include "model/records.h"
#include "model/subs.h"

#include <glib.h>

struct nytp_profile {
    double ticks_per_sec;
    bool discount; /* a DISCOUNT came whose TIME chunk has not */
    nytp_lines *lines;
    nytp_records files; /* nytp_file, by fid */
    nytp_subs subs;
    nytp_records settings; /* nytp_setting, by tag and key */
    GArray *processes;     /* nytp_process */
    GStringChunk *texts;   /* of files and settings */
    nytp_pids open;        /* processes that have not ended */
    GArray *open_numbers;  /* uint32_t, by index in open: place in processes */
};

/* The file with that fid, a new one if need be. Valid until another one is made. */
nytp_file *nytp_profile_file_for(nytp_profile *profile, uint32_t fid);

/* The same, or NULL. */
nytp_file *nytp_profile_find_file(const nytp_profile *profile, uint32_t fid);

#endif
