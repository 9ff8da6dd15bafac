/* Filters of a profile: each takes events and chunks, and passes on those that are left, changed or made.
 *
 *     reader [no-labels] -> [process] -> [call places] -> [range] -> [span] -> [kinds] -> [no-wait]
 *     -> [sums] -> [evals] -> what reads the profile
 *
 * What reads a profile calls nytp_reader_next() as without filters, and sees a profile in which the other
 * things have not happened. nytp_filters_read_events() does the same in the fast loop of runs.h. A filter
 * knows neither what comes before it nor what reads. filters.c has the order.
 *
 * Sums of calls (SUB_CALLERS) that a profile has are those of all its calls, so filters leave them out, but
 * for the marks of xsubs. If they are read, they are made from the calls that are left (calls/derive_arcs.h).
 */
#pragma once

#include "base/str.h"
#include "events/clock.h"
#include "events/filters.h"
#include "format/marks.h"
#include "format/runs.h"

#include <glib.h>

typedef struct nytp_filter nytp_filter;

/* Times in which a filter needs no look at each statement: it passes all of them, or none. */
typedef struct nytp_lane {
    nytp_process_clock *clock;
    double from, to; /* ticks: those between them, without both */
    bool passes;     /* all */
    bool is_clear;   /* if it passes statements, nothing is to be passed before the next one */
} nytp_lane;

typedef struct nytp_filter_type {
    /* Each takes what comes next, and calls the nytp_filter_pass_...() for what there is in its place. A
     * statement comes `times` times in a row; NULL if all are only passed on. Chunks are all others;
     * DISCOUNTs are part of their statements. */
    void (*statement)(nytp_filter *filter, const nytp_statement *statement, uint64_t times);
    void (*returned)(nytp_filter *filter, const nytp_return *returned);
    void (*chunk)(nytp_filter *filter, const nytp_chunk *chunk);
    /* Called at the end of a profile, whole or cut: passes on what was held back. NULL if nothing ever is. */
    void (*end)(nytp_filter *filter);
    void (*clear)(nytp_filter *filter); /* frees its members; NULL if it has none */
    /* Return what nytp_filters_missing() and nytp_filters_wrong() do. NULL if nothing can be missing or
     * wrong. */
    char *(*missing)(const nytp_filter *filter);
    char *(*wrong)(const nytp_filter *filter);
    /* Returns whether the filter would pass on all that comes as it is, until a chunk comes that is not an
     * event. NULL: never. */
    bool (*passes_all)(const nytp_filter *filter);
    bool may_be_idle; /* at times it only passes statements on: it sets is_idle */
} nytp_filter_type;

/* The first member of each filter's struct. */
struct nytp_filter {
    const nytp_filter_type *type;
    nytp_filter *next;
    uint32_t tags;   /* chunks that it needs, besides those that are read; an attribute may change them */
    nytp_lane *lane; /* NULL if the filter needs each statement */
    const struct nytp_known_subs *subs; /* those of all filters of a reader */
    bool is_idle;          /* it would only pass on the statements that come before anything else */
    double left_out_ticks; /* of the current profile: the time of calls that it did not pass on, if it is
                              known */
};

/* Returns a number of ticks: the next statements are in the lane as long as their sum is less. None of them
 * may take less than 0. */
static inline uint64_t nytp_lane_left(const nytp_lane *lane)
{
    const double now_ticks = lane->clock->statement_ticks, left_ticks = lane->to - now_ticks;
    if (!lane->is_clear || lane->clock->has_ended || now_ticks <= lane->from || left_ticks <= 0)
        return 0;
    return left_ticks < UINT32_MAX ? (uint64_t)left_ticks : UINT32_MAX;
}

/* Whether a statement is in the lane. If so, the clock has its time now. */
static inline bool nytp_lane_takes(const nytp_lane *lane, double ticks)
{
    const double begin_ticks = lane->clock->statement_ticks, end_ticks = begin_ticks + ticks;
    if (!lane->is_clear || lane->clock->has_ended || begin_ticks <= lane->from || end_ticks <= lane->from ||
        begin_ticks >= lane->to || end_ticks >= lane->to)
        return false;
    nytp_clock_add_statements(lane->clock, ticks);
    return true;
}

/* Returns the first filter from that one on that looks at statements. The last of all does. */
static inline nytp_filter *nytp_filter_that_looks(nytp_filter *filter)
{
    while (filter->type->statement == NULL)
        filter = filter->next;
    return filter;
}

/* Pass on what is left. A return has its sub. Strings must stay valid until the next event or chunk is taken;
 * texts of attributes until the function returns. */
static inline void nytp_filter_pass_statement(const nytp_filter *filter, const nytp_statement *statement,
                                              uint64_t times)
{
    nytp_filter *next = nytp_filter_that_looks(filter->next);
    next->type->statement(next, statement, times);
}

static inline void nytp_filter_pass_return(const nytp_filter *filter, const nytp_return *returned)
{
    filter->next->type->returned(filter->next, returned);
}

static inline void nytp_filter_pass(const nytp_filter *filter, const nytp_chunk *chunk)
{
    filter->next->type->chunk(filter->next, chunk);
}

/* Passes on a mark. */
static inline void nytp_filter_pass_mark(const nytp_filter *filter, const nytp_mark *mark)
{
    nytp_mark_text text;
    nytp_mark_write(mark, &text);
    nytp_filter_pass(filter, &text.chunk);
}

/* Returns whether a SUB_CALLERS only says that the sub is an xsub or built-in. */
static inline bool nytp_is_xsub_mark(const nytp_chunk *chunk)
{
    return chunk->sub_callers.count == 0 && chunk->sub_callers.caller.length == 0;
}

/* Each of these functions returns a new filter, or NULL if the options do not ask for it. */
nytp_filter *nytp_filter_process_new(const nytp_filter_options *options);
nytp_filter *nytp_filter_call_places_new(const nytp_filter_options *options);
nytp_filter *nytp_filter_range_new(const nytp_filter_options *options);
nytp_filter *nytp_filter_span_new(const nytp_filter_options *options);
nytp_filter *nytp_filter_kinds_new(const nytp_filter_options *options);
nytp_filter *nytp_filter_no_wait_new(const nytp_filter_options *options);
nytp_filter *nytp_filter_evals_new(const nytp_filter_options *options);

/* The end of the filters: gives what they pass on to the functions that read a run, or else keeps it as
 * chunks until it is read. A chunk or a part of a call that is passed on in a run is kept, and what follows
 * it. */

typedef struct nytp_filter_queue {
    nytp_filter filter;
    bool in_run;
    nytp_on_statement_fn *on_statement; /* these three during a run */
    nytp_on_return_fn *on_return;
    void *context;
    uint32_t wanted;     /* tags of the chunks that the reader wants */
    GArray *chunks;      /* those that are kept */
    GStringChunk *texts; /* of attributes */
    guint next;          /* index of the one to deliver */
    uint64_t offset;     /* of the chunk that the filters take */
} nytp_filter_queue;

/* The filter's next one stays NULL. The caller must call nytp_filter_queue_clear(). */
nytp_filter_queue nytp_filter_queue_new(void);
void nytp_filter_queue_clear(nytp_filter_queue *queue);

/* Forgets the chunks. wanted: tags of those that the reader wants from here on. */
void nytp_filter_queue_empty(nytp_filter_queue *queue, uint32_t wanted);

/* Whether there are chunks, read or not. */
static inline bool nytp_filter_queue_has_some(const nytp_filter_queue *queue)
{
    return queue->chunks->len > 0;
}

/* Whether all of them were delivered. */
static inline bool nytp_filter_queue_is_read(const nytp_filter_queue *queue)
{
    return queue->next == queue->chunks->len;
}

/* Whether statements and calls are given to the functions of a run. */
static inline bool nytp_filter_queue_gives(const nytp_filter_queue *queue)
{
    return queue->in_run && !nytp_filter_queue_has_some(queue);
}

/* Returns whether nothing looks at the statements that the filter passes on. */
static inline bool nytp_filter_passes_unseen(const nytp_filter *filter)
{
    const nytp_filter *looks = nytp_filter_that_looks(filter->next);
    return looks->next == NULL && (((const nytp_filter_queue *)looks)->wanted & NYTP_TIMES) == 0;
}

/* Sets *chunk to the next one, which is there. */
void nytp_filter_queue_deliver(nytp_filter_queue *queue, nytp_chunk *chunk);
