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

/* Returns whether a call with the label runs what the label names. Some methods of DBI only prepare the
 * statement, or fetch rows that it found. */
bool nytp_label_runs(const nytp_label *label);
