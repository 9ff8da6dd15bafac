/* What the files of the merging share. */
#ifndef MERGE_MERGING_H
#define MERGE_MERGING_H

#include "later.h"
#include "merge.h"
#include "output.h"
#include "base/pids.h"
#include "model/names.h"
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
    nytp_names *known_processes; /* their numbers, their parents' and their times, as bytes */
    bool told_of_twice;          /* that one of them came again */
    bool failed;                 /* and said why */

    /* of the input at hand */
    size_t input;
    double scale;    /* ticks of the merged profile in one of the input */
    bool was_merged; /* it is a merged profile itself: comments may be remarks */
    bool settled;    /* it is known where its subs are shown */
    bool discount;   /* a DISCOUNT came whose statement has not */
    uint32_t origin; /* by a remark: fid of the eval that the next chunk stems from; 0: there was none */
    GArray
        *definers; /* by a remark: uint32_t, fids of those that define the next sub; empty: there was none */
    nytp_pids open_pids;
    GArray *open_processes; /* open_process, by index */
    int64_t ticks;          /* of its statements so far */
} merging;

/* The file with that fid, which the chunk tells. NULL for fid 0, and for one that was not named, which is an
 * error. */
const merge_file *merging_named_file(merging *m, const nytp_chunk *chunk, uint32_t fid);

/* Takes a NEW_FID. False: its fid had another name, which is an error. */
bool merging_learn_file(merging *m, const nytp_chunk *chunk);

/* Take what is shown elsewhere if it is in a sub of an eval that is: a statement, an arc, a source line. And
 * a SUB_INFO, which tells of such subs. */
void merging_take_time(merging *m, const nytp_chunk *chunk);
void merging_take_sub_callers(merging *m, const nytp_chunk *chunk);
void merging_take_src_line(merging *m, const nytp_chunk *chunk);
void merging_take_sub_info(merging *m, const nytp_chunk *chunk);

/* All subs of the input are known: what has waited for them goes on. */
void merging_settle(merging *m);

#endif
