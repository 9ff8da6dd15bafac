/* The way of nytp-tree: the stacks of profiles, which calls of them are shown, and how they are written. */
#pragma once

#include "calls/stacktree.h"
#include "cli/head.h"
#include "cli/output.h"
#include "model/names.h"

typedef struct tree_options {
    const char *from, *to; /* a sub: its calls and what they call, or its callers; NULL: all calls */
    GRegex *focus, *ignore; /* only calls on paths through subs that match, without those; NULL: all */
    uint32_t rows;         /* 0: all */
    uint32_t max_depth;    /* 0: all levels */
    nytp_least min;        /* calls with less are left out */
    bool wait;             /* 100 % is all time, and so are amounts; otherwise it is the work */
    nytp_common_options common;
    nytp_operands files;
} tree_options;

/* The calls that rows are made of. Times are those that are shown, in ticks of the profile. */
typedef struct tree_calls {
    nytp_stacktree stacks; /* node 0 is main::RUNTIME, unless the tree begins with a sub */
    nytp_stacktree errors; /* of memory: the same nodes, with inclusive samples as calls, and variances as
                              times; otherwise it has no nodes */
    nytp_names *names;
    bool has_root;
    double base_ticks;     /* what 100 % are */
    double ticks_per_s;
    double left_out_ticks; /* of calls that do not match */
} tree_calls;

/* Returns false, and sets *why to a message for g_free(), if there are no calls of the sub that the options
 * name. The calls are to be cleared in any case. */
bool tree_calls_fill(tree_calls *calls, const tree_options *options, const nytp_summary *summary, char **why);
void tree_calls_clear(tree_calls *calls);

/* What becomes of a node. */
typedef struct tree_mark {
    uint32_t caller, depth;
    uint32_t order;   /* among all, the largest first */
    uint32_t callees; /* that are shown */
    double ticks;     /* its inclusive time, at most that of its caller */
    bool is_shown;
    bool is_joined; /* with its one shown callee, which has nearly all of its time */
} tree_mark;

typedef struct tree_marks {
    tree_mark *of;      /* by node; for g_free() */
    uint32_t hidden;    /* how many nodes are not shown */
    double least_ticks; /* of those that are */
} tree_marks;

/* Chooses the calls with most time, as many as the rows have room for. */
tree_marks tree_marks_new(const tree_calls *calls, const tree_options *options);

/* Writes a row for each chain of calls that are shown. Write errors stick to out. */
void tree_rows_write(const tree_calls *calls, const tree_marks *marks, const tree_options *options,
                     const nytp_summary *summary, const nytp_look *look, FILE *out);
