/* Sums by label: what all calls with a text cost, of whatever subs they are. A statement of SQL is prepared,
 * executed and fetched by different subs. */
#pragma once

#include "base/labels.h"
#include "calls/durations.h"
#include "model/waits.h"
#include "nytprof-model.h"

/* Times are ticks of the first tree. */
typedef struct nytp_labelled {
    enum nytp_label_kind kind;
    nytp_str text; /* as it is shown (nytp_name_clean()) */
    uint64_t calls;
    uint64_t runs;     /* of what the label names: base/labels.h */
    double incl_ticks; /* of the outermost calls: those that are not within another call with the label */
    double excl_ticks;
    nytp_waited waited; /* of incl_ticks; only if the trees read how long calls waited */
} nytp_labelled;

typedef struct nytp_by_label nytp_by_label;

nytp_by_label *nytp_by_label_new(void);
void nytp_by_label_free(nytp_by_label *by); /* NULL is fine */

/* Adds the calls of a tree with unchanged names. labels is the list of their profile. If it is
 * NULL, only spans are labelled. */
void nytp_by_label_add(nytp_by_label *by, const nytp_labels *labels, nytp_calltree *tree);

/* Like nytp_by_label_add(), with the labels that the profile lists. */
void nytp_by_label_add_profile(nytp_by_label *by, const nytp_profile *profile, nytp_calltree *tree);

/* How many of their ticks are a second; 0: no tree had labels. */
double nytp_by_label_ticks_per_sec(const nytp_by_label *by);

/* Labels are numbered from 0 in the order of the tree's names. */
uint32_t nytp_by_label_count(const nytp_by_label *by);

/* Valid until calls are added. */
const nytp_labelled *nytp_by_label_get(const nytp_by_label *by, uint32_t number);

/* Returns the number of a label, a new one without calls if there is none. */
uint32_t nytp_by_label_of(nytp_by_label *by, const nytp_label *label);

/* Returns an array of nytp_distribution, by label, for the caller to g_array_unref(): how long what it names
 * took each time. durations has the calls of the trees, whose subs all had the numbers of its names. Of
 * methods that call one another, calls of those count that are usually the outermost. */
GArray *nytp_by_label_durations(const nytp_by_label *by, const nytp_durations *durations);

/* Returns the text under which a label is summed up. The caller must g_free() it. */
char *nytp_by_label_text(const nytp_label *label);

/* Returns the whole text of a label, which is an attribute of the profile if the label was cut; else the
 * label's own. */
nytp_str nytp_label_whole_text(const nytp_profile *profile, nytp_str text);
