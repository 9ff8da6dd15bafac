/* What a profile is made of, for the modules of the model that shape it: profile.c, evals.c and view.c.
 * Programs use the functions at the end.
 */
#ifndef NYTP_MODEL_PROFILE_H
#define NYTP_MODEL_PROFILE_H

#include "base/pids.h"
#include "model/lines.h"
#include "model/records.h"
#include "model/subs.h"

#include <glib.h>

/* Statements come by the ten million, from some hundred lines over and over. So they are summed in a cache
 * first, where each line has one slot that it can be in. The sums are carried over to nytp_lines when another
 * line needs the slot, or somebody wants to know. */
enum { HOT_LINES = 2048 };

typedef struct hot_line {
    uint64_t place; /* fid and line; see free_slots() */
    uint64_t count; /* these two since the line got the slot */
    int64_t ticks;
    uint32_t line; /* its number in nytp_lines, + 1; 0: the slot is free */
} hot_line;

typedef struct hot_lines {
    bool any; /* slots are taken */
    hot_line at[HOT_LINES];
} hot_lines;

/* Carries all over and frees all slots. The profile does not change by this for those who look at it. */
void nytp_profile_carry_over(const nytp_profile *profile);

struct nytp_profile {
    double ticks_per_sec;
    bool discount; /* a DISCOUNT came whose TIME chunk has not */
    hot_lines *hot;
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

/* The file with that fid, or what it was merged into, or NULL. */
const nytp_file *nytp_profile_survivor(const nytp_profile *profile, uint32_t fid);

/* Where a sub is; one that several evals define, in the first of them. NULL: not known. */
const nytp_range *nytp_sub_home(const nytp_sub *sub);

/* Whether it is main::RUNTIME or main::NULL, who stand for callers that are no subs and are never called. */
bool nytp_sub_is_root(const nytp_sub *sub);

#endif
