/* Reads the calls of profiles into what options need: a call tree, the order of calls, or times by sub. */
#pragma once

#include "nytprof-model.h"

#include "base/labels.h"
#include "calls/course.h"
#include "calls/durations.h"
#include "calls/stacktree.h"
#include "calls/process_times.h"
#include "calls/sub_waits.h"
#include "cli/unit.h"
#include "events/events.h"
#include "model/measure.h"
#include "model/whole.h"
#include "model/names.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum dprofpp_form {
    DPROFPP_MERGED, /* the tree of all stacks */
    DPROFPP_TABLE,  /* one line per sub */
    DPROFPP_CALLS,  /* every call, in order */
    DPROFPP_FOLDED, /* the same, with consecutive calls of one sub on one line */
    DPROFPP_JSON    /* the tree of all stacks, as JSON */
};

enum dprofpp_sort {
    DPROFPP_SORT_DEFAULT, /* trees by inclusive time; tables by exclusive time, or inclusive if that is shown
                           */
    DPROFPP_SORT_TIME,
    DPROFPP_SORT_AVERAGE, /* time per call */
    DPROFPP_SORT_CALLS,
    DPROFPP_SORT_NAME,
    DPROFPP_SORT_FOUND /* in the order of the profile */
};

/* Columns of the table besides dprofpp's: an enum nytp_duration, what a sub did itself, or perl's values that
 * it kept itself. */
enum { DPROFPP_WORK = NYTP_DURATIONS, DPROFPP_ASLEEP, DPROFPP_QUEUED, DPROFPP_KEPT, DPROFPP_COLUMNS };

typedef struct dprofpp_columns {
    unsigned of[DPROFPP_COLUMNS]; /* in their order */
    unsigned count;
} dprofpp_columns;

typedef struct dprofpp_options {
    enum dprofpp_form form;
    enum dprofpp_sort sort;
    enum nytp_unit_word unit;
    enum nytp_clock clock; /* of a tmon.out, which has several */
    bool reverse;
    bool inclusive;  /* the table's percentages and order are those of inclusive time */
    int32_t rows;    /* of the table; 0 or negative: all */
    bool no_headers; /* of the table */
    dprofpp_columns columns;
    bool show_root;      /* main::RUNTIME is the root of the tree */
    const char *root;    /* only calls of this sub and what they called; NULL: all */
    GRegex *group;       /* matches the subs that are shown as one; NULL: no sub is */
    bool pull;           /* all other subs become one, too */
    unsigned labels;     /* enum nytp_label_kind: labels of that kind are shown, in the place of subs */
    GRegex *filter;      /* matches the subs that are left out; NULL: no sub is */
    const char *callers; /* the tree of this sub's callers */
    nytp_least min;      /* calls with less of the time are left out */
    uint32_t max_depth;  /* deeper calls are left out; 0: all are shown */
    bool color, unicode;
} dprofpp_options;

/* Returns whether every call is shown, in order. */
bool dprofpp_is_in_order(const dprofpp_options *options);

/* Returns what the group is called: its expression, as a clean name. The caller must g_free() it. */
char *dprofpp_group_name(const dprofpp_options *options);

/* A nytp_rename_fn; context is the options. */
char *dprofpp_rename(void *options, nytp_str raw, size_t *length);

/* Returns whether -f hides the sub, or label, with that shown name. */
bool dprofpp_hides(const dprofpp_options *options, nytp_str shown);

typedef struct dprofpp_subtime {
    uint32_t sub;
    uint32_t open;  /* calls of it that are running */
    uint32_t found; /* its number in the order of first calls, counted from 1; 0: not called yet */
    uint64_t calls;
    double excl_ticks;
    double cumul_ticks; /* inclusive time of its outermost calls */
} dprofpp_subtime;

typedef struct dprofpp_subtimes {
    GArray *rows;        /* dprofpp_subtime, by sub */
    uint32_t root;       /* count only its calls and those below them; UINT32_MAX: count all */
    uint32_t depth;      /* how many calls are running */
    uint32_t root_depth; /* depth in the root's outermost call that is running; 0: none is */
    uint32_t found;      /* how many subs were called */
    uint64_t calls;      /* sum over rows */
    double incl_ticks;   /* of the root's outermost calls; without a root, of calls from outside */
} dprofpp_subtimes;

/* Returns whether there is a column from first to last. */
bool dprofpp_columns_have(const dprofpp_columns *columns, unsigned first, unsigned last);

void dprofpp_subtimes_init(dprofpp_subtimes *t);
void dprofpp_subtimes_clear(dprofpp_subtimes *t);

/* Add the begin and the end of a call. */
void dprofpp_subtimes_enter(dprofpp_subtimes *t, uint32_t sub);
void dprofpp_subtimes_leave(dprofpp_subtimes *t, uint32_t sub, double incl_ticks, double excl_ticks);

/* Drops the calls that are running: they will not return. */
void dprofpp_subtimes_end_stack(dprofpp_subtimes *t);

/* Adds all calls of a tree, which must have inclusive times. subs: how many subs the tree has.
 * counts_samples: the number of calls is inclusive, too. */
void dprofpp_subtimes_add_stacks(dprofpp_subtimes *t, const nytp_stacktree *tree, size_t subs,
                                 bool counts_samples);

/* Numbers in the header of a tmon.out. */
enum {
    DPROFPP_RUN_USER,
    DPROFPP_RUN_SYSTEM,
    DPROFPP_RUN_REAL,
    DPROFPP_OVER_USER,
    DPROFPP_OVER_SYSTEM,
    DPROFPP_OVER_REAL,
    DPROFPP_OVER_TESTS,
    DPROFPP_HEADER_NUMBERS
};

typedef struct dprofpp_calls {
    const dprofpp_options *options;
    nytp_names *raw; /* as in the profiles */
    nytp_events *events;
    nytp_sink sink;
    const nytp_reader *reader; /* of the current profile */
    nytp_calltree *tree;       /* its names are also those of the subs in order */
    nytp_callorder *order;     /* NULL if not needed */
    nytp_durations *durations; /* of the subs of raw; NULL if no columns show them */
    nytp_sub_waits *waits;     /* the same */
    nytp_profile *sums;        /* with the sums of calls, for what they kept; NULL if no column shows it */
    nytp_process_times *processes; /* for the head of a table; otherwise NULL */
    nytp_labels *labels;           /* which names have labels; NULL unless labels are shown */
    nytp_names *label_names;       /* those that are shown; NULL if none yet */
    dprofpp_subtimes
        times;        /* filled while a tmon.out is read; for other profiles, from the tree at the end */
    uint64_t count;   /* how many calls were read */
    bool is_dprof;    /* the current profile is a tmon.out */
    bool has_process; /* a process of the current profile has begun */
    bool some_dprof, some_other; /* a tmon.out was read; another profile was */
    double scale;                /* how many ticks of the first profile are one of the current one */
    nytp_measure measure;        /* of the last profile */
    nytp_memory_about memory;    /* of all profiles of memory */
    double ticks_per_s;          /* of the first profile; 0: none was read */
    double header[DPROFPP_HEADER_NUMBERS]; /* of a tmon.out; for several, times are added */
    double run_ticks[3];                   /* user, system and real time of the current profile */
    bool has_run;                          /* a header has run times: the profiler wrote it to the end */
    double overhead_ticks;
    double left_out_ticks; /* by filters */
    double started_s, elapsed_s;
} dprofpp_calls;

/* options must stay valid. */
dprofpp_calls *dprofpp_calls_new(const dprofpp_options *options);
void dprofpp_calls_free(dprofpp_calls *c); /* NULL is fine */

/* Reads some thousands of chunks, as nytp_profile_read() does. */
int dprofpp_calls_read(void *c, nytp_reader *reader);

/* Call it after each profile. */
void dprofpp_calls_end_profile(dprofpp_calls *c);
