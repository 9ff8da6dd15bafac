/* The sums of a profile's end: calls from each line to each sub, and where subs are. */
#pragma once

#include "nytprof.h"
#include "sampler/sampler.h"

typedef struct record_arcs record_arcs;

/* strings stays the caller's. */
record_arcs *record_arcs_new(const nytp_strings *strings);
void record_arcs_free(record_arcs *arcs);

/* Returns how many arcs and places of subs there are: each takes memory. */
size_t record_arcs_count(const record_arcs *arcs);

/* A call that ended: of callee, by caller, at a line of a file. depth: how many calls of callee were around
 * it. */
typedef struct record_ended_call {
    sampler_label caller, callee;
    uint32_t fid, line;
    uint32_t depth;
    double incl_ticks, excl_ticks;
} record_ended_call;
void record_arcs_add(record_arcs *arcs, const record_ended_call *call);

/* A sub that was seen at work at a line of the file that it begins in; an xsub or built-in has first_line 0.
 */
void record_arcs_seen(record_arcs *arcs, sampler_label sub, uint32_t fid, uint32_t first_line, uint32_t line);

/* Writes SUB_INFO for subs that have none yet, and SUB_CALLERS for what was added since the last time. */
void record_arcs_write(record_arcs *arcs, nytp_writer *writer, double ticks_per_sec);
