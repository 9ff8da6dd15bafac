/* What was read, and the functions that write it in each form. */
#ifndef CALLS_H
#define CALLS_H

#include "dump.h"
#include "model/names.h"
#include "model/stacktree.h"
#include "subtimes.h"

#include <glib.h>

/* Stacks and their times. Node 0 calls all that is called from outside. */
typedef struct call_stacks {
    const dump_options *options;
    nytp_stacktree *tree; /* with inclusive times */
    const nytp_names *names;
    const bool *hidden; /* for each sub */
    double ticks_per_s;
    double total_ticks; /* 100 % */
    double elapsed_s;   /* NaN: the profile does not tell */
    const char *clock;  /* what total_ticks are of */
    bool rounds_first;  /* percentages are dprofpp's */
} call_stacks;

/* One node, in its place among those that are shown. */
typedef struct branch {
    uint32_t node, depth;
    bool last; /* of its siblings */
} branch;

typedef void branch_fn(void *context, const call_stacks *stacks, const branch *b);

/* Depth first, siblings in order, without what is left out. */
void branches_visit(const call_stacks *stacks, branch_fn *visit, void *context);

/* Every node, depth first, siblings as they lie. */
typedef void node_fn(void *context, uint32_t node, uint32_t depth);
void stacks_visit(const nytp_stacktree *tree, node_fn *visit, void *context);

/* Only calls of sub and what they called. False: there is none. */
bool stacks_root_at(nytp_stacktree *tree, uint32_t sub);

/* sub and who called it, turned over: children of a node are its callers. Counts and times are those of the
 * calls of sub that came that way; what a recursive call took is its own and not the outer one's. */
void stacks_of_callers(const nytp_stacktree *tree, uint32_t sub, uint32_t max_depth, nytp_stacktree *callers);

/* How times are shown. */
typedef struct time_format {
    double unit_ticks;
    int decimals;
    const char *unit;
} time_format;

time_format time_format_of(const call_stacks *stacks);

/* Writes a time, without a NUL behind it, and returns its length. What is below zero is written as 0: what
 * profiling took was overestimated, or the clock stepped back. */
enum { TIME_ROOM = 400 }; /* of the largest double, and then some */
size_t time_write(char text[TIME_ROOM], const time_format *format, double ticks);

enum { COUNT_ROOM = 20 };
size_t count_write(char text[COUNT_ROOM], uint64_t count);

void merged_write(const call_stacks *stacks, FILE *out);
void json_write(const call_stacks *stacks, FILE *out);
void table_write(const call_stacks *stacks, const subtimes *times, FILE *out);

#endif
