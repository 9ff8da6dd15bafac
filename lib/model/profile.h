/* What a profile is made of, for the modules of model/ that work on it. */
#pragma once

#include "base/labels.h"
#include "base/pids.h"
#include "format/marks.h"
#include "model/lines.h"
#include "model/records.h"
#include "model/states.h"
#include "model/subs.h"
#include "model/waits.h"

#include <glib.h>

/* A SUB_INFO of a string eval. */
typedef struct nytp_eval_range {
    uint32_t sub;
    nytp_range range;
} nytp_eval_range;

struct nytp_profile {
    double ticks_per_sec;
    int64_t statement_ticks; /* the sum of what was read */
    bool discount;           /* a DISCOUNT was read, and its TIME chunk has not come yet */
    uint64_t next_blocks;    /* of the next statement, in a profile of memory; 0: not said */
    nytp_mark next_kept;     /* of the next SUB_CALLERS; no numbers: not said */
    nytp_lines *lines;
    nytp_records files; /* nytp_file, by fid */
    nytp_subs subs;
    nytp_labels *labels;      /* NULL if none */
    nytp_records settings;    /* nytp_setting, by tag and key */
    GArray *processes;        /* nytp_process */
    double process_cpu_s;     /* of the one that ends next; negative: not known */
    bool process_is_cut;      /* the one that ends next */
    double process_lost_s;    /* of the one that ends next */
    nytp_states states;       /* of all samples */
    bool measures_waits;      /* a process says how long it waited; else names of subs do */
    bool has_heap_records;    /* samples of memory (memory/view.h), */
    bool has_heap_holders;    /* and, at the end of a process, who held them */
    bool has_waited;          /* one has, */
    nytp_waited waited;       /* so long, as far as it is measured */
    bool next_has_waited;     /* so that the next statement is read alone: */
    nytp_waited next_waited;  /* before it, */
    nytp_waited next_share;   /* and in it, if it is a sample */
    nytp_records line_waits;  /* nytp_line_waited, as far as it is measured */
    GStringChunk *texts;      /* of files and settings */
    nytp_pids open;           /* processes that have not ended */
    GArray *open_numbers;     /* uint32_t: the index in processes, by the index in open */
    GArray *eval_ranges;      /* nytp_eval_range, in the order of their chunks */
    bool evals_merged;        /* nytp_profile_merge_evals() was called */
    struct nytp_added *added; /* of merge/add_profile.c: the profiles that were added; NULL if none */
    void (*free_added)(struct nytp_added *added);
    nytp_source_line_fn *on_source; /* NULL: text is not wanted */
    void *source_context;
    bool was_merged; /* by nytprofmerge: its comments may be annotations */
    uint32_t origin; /* from an annotation: fid of the eval that the next chunk comes from; 0: none */
};

/* Returns whether it has samples of memory (memory/view.h). */
bool nytp_profile_has_heap_records(const nytp_profile *profile);

/* Returns whether it says who held memory at the end of a process. */
bool nytp_profile_has_heap_holders(const nytp_profile *profile);

/* Returns whether no chunk has left anything in the profile yet. */
bool nytp_profile_is_empty(const nytp_profile *profile);

/* Returns the file with that fid, a new one if there is none. Valid until another file is added. */
nytp_file *nytp_profile_file_for(nytp_profile *profile, uint32_t fid);

/* Returns the file with that fid, or NULL. */
/* nytp_profile_merge_evals(). Returns the new numbers of subs, by their old ones, in an array that the caller
 * must g_free(), or NULL if they have not changed. */
uint32_t *nytp_profile_move_evals(nytp_profile *profile);

nytp_file *nytp_profile_find_file(const nytp_profile *profile, uint32_t fid);

/* Whether the file with that fid is a string eval. */
bool nytp_profile_is_eval(const nytp_profile *profile, uint32_t fid);

/* Whether the profile says that the collector's option was 0. */
bool nytp_profile_is_off(const nytp_profile *profile, const char *option);
