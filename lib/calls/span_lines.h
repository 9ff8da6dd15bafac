/* The lines of single spans, which have no place in the stream where they begin: the statements that ended
 * last before a span's end, as long as the span took. The statement that its begin divides is divided, and
 * its runs count if it ended in the span; of several runs of one line in a row, which are one entry, so many
 * as have their share of the time.
 *
 * The statement in which a span ends is written after it. It ends with the span if a caller of the span
 * returns then, and is taken to come after the span elsewhere, so times are exact to that statement.
 */
#pragma once

#include "calls/calltree.h"
#include "calls/slice_places.h"
#include "events/events.h"

typedef struct nytp_span_line {
    uint32_t place; /* a number of nytp_span_lines_places() */
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
