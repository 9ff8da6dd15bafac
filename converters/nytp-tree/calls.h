/* Reads the calls of profiles into what options need: a call tree, the order of calls, or times by sub. */
#pragma once

#include "base/labels.h"
#include "calls/callorder.h"
#include "calls/durations.h"
#include "events/events.h"
#include "model/memory.h"
#include "model/names.h"
#include "nytprof-model.h"
#include "naming.h"
#include "options.h"
#include "subtimes.h"

/* Numbers in the header of a tmon.out. */
enum {
    TREE_RUN_USER,
    TREE_RUN_SYSTEM,
    TREE_RUN_REAL,
    TREE_OVER_USER,
    TREE_OVER_SYSTEM,
    TREE_OVER_REAL,
    TREE_OVER_TESTS,
    TREE_HEADER_NUMBERS
};

typedef struct tree_calls {
    const tree_options *options;
    tree_naming *naming;
    nytp_names *raw; /* as in the profiles */
    nytp_events *events;
    nytp_sink sink;
    const nytp_reader *reader; /* of the current profile */
    nytp_calltree *tree;       /* its names are also those of the subs in order */
    nytp_callorder *order;     /* NULL if not needed */
    nytp_durations *durations; /* of the subs of raw; NULL if no columns show them */
    nytp_labels *labels;       /* which names have labels; NULL unless labels are shown */
    nytp_names *label_names;   /* those that are shown; NULL if none yet */
    tree_subtimes times; /* filled while a tmon.out is read; for other profiles, from the tree at the end */
    uint64_t count;      /* how many calls were read */
    bool is_dprof;       /* the current profile is a tmon.out */
    bool has_process;    /* a process of the current profile has begun */
    bool some_dprof, some_other;        /* a tmon.out was read; another profile was */
    double scale;                       /* how many ticks of the first profile are one of the current one */
    nytp_measure measure;               /* of the last profile */
    nytp_memory_about memory;           /* of all profiles of memory */
    double ticks_per_s;                 /* of the first profile; 0: none was read */
    double header[TREE_HEADER_NUMBERS]; /* of a tmon.out; for several, times are added */
    double run_ticks[3];                /* user, system and real time of the current profile */
    bool has_run;                       /* a header has run times: the profiler wrote it to the end */
    double overhead_ticks;
    double left_out_ticks; /* by filters */
    double started_s, elapsed_s;
} tree_calls;

/* Returns NULL if a regular expression is not valid, and sets *why to a message that the caller must
 * g_free(). options must stay valid. */
tree_calls *tree_calls_new(const tree_options *options, char **why);
void tree_calls_free(tree_calls *c); /* NULL is fine */

/* The tags that tree_calls_read() needs. */
uint32_t tree_calls_tags(const tree_calls *c);

/* Reads some thousands of chunks, as nytp_profile_read() does. */
int tree_calls_read(void *c, nytp_reader *reader);

/* Call it after each profile. */
void tree_calls_end_profile(tree_calls *c);

/* Returns how many calls were read. */
uint64_t tree_calls_count(const tree_calls *c);

/* Returns whether the current profile is a tmon.out in which a process began. */
bool tree_calls_is_dprof(const tree_calls *c);
