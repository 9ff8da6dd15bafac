/* What calls had themselves, by caller, callee and line of the caller. */
#pragma once

#include "calls/sub_waits.h"
#include "model/records.h"

typedef struct nytp_own_sum {
    nytp_sub_wait waited; /* of time; or of memory, */
    uint32_t samples;     /* of how many bytes are an estimate, */
    double variance;      /* and its own */
} nytp_own_sum;

typedef struct nytp_arc_sums nytp_arc_sums;

/* names are those of the events whose calls are added. They stay the caller's. */
nytp_arc_sums *nytp_arc_sums_new(nytp_names *names);
void nytp_arc_sums_free(nytp_arc_sums *sums); /* NULL is fine */

/* Takes how long the calls of these events waited from here on, if they have times. */
void nytp_arc_sums_take(nytp_arc_sums *sums, nytp_events *events);

/* Adds a call; also one that has nothing itself, since it may have called others. */
void nytp_arc_sums_add(nytp_arc_sums *sums, const nytp_call_event *call, const nytp_own_sum *own);

/* Change the numbers of callers and callees from those of names: first to those of the profile's subs, whose
 * evals must not have been merged; then to those that nytp_profile_move_evals() has returned. No calls can be
 * added any more. */
void nytp_arc_sums_by_sub(nytp_arc_sums *sums, const nytp_profile *profile);
void nytp_arc_sums_move(nytp_arc_sums *sums, const uint32_t *moved);

/* After nytp_arc_sums_by_sub(): returns what the calls of an arc of the profile had; they waited at most
 * excl_s. What it returns is another arc's no more, since arcs may differ in their files alone. */
nytp_own_sum nytp_arc_sums_of(nytp_arc_sums *sums, const nytp_arc *arc, double excl_s);
