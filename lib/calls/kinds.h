/* What kinds of memory each sub and each file holds, from profiles of memory (format/memory.h). */
#pragma once

#include "calls/arc_sums.h"
#include "events/events.h"
#include "nytprof-model.h"

#include <glib.h>
#include <math.h>

/* What is of one kind in the statements of one sub, without those of its callees, or on one line or in all
 * lines of a file. */
typedef struct nytp_kind_sum {
    uint32_t owner;   /* the sub in a profile, for nytp_profile_sub(), or the fid of the file */
    uint32_t line;    /* 0: of a sub, or all lines */
    uint32_t kind;    /* for nytp_kinds_name() */
    uint32_t samples; /* of which bytes and blocks are estimates; 0: the profile does not say */
    uint64_t blocks;
    double bytes;
    double variance; /* of bytes, by themselves: nytp_kinds_error() */
} nytp_kind_sum;

typedef struct nytp_kinds nytp_kinds;

nytp_kinds *nytp_kinds_new(void);
void nytp_kinds_free(nytp_kinds *kinds); /* NULL is fine */

/* Takes the memory of these events from here on. names are those of the events, of all profiles. */
void nytp_kinds_take(nytp_kinds *kinds, const nytp_names *names, nytp_events *events);

/* To be called before the above: the tree and the arcs, which stay the caller's and may be NULL, get the same
 * calls. What the tree has as their number are samples, and as times the variances of their bytes. They have
 * none if time is measured. */
void nytp_kinds_add_errors(nytp_kinds *kinds, nytp_calltree *tree, nytp_arc_sums *arcs);

/* Call it at the end of each profile. fid_of gives the fid that a file of the profile has where several are
 * added up; NULL: the same one. */
typedef uint32_t nytp_kinds_fid_fn(const void *context, uint32_t fid);
void nytp_kinds_end_profile(nytp_kinds *kinds, nytp_kinds_fid_fn *fid_of, const void *context);

/* "strings" and so on. It belongs to kinds. */
uint32_t nytp_kinds_count(const nytp_kinds *kinds);
nytp_str nytp_kinds_name(const nytp_kinds *kinds, uint32_t kind);

/* Returns the number of the kind of that name, or -1 if none. */
int64_t nytp_kinds_find(const nytp_kinds *kinds, const char *name);

/* Return the sums by file, or by line, as nytp_kind_sum, sorted by fid, line and kind. They belong to kinds,
 * and have the profiles that have ended. */
const GArray *nytp_kinds_by_file(const nytp_kinds *kinds);
const GArray *nytp_kinds_by_line(const nytp_kinds *kinds);

/* Returns the sums, as nytp_kind_sum, sorted by sub and kind; those of no sub are main::RUNTIME's. profile
 * has the same calls, and its evals are not merged yet. The caller must call g_array_unref(). */
GArray *nytp_kinds_by_sub(nytp_kinds *kinds, const nytp_profile *profile);

/* Call it after nytp_profile_move_evals(), with what that has returned: renumbers the subs, and adds up the
 * sums that are now of the same sub and kind. */
void nytp_kind_sums_move(GArray *sums, const uint32_t *moved);

/* Does the same to the sums by line. */
void nytp_kinds_move_evals(nytp_kinds *kinds, const nytp_profile *profile);

/* Returns what all kinds of an owner have together, of sums that are sorted as above. */
nytp_kind_sum nytp_kind_sums_of(const GArray *sums, uint32_t owner, uint32_t line);

/* Returns the variance of all bytes; INFINITY if their sum was not counted, and 0 if nothing is known. */
double nytp_kinds_whole_variance(const nytp_kinds *kinds);

/* Returns whether there are so few samples that the error is not known, either. Blocks that are larger than
 * the distance of samples have hardly any. */
static inline bool nytp_kinds_are_few(double samples, double error, double bytes)
{
    const double few = 5, least_error = 0.1;
    return samples < few && error > least_error * bytes;
}

/* Returns the standard error of bytes with that variance; 0 if they are exact. The whole has none if it was
 * counted, so that a large part of it has less than by itself. */
static inline double nytp_kinds_error(double variance, double whole_variance)
{
    return sqrt(fmax(variance * (1 - (whole_variance > 0 ? variance / whole_variance : 0)), 0));
}
