/* Calls of one or several profiles as collapsed stacks: "outer;inner;innermost VALUE". */
#pragma once

#include "cli/unit.h"
#include "nytprof-model.h"

typedef struct calls_options {
    bool count_calls;         /* values are numbers of calls, not times */
    bool reverse;             /* callee first */
    bool root;                /* main::RUNTIME is the outermost frame of all stacks */
    bool keep_evals;          /* the runs of a string eval stay apart */
    enum nytp_unit_word unit; /* of times */
    double min_percent;       /* stacks with a smaller share of the time are folded into their callers */
    uint32_t max_depth;       /* deeper stacks are folded, too; 0: all are shown */
} calls_options;

typedef struct calls_collapse calls_collapse;

/* options must stay valid. */
calls_collapse *calls_collapse_new(const calls_options *options);
void calls_collapse_free(calls_collapse *c);

enum nytp_unit_word calls_collapse_unit(const calls_collapse *c);

/* Returns the tree into which nytp_read_calltree() must read the profiles. It belongs to c. */
nytp_calltree *calls_collapse_tree(calls_collapse *c);

/* Returns the same tree with its stacks reversed, if the options ask for that. */
nytp_calltree *calls_collapse_shaped_tree(calls_collapse *c);

/* Returns the inclusive time below which stacks are folded into their callers, in ticks of the tree. */
double calls_collapse_min_ticks(const calls_collapse *c);

/* Writes " VALUE": a number of calls, or a time. value is in ticks if that is the unit of the options,
 * otherwise in ns. flamegraph.pl accepts decimals, but not exponents. */
void calls_write_value(const calls_options *options, double value, FILE *out);

/* Writes the lines, sorted by stack. Write errors stay with out. */
void calls_collapse_write(calls_collapse *c, FILE *out);

/* Sets sums over all profiles: how many calls there were, in how many different stacks, of how many subs. */
void calls_collapse_totals(const calls_collapse *c, uint64_t *calls, size_t *stacks, size_t *subs);

/* Returns whether there is nothing to write: no calls, nor time of the root if that is shown.
 */
bool calls_collapse_is_empty(const calls_collapse *c);
