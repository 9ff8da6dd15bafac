/* The calls and lines of single spans, of the slowest of each name. Memory does not grow with the number of
 * spans, but with the number of names up to a limit: then there are fewer of each name.
 */
#pragma once

#include "calls/calltree.h"
#include "calls/span_sample.h"
#include "calls/time_slices.h"
#include "events/events.h"

#include <glib.h>

/* The lines of single spans, which have no place in the stream where they begin: the statements that ended
 * last before a span's end, as long as the span took. The statement that its begin divides is divided, and
 * its runs count if it ended in the span; of several runs of one line in a row, which are one entry, so many
 * as have their share of the time.
 *
 * The statement in which a span ends is written after it. It ends with the span if a caller of the span
 * returns then, and is taken to come after the span elsewhere, so times are exact to that statement.
 */

typedef struct nytp_span_line {
    uint32_t place; /* a number for nytp_span_lines_place() */
    uint64_t runs;
    double ticks; /* of the call tree */
} nytp_span_line;

enum nytp_span_lines_known {
    NYTP_LINES_KNOWN,
    NYTP_LINES_OLD,       /* more statements ran before its end than are kept */
    NYTP_LINES_COROUTINES /* those of several coroutines are not in the order of their calls */
};

/* What one span ran. */
typedef struct nytp_lines_of_span {
    enum nytp_span_lines_known known;
    GArray *most;       /* nytp_span_line, some of those with most time, the one with most first */
    uint32_t others;    /* how many there are besides */
    double other_ticks; /* their time */
} nytp_lines_of_span;

void nytp_lines_of_span_unref(void *lines); /* a GDestroyNotify */

/* Adds the lines of another part of a span. Lines that are not known yet cannot be joined; then it returns
 * false. A line may count twice among the others. */
bool nytp_lines_of_span_join(nytp_lines_of_span *lines, const nytp_lines_of_span *part);

typedef struct nytp_span_lines nytp_span_lines;

/* Keeps at most that many statements of different lines, a power of 2. calls scales times. */
nytp_span_lines *nytp_span_lines_new(const nytp_calltree *calls, uint32_t most);
void nytp_span_lines_free(nytp_span_lines *lines); /* NULL is fine */

/* Takes the statements of these events from here on, each profile of which must be read in the same pass. */
void nytp_span_lines_take(nytp_span_lines *lines, nytp_events *events);

/* Returns the lines of a span that returns now. They are known when the next statement has ended, or no more
 * of its process comes. The caller must unref them. */
nytp_lines_of_span *nytp_span_lines_add(nytp_span_lines *lines, const nytp_call_event *call);

/* Call it at the end of each profile, as nytp_slice_places_end_profile(). */
void nytp_span_lines_place_files(nytp_span_lines *lines, nytp_slice_fid_fn *fid_of, const void *context);

/* Call it when all profiles have ended: frees what reading alone needs. */
void nytp_span_lines_end(nytp_span_lines *lines);

/* Returns a place of the profiles that have ended. */
nytp_slice_place nytp_span_lines_place(const nytp_span_lines *lines, uint32_t number);

typedef struct nytp_span_parts nytp_span_parts;

/* calls and lines are as for nytp_span_trees_new(). */
nytp_span_parts *nytp_span_parts_new(const nytp_calltree *calls, nytp_span_lines *lines);
void nytp_span_parts_free(nytp_span_parts *parts); /* NULL is fine */

/* Adds a part that returns; the calls that it made wait for that. */
void nytp_span_parts_add(nytp_span_parts *parts, const nytp_call_event *part);

/* What a request ran. */
typedef struct nytp_request_calls {
    nytp_stacktree stacks; /* what the parts called; the root is the request, and has their own time */
    GPtrArray *lines;      /* nytp_lines_of_span, to be joined when those of the last part are known */
} nytp_request_calls;

void nytp_request_calls_free(void *request_calls); /* a GDestroyNotify; NULL is fine */

/* Returns what the parts of a request have run, and forgets it; NULL if there are none. The caller must free
 * it. */
nytp_request_calls *nytp_span_parts_take(nytp_span_parts *parts, uint64_t request);

/* A process begins. */
void nytp_span_parts_begin_process(nytp_span_parts *parts);

/* Joins lines that are known into the first ones, if they are known, too. */
void nytp_span_parts_join(GPtrArray *lines);

/* A node of the tree of a span, before those below it. The first one, of depth 0, is the span's own. */
typedef struct nytp_span_node {
    uint32_t sub; /* of the names of the events */
    uint32_t depth;
    uint64_t calls;
    double excl_ticks; /* of the call tree */
} nytp_span_node;

typedef struct nytp_span_tree {
    uint64_t number; /* how many spans ended before it, of all profiles */
    double latency_s;
    GArray *nodes;             /* nytp_span_node */
    GPtrArray *lines_of_parts; /* nytp_lines_of_span */
    const nytp_lines_of_span
        *lines; /* of all parts, which lines_of_parts has; NULL until trees are asked for */
} nytp_span_tree;

typedef struct nytp_span_trees nytp_span_trees;

/* calls is the call tree of the same events, which takes each call after nytp_span_trees_add(), and does not
 * rename subs. lines takes the same events. Both stay the caller's. */
nytp_span_trees *nytp_span_trees_new(const nytp_calltree *calls, nytp_span_lines *lines);
void nytp_span_trees_free(nytp_span_trees *trees); /* NULL is fine */

/* A process begins. */
void nytp_span_trees_begin_process(nytp_span_trees *trees);

/* Adds a part of a request that returns. */
void nytp_span_trees_add_part(nytp_span_trees *trees, const nytp_call_event *part);

/* Adds a span that ends; of a request, its parts were added. */
void nytp_span_trees_add(nytp_span_trees *trees, const nytp_span_time *span, uint64_t number);

/* Returns the trees, nytp_span_tree, the slowest of all first. They belong to trees, to which none is added
 * from here on. */
const GArray *nytp_span_trees_get(nytp_span_trees *trees);
