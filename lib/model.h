/* What the files of the profile share: profile.c, lines.c, subs.c, evals.c and view.c. Programs include it
 * for the few functions at its end.
 */
#ifndef NYTP_MODEL_H
#define NYTP_MODEL_H

#include "names.h"
#include "nytprof.h"
#include "pids.h"
#include "records.h"

#include <glib.h>

/* ---- statements, by line (lines.c) ---- */

typedef struct line_sum {
    uint32_t fid, line;
    uint64_t count; /* executions */
    int64_t ticks;
} line_sum;

typedef struct nytp_lines {
    nytp_records sums; /* line_sum */
    uint32_t *order;   /* numbers of sums, sorted by fid and line */
    uint32_t ordered;  /* how many there were then; another number than now: to be sorted again */
} nytp_lines;

nytp_lines *nytp_lines_new(void);
void nytp_lines_free(nytp_lines *lines);

/* The number of the sum of that line, a new one if need be. */
uint32_t nytp_lines_at(nytp_lines *lines, uint32_t fid, uint32_t line, bool *added);

static inline line_sum *nytp_lines_sum(const nytp_lines *lines, uint32_t number)
{
    return nytp_records_at(&lines->sums, number);
}

/* As nytp_profile_next_line(). */
bool nytp_lines_next(nytp_lines *lines, uint32_t fid, uint64_t *from, nytp_line *line);

/* As nytp_records_change(); change may set fid and line. */
void nytp_lines_change(nytp_lines *lines, nytp_record_change_fn *change, void *context);

/* ---- subs and arcs (subs.c) ---- */

typedef struct sub_entry {
    uint32_t range_count;
    bool is_xsub;
    union {
        nytp_range one;     /* where range_count is 1 or 0 */
        nytp_range *sorted; /* where it is more; there is room for the next power of two */
    } ranges;
} sub_entry;

static inline const nytp_range *nytp_sub_ranges(const sub_entry *entry)
{
    return entry->range_count > 1 ? entry->ranges.sorted : &entry->ranges.one;
}

typedef struct nytp_subs {
    nytp_names *names; /* a sub's number is that of its name */
    GArray *entries;   /* sub_entry */
    nytp_records arcs; /* nytp_arc, each of a caller, callee and place */
} nytp_subs;

void nytp_subs_init(nytp_subs *subs);
void nytp_subs_clear(nytp_subs *subs);
uint32_t nytp_subs_number(nytp_subs *subs, nytp_str name);
void nytp_subs_mark_xsub(nytp_subs *subs, uint32_t number);
void nytp_subs_add_range(nytp_subs *subs, uint32_t number, nytp_range range);
void nytp_subs_add_arc(nytp_subs *subs, const nytp_arc *arc);
void nytp_subs_change_arcs(nytp_subs *subs, nytp_record_change_fn *change, void *context);

/* ---- the profile (profile.c) ---- */

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

/* a + b, or the limit that it would pass: sums of damaged profiles must not wrap round. */
static inline int64_t nytp_add_ticks(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return a < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

#endif
