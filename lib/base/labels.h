/* Labelled subs: the collector's labels= records a call with a text as one of a sub "BASE LABEL". Since names
 * of perl subs may have blanks, too, the attribute `labels` of a profile lists which names have labels. */
#pragma once

#include "nytprof.h"

/* Returns the name up to its first blank, after which a label would follow. */
nytp_str nytp_up_to_blank(nytp_str name);

/* Returns perl's name of the op that a built-in is, "print" in "main::CORE:print", or in "CORE::print", as
 * slowops=1 has it; an empty string for another sub. The name may have a label. */
nytp_str nytp_sub_op(nytp_str name);

/* The names of kinds, by enum nytp_label_kind; NULL ends them. */
extern const char *const nytp_label_kinds[];

/* The kinds and bases that the attribute lists. */
typedef struct nytp_labels nytp_labels;

nytp_labels *nytp_labels_new(void);         /* NULL when out of memory */
void nytp_labels_free(nytp_labels *labels); /* NULL is fine */

/* Adds what a value of the attribute lists. Returns false when out of memory. */
bool nytp_labels_add(nytp_labels *labels, nytp_str value);

/* Whether it is an attribute about labels: `labels`, or label_HASH, which has the whole text of a label. */
bool nytp_is_about_labels(nytp_str key);

/* Sets *label to the parts of a name. Returns false if it has no label; base is then the whole name.
 * labels may be NULL: then only spans have labels, which the program names. */
bool nytp_labels_split(const nytp_labels *labels, nytp_str name, nytp_label *label);

/* Which calls with a label count as runs of what it names. */
enum nytp_label_runs {
    NYTP_RUNS_NONE, /* none: some methods of DBI only prepare the statement, or fetch rows that it found */
    NYTP_RUNS_OUTERMOST, /* those that are not within another one that does: methods call one another */
    NYTP_RUNS_EACH,      /* each: a span, which the program has begun */
};

enum nytp_label_runs nytp_label_runs(const nytp_label *label);

/* Returns whether a call that begins is a run, and notes it in *open: how many of its label are open that
 * run it. nytp_label_run_end() is called when it ends. */
static inline bool nytp_label_run_begin(enum nytp_label_runs runs, uint32_t *open)
{
    return runs != NYTP_RUNS_NONE && ((*open)++ == 0 || runs == NYTP_RUNS_EACH);
}

static inline void nytp_label_run_end(enum nytp_label_runs runs, uint32_t *open)
{
    *open -= runs != NYTP_RUNS_NONE;
}
