/* What the files of the merging share. */
#ifndef MERGE_MERGING_H
#define MERGE_MERGING_H

#include "later.h"
#include "merge.h"
#include "output.h"
#include "pids.h"
#include "texts.h"

#include <glib.h>

/* How a process of the input at hand began that has not ended. */
typedef struct open_process {
    double start_s;
    int64_t ticks_before; /* of the input */
} open_process;

typedef struct merging {
    const merge_inputs *inputs;
    const merge_options *options;
    nytp_names *names; /* of subs: of folds and arcs */
    merge_files *files;
    merge_folds *folds;
    merge_arcs *arcs;
    merge_settings *settings;
    merge_texts *texts;
    merge_later *later;
    merge_output out;
    double ticks_per_sec;
    uint64_t processes;
    bool failed; /* and said why */

    /* of the input at hand */
    size_t input;
    double scale;     /* the merged profile's ticks in one of the input's */
    bool was_merged;  /* comments may be remarks */
    bool settled;     /* it is known where its subs are shown */
    bool discount;    /* of the next statement */
    uint32_t origin;  /* fid of the eval that the next chunk stems from; 0: the one that it tells */
    GArray *definers; /* uint32_t: fids of those that define the next sub; none: the one that it tells */
    nytp_pids open_pids;
    GArray *open_processes; /* open_process, by index */
    int64_t ticks;          /* of its statements so far */
} merging;

/* NULL for fid 0, and for one that has no name, which is an error. */
const merge_file *merging_named_file(merging *m, const nytp_chunk *chunk, uint32_t fid);

/* Takes a NEW_FID. False: that is an error. */
bool merging_learn_file(merging *m, const nytp_chunk *chunk);

/* Statements, arcs and source: what evals' subs are shown elsewhere with. */
void merging_take_time(merging *m, const nytp_chunk *chunk);
void merging_take_sub_callers(merging *m, const nytp_chunk *chunk);
void merging_take_src_line(merging *m, const nytp_chunk *chunk);
void merging_take_sub_info(merging *m, const nytp_chunk *chunk);

/* The input's subs are known: what has waited for them goes on. */
void merging_settle(merging *m);

#endif
