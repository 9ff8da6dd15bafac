/* The state of a merge, which merge.c and placement.c share. */
#pragma once

#include "base/pids.h"
#include "earlier.h"
#include "merge.h"
#include "merge/fid_map.h"
#include "model/names.h"
#include "model/records.h"
#include "merge/sub_map.h"
#include "output.h"

#include <glib.h>

/* The last text of a source line: every input has the same ones. */
typedef struct merge_source_text {
    uint32_t fid, line;
    uint64_t hash; /* of 64 bits: texts with the same one are taken for the same */
} merge_source_text;

/* The start of a process of the current input that has not ended. */
typedef struct merge_open_process {
    double start_s;
    int64_t ticks_before; /* of all statements of the input that come before it */
} merge_open_process;

typedef struct merge_said merge_said; /* said.h */

typedef struct merge_state {
    const merge_inputs *inputs;
    const merge_options *options;
    const nytp_common_options *common;
    nytp_names *names; /* of subs, in sub_map and arcs */
    nytp_fid_map *fid_map;
    nytp_sub_map *sub_map;
    merge_said *said;
    merge_arcs *arcs;
    nytp_merged_settings *settings;
    nytp_records source_texts; /* merge_source_text */
    merge_output out;
    double ticks_per_sec;
    uint64_t processes;
    nytp_names *seen_processes; /* the pid, parent and start of each, as bytes */
    uint32_t earlier_processes; /* how many of them the files before the current one have */
    uint32_t application;       /* number of the one that was written last; 0: none */
    merge_earlier *earlier;
    bool warned_of_twice; /* a warning has said that a process came twice */
    bool failed;          /* an error was reported */

    size_t input;           /* number of the current file */
    uint32_t profile;       /* number of the current profile in that file */
    nytp_reader *ahead;     /* reads the file ahead of that; NULL: not needed yet */
    uint32_t ahead_profile; /* number of the profile in which it is */

    /* of the current profile, which is an input to fid_map */
    double scale;         /* how many ticks of the merged profile are one tick of the input */
    double rounded_ticks; /* of its statements, so scaled, what rounding has left out */
    bool was_merged;      /* it is a merged profile: its comments may be annotations */
    bool placed;          /* all its subs are known */
    uint32_t sub_infos;   /* how many of them, and of later definers, were read */
    bool discount;        /* a DISCOUNT was read, and its statement has not come yet */
    uint32_t origin;      /* from an annotation: fid of the eval that the next chunk comes from; 0: none */
    GArray *definers;     /* from annotations: uint32_t, fids of the evals that define the next sub */
    nytp_pids open_pids;
    GArray *open_processes; /* merge_open_process, by index in open_pids */
    int64_t ticks;          /* of its statements that were read */
    bool is_cut;            /* reading has ended before its end */
    uint64_t taken_bytes;   /* of the file, when reading ended */
} merge_state;
