/* The state of slices of time, for time_slices.c and slice_calls.c. */
#pragma once

#include "calls/time_slices.h"
#include "events/divide_calls.h"
#include "events/levels.h"
#include "model/grow.h"

#include <math.h>

/* The ends of slices that the clock of a process has passed, in order. */
typedef struct nytp_slice_ends {
    GArray *ticks;   /* double: what the clock said */
    GArray *times_s; /* double: when that was, since the origin of the slices */
} nytp_slice_ends;

static inline nytp_slice_ends nytp_slice_ends_new(void)
{
    return (nytp_slice_ends){NYTP_ARRAY(double), NYTP_ARRAY(double)};
}

static inline void nytp_slice_ends_free(nytp_slice_ends *ends)
{
    g_array_free(ends->ticks, TRUE);
    g_array_free(ends->times_s, TRUE);
}

/* A process begins. */
static inline void nytp_slice_ends_reset(nytp_slice_ends *ends)
{
    g_array_set_size(ends->ticks, 0);
    g_array_set_size(ends->times_s, 0);
}

static inline void nytp_slice_ends_add(nytp_slice_ends *ends, double ticks, double time_s)
{
    g_array_append_val(ends->ticks, ticks);
    g_array_append_val(ends->times_s, time_s);
}

static inline guint nytp_slice_ends_count(const nytp_slice_ends *ends)
{
    return ends->ticks->len;
}

/* Returns how many of them are before a time, which usually is after the last one. */
static inline guint nytp_slice_ends_before(const nytp_slice_ends *ends, double ticks)
{
    const guint count = nytp_slice_ends_count(ends);
    return count == 0 || nytp_end_at(ends->ticks, count - 1) < ticks ? count
                                                                     : nytp_ends_before(ends->ticks, ticks);
}

/* Calls of one depth that have returned, and wait for the return of their caller. */
typedef struct nytp_slice_level {
    nytp_divided_level all;
    uint32_t caller;   /* its node; 0: it has none yet */
    double last_ticks; /* what the clock said when the last one returned: the next one did not begin before */
    /* Of string evals, whose calls are among those above: their own time, and what of it was before ends. */
    double eval_ticks;
    GArray *eval_before; /* as before */
} nytp_slice_level;

struct nytp_time_slices {
    nytp_events *events;
    nytp_slice_stacks stacks;
    nytp_slice_places places;
    nytp_slice_cells calls, statements;
    nytp_memory_curve memory;
    nytp_profile *profile;
    /* slices, counted from when the first process began */
    bool has_begun, is_given_up;
    double origin_s, width_s;
    double end_s;        /* the last moment of any process, since the origin */
    int64_t first, last; /* of those that have something */
    int64_t most;
    /* of the current process */
    uint32_t processes; /* how many have begun */
    double start_s;     /* since the origin */
    double ticks_per_sec;
    double mark_ticks;      /* what the clock said at the last mark */
    double uncounted_ticks; /* how much had not been counted there */
    int64_t now;            /* the current slice */
    double next_ticks;      /* what the clock will say when it ends */
    nytp_waited waited;     /* of the next statement */
    nytp_slice_ends ends;
    nytp_levels levels;
};

/* Whether it is known when something happens. */
static inline bool nytp_slices_are_taken(const nytp_time_slices *s)
{
    return s->has_begun && !s->is_given_up;
}

static inline uint32_t nytp_slices_process(const nytp_time_slices *s)
{
    return MAX(s->processes, 1) - 1;
}

/* Returns the slice before an end that the clock has passed. Several slices may have become one since. */
static inline int64_t nytp_slices_before(const nytp_time_slices *s, guint end)
{
    return (int64_t)ceil(g_array_index(s->ends.times_s, double, end) / s->width_s) - 1;
}

/* A level is forgotten. */
void nytp_slice_level_clear(void *level_);

/* Adds a call that returns when the clock says so: what it had itself before the current slice, to earlier
 * ones. */
void nytp_slices_add_call(nytp_time_slices *s, const nytp_call_event *call, double now_ticks);

/* Moves the calls that the current slice has to cells. */
void nytp_slices_end_calls(nytp_time_slices *s);
