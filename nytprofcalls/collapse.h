/* Calls as collapsed stacks, "outer;inner;innermost VALUE", of one or several profiles, or of two side by
 * side. */
#pragma once

#include "nytprof-model.h"

#include "calls/process_calls.h"
#include "cli/unit.h"

#include <glib.h>

/* Which frames are C, and which are Perl, as flamegraph.pl --color=java shows kinds of code by suffixes. */
typedef struct calls_kinds calls_kinds;

calls_kinds *calls_kinds_new(void);
void calls_kinds_free(calls_kinds *kinds); /* NULL is fine */

/* Adds the xsubs of a profile that has been read. */
void calls_kinds_add(calls_kinds *kinds, const nytp_profile *profile);

/* Returns "_[i]" for a string eval or BEGIN block, "_[j]" for another perl sub, and "" for what is C. */
const char *calls_kinds_suffix(const calls_kinds *kinds, nytp_str frame);

typedef struct calls_options {
    bool count_calls;         /* values are numbers of calls, not times */
    bool reverse;             /* callee first */
    bool root;                /* main::RUNTIME is the outermost frame of all stacks */
    bool keep_evals;          /* the runs of a string eval stay apart */
    enum nytp_unit_word unit; /* of times */
    nytp_least min;           /* stacks with less of the time are folded into their callers */
    uint32_t max_depth;       /* deeper stacks are folded, too; 0: all are shown */
    calls_kinds *kinds;       /* NULL: frames have no suffixes */
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

/* Writes a line for each stack of either profile, sorted by stack. The value of a stack that a profile does
 * not have is 0; a stack whose values are both 0 is left out. With scale, the values of `before` are
 * multiplied so that their sum is that of `after`. A stack is shown if it has at least options->min
 * of the time in one of them. Write errors stay with out. */
void calls_diff_write(const calls_options *options, calls_collapse *before, calls_collapse *after, bool scale,
                      FILE *out);

/* Writes the stacks in the order of time; those of several processes follow one another. Outside of calls
 * there is main::RUNTIME with options->root, else nothing. Shorter calls than options->min of the
 * time are left out. calls: nytp_process_course_new(). Returns 0, or the errno of an error in a temporary
 * file. Write errors stay with out. */
int calls_write_in_time_order(const calls_options *options, nytp_process_calls *calls, FILE *out);

/* Sub names as frames of a collapsed stack. Both functions are nytp_rename_fn. */

/* Returns the name in UTF-8. ";", which ends a frame, becomes "?", and so does a blank before a number that
 * ends the name. Control characters, and characters that XML does not allow, become escapes. */
char *calls_frame_name(void *context, nytp_str raw, size_t *length);

/* Like calls_frame_name(), with the numbers of string evals replaced by 0, so that all runs of one eval are
 * one frame. */
char *calls_frame_name_merging_evals(void *context, nytp_str raw, size_t *length);

typedef struct calls_path {
    GString *text;            /* of the current stack */
    GArray *ends;             /* gsize, by depth: how much of text is the stack up to there */
    const calls_kinds *kinds; /* NULL: frames have no suffixes */
} calls_path;

calls_path calls_path_new(const calls_kinds *kinds);
void calls_path_clear(calls_path *path);

/* Makes text that of the call at depth (0: outermost) whose callers are the calls at lower depths that were
 * entered last. */
void calls_path_enter(calls_path *path, uint32_t depth, nytp_str name);

/* Makes text that of the caller of the call at depth. */
void calls_path_leave(calls_path *path, uint32_t depth);
