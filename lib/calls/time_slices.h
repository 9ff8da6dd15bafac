/* What a run did in each slice of its time: calls by stack, and statements by line; and how much memory it
 * had.
 *
 * Slices are equally long and at most some hundred. How long a run takes is not known before its end, so they
 * are short at first, and whenever there are too many, two become one. A statement or call that an end of a
 * slice divides is divided as by a filter (events/within.h): it counts where it ends, and a request where it
 * begins.
 */
#pragma once

#include "calls/calltree.h"
#include "calls/memory_curve.h"
#include "events/events.h"
#include "model/records.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* What something has in each of the slices of time into which a run is cut (time_slices.h): a table of cells,
 * of which only those are there that have something.
 */

typedef struct nytp_slice_cell {
    uint32_t of; /* whose it is: a number of the caller's */
    uint32_t process;
    int64_t slice;
    int64_t count;
    double s; /* seconds, and how many of them it was asleep, and queued for a processor */
    double asleep_s, queued_s;
} nytp_slice_cell;

typedef struct nytp_slice_cells {
    nytp_slice_cell *all;
    uint32_t count;
    size_t capacity;
    GArray *last; /* uint32_t, by `of`: the index of its cell that came last, + 1 */
} nytp_slice_cells;

/* Returns which slice of twice the length has a slice. */
static inline int64_t nytp_slice_of_two(int64_t slice)
{
    return slice >= 0 ? slice / 2 : -((1 - slice) / 2);
}

nytp_slice_cells nytp_slice_cells_new(void);
void nytp_slice_cells_free(nytp_slice_cells *cells);

/* Adds to a cell. There may be several of the same slice, unless they are added one after the other. */
void nytp_slice_cells_add(nytp_slice_cells *cells, nytp_slice_cell cell);

/* Makes one slice of two, 2n and 2n + 1. */
void nytp_slice_cells_halve(nytp_slice_cells *cells);

/* Does that to cells of rows. They stay sorted. */
void nytp_slice_cells_halve_sorted(GArray *cells);

/* Returns cells of rows, sorted by row, process and slice, each of which there is once. row_of: by what cells
 * are of; those without a row, which have a number from `rows` on, are left out. */
GArray *nytp_slice_cells_of_rows(const nytp_slice_cells *cells, const uint32_t *row_of, uint32_t rows);

typedef struct nytp_slice_place {
    uint32_t fid, line;
} nytp_slice_place;

typedef struct nytp_slice_places {
    nytp_records numbers; /* nytp_slice_place, of the current profile */
    GArray *all;          /* nytp_slice_place, of the profiles before it */
    struct nytp_numbered_place *cache;
} nytp_slice_places;

nytp_slice_places nytp_slice_places_new(void);
void nytp_slice_places_free(nytp_slice_places *places);

/* Returns the number of a line of the current profile. */
uint32_t nytp_slice_places_number(nytp_slice_places *places, nytp_slice_place place);

/* Call it at the end of a profile. fid_of gives the fid that a file of the profile has where several are
 * added up; NULL if it keeps its fid. */
typedef uint32_t nytp_slice_fid_fn(const void *context, uint32_t fid);
void nytp_slice_places_end_profile(nytp_slice_places *places, nytp_slice_fid_fn *fid_of, const void *context);

/* The stacks of calls that return in slices of time, which are numbered before their callers are known.
 *
 * A call that returns adopts the calls that it made (calltree.c). At the end of a slice, those that wait for
 * their caller are moved below a node for it. Which sub that is, and who called it, is said when it returns.
 */

/* What the stack `parent` called. Several nodes may be of one stack, and a parent may have a higher number
 * than its children. Node 0 is what is outside of subs. */
typedef struct nytp_slice_node {
    uint32_t parent;
    uint32_t sub; /* of the names of the calls; NYTP_NO_SUB: the caller never returned, so that what it called
                     counts as called from outside */
} nytp_slice_node;

#define NYTP_NO_SUB UINT32_MAX

typedef struct nytp_slice_stacks {
    nytp_calltree *tree;  /* of the calls that have returned in the current slice */
    nytp_stacktree store; /* numbers the nodes */
    GArray *nodes;        /* nytp_slice_node */
    GArray *path;         /* uint32_t: nodes */
    GArray *kinds;        /* uint8_t, by name: whether it is a string eval */
    uint32_t callers;     /* how many nodes were made for callers that go on */
} nytp_slice_stacks;

nytp_slice_stacks nytp_slice_stacks_new(void);
void nytp_slice_stacks_free(nytp_slice_stacks *stacks);

/* To be called before the first call. names are those of its sub, and stay the caller's. */
void nytp_slice_stacks_name(nytp_slice_stacks *stacks, nytp_names *names);

/* Adds a call that returns, with its time in the current slice. Returns how many stacks that has. */
static inline uint32_t nytp_slice_stacks_add(nytp_slice_stacks *stacks, const nytp_call_event *call)
{
    nytp_calltree_add_call(stacks->tree, call);
    return nytp_stacktree_count(&stacks->tree->stacks);
}

/* Returns whether a sub is a string eval (events/evals.c). */
bool nytp_slice_stacks_is_eval(const nytp_slice_stacks *stacks, uint32_t sub);

/* Returns a new node for a call that goes on; nytp_slice_stacks_name_caller() says later what it is. */
uint32_t nytp_slice_stacks_caller(nytp_slice_stacks *stacks);
void nytp_slice_stacks_name_caller(const nytp_slice_stacks *stacks, uint32_t caller, uint32_t parent,
                                   uint32_t sub);

/* At the end of a slice, or earlier: passes what its calls have had to on_node, with the number of the node.
 * caller_of returns the node of the call that made those of a depth; 0: they were made outside of subs. */
typedef struct nytp_slice_end {
    void (*on_node)(void *context, uint32_t node, const nytp_node *of);
    uint32_t (*caller_of)(void *context, uint32_t depth);
    void *context;
} nytp_slice_end;

void nytp_slice_stacks_end(nytp_slice_stacks *stacks, const nytp_slice_end *end);

/* When all slices have ended: frees all but the nodes. */
void nytp_slice_stacks_end_all(nytp_slice_stacks *stacks);

typedef struct nytp_time_slices nytp_time_slices;

/* Slice n begins n widths after the origin. */
typedef struct nytp_slice_grid {
    double origin_s; /* since 1970 */
    double width_s;  /* a power of 2 */
    int64_t first;   /* the number of the first one; it may be negative */
    uint32_t count;  /* 0: it is not known when something happened */
} nytp_slice_grid;

nytp_time_slices *nytp_time_slices_new(void);
void nytp_time_slices_free(nytp_time_slices *slices); /* NULL is fine */

/* Takes these events from here on, each profile of which must be read in the same pass. names are theirs. */
void nytp_time_slices_take(nytp_time_slices *slices, nytp_names *names, nytp_events *events);

/* Call it at the begin of each profile, which must live until its events end. */
void nytp_time_slices_begin_profile(nytp_time_slices *slices, nytp_profile *profile);

/* Call it after nytp_events_end_profile(), with what nytp_slice_places_end_profile() takes. */
void nytp_time_slices_place_files(nytp_time_slices *slices, nytp_slice_fid_fn *fid_of, const void *context);

/* Call it when all profiles have ended: frees what reading alone needs. */
void nytp_time_slices_end(nytp_time_slices *slices);

/* What is known then. Cells are in no order, and there may be several of the same
 * slice. */
typedef struct nytp_slices {
    nytp_slice_grid grid;
    double end_s;                       /* the last moment of any process, since 1970 */
    const nytp_slice_cells *calls;      /* own time and calls of nodes */
    const GArray *nodes;                /* nytp_slice_node */
    const nytp_slice_cells *statements; /* time and statements of places */
    const GArray *places;               /* nytp_slice_place */
    GArray *memory;                     /* nytp_memory_point, since the origin */
} nytp_slices;

/* Returns what is known. The arrays belong to slices. */
nytp_slices nytp_time_slices_get(const nytp_time_slices *slices);
