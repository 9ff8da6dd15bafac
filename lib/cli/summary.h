/* Reads profiles into what tables of them show. */
#pragma once

#include "calls/arc_sums.h"
#include "calls/by_label.h"
#include "calls/durations.h"
#include "calls/growth.h"
#include "calls/kinds.h"
#include "calls/process_times.h"
#include "cli/options.h"
#include "export/table.h"
#include "model/source_lines.h"

/* Makes what else is needed a sink of the events of a profile, whose subs have these names. */
typedef void nytp_summary_take_fn(void *context, const nytp_names *names, nytp_events *events);

/* The sum of profiles, and what only their calls say. Numbers of subs are those of the profile. */
typedef struct nytp_summary {
    nytp_names *names; /* of the subs of all profiles, before evals are merged */
    nytp_profile *profile;
    nytp_by_label *labels;
    nytp_sub_durations durations;
    GArray *label_durations; /* nytp_distribution, by label: of its runs; NULL without stacks */
    nytp_process_times *processes;
    nytp_sub_waits *waits;
    GArray *sub_waits;       /* nytp_sub_wait, by sub */
    nytp_arc_sums *arc_sums; /* NULL if they were not asked for */
    nytp_kinds *kinds;
    GArray *kind_sums;         /* nytp_kind_sum */
    nytp_calltree *stacks;     /* of all calls, by the names in profiles; NULL if they were not asked for, */
    nytp_calltree *errors;     /* nor this: nytp_kinds_add_errors(), */
    nytp_growth *growth;       /* nor this, */
    uint32_t *sub_of;          /* nor this: by name in stacks, the sub; UINT32_MAX: the profile has none */
    nytp_source_lines *source; /* NULL: not asked for, or there are several profiles */
} nytp_summary;

typedef struct nytp_summary_options {
    const nytp_common_options *common;
    bool keeps_evals; /* runs of a string eval stay apart; otherwise they are merged */
    bool wants_stacks, wants_arc_sums, wants_source;
    nytp_summary_take_fn *take; /* NULL: nothing else is needed */
    void *context;
} nytp_summary_options;

/* Returns what the files have, for the caller to free, or NULL after saying why it cannot be read. options
 * must stay valid until then. */
nytp_summary *nytp_summary_read(const nytp_operands *files, const nytp_summary_options *options);
void nytp_summary_free(nytp_summary *summary); /* NULL is fine */

/* Writes to out what a program shows of a summary with stacks. Returns false after saying why it cannot. */
typedef bool nytp_summary_show_fn(void *context, const nytp_summary *summary, const nytp_look *look,
                                  FILE *out);

/* Reads the files, and has the summary shown where the common options say; color: enum nytp_color. is_text:
 * its lines fit what shows it. Source text is read for a terminal alone. Returns the exit status. */
int nytp_summary_show(const nytp_operands *files, const nytp_summary_options *options, unsigned color,
                      bool is_text, nytp_summary_show_fn *show, void *context);

/* The same step by step: the handler of each input (cli/read.h), and what has been read, or NULL if none was.
 * End frees reading. */
typedef struct nytp_summary_reading nytp_summary_reading;
nytp_summary_reading *nytp_summary_begin(const nytp_summary_options *options);
int nytp_summary_read_some(void *reading, nytp_reader *reader);
bool nytp_summary_end_profile(void *reading);
nytp_summary *nytp_summary_end(nytp_summary_reading *reading);
