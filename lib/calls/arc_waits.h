/* How long calls waited (events/waited.h), by caller, callee and line: what the callee was asleep and queued
 * itself. */
#pragma once

#include "calls/sub_waits.h"
#include "model/records.h"

typedef struct nytp_arc_waits nytp_arc_waits;

/* names are those of the events whose calls are added. They stay the caller's. */
nytp_arc_waits *nytp_arc_waits_new(nytp_names *names);
void nytp_arc_waits_free(nytp_arc_waits *waits); /* NULL is fine */

/* Takes the calls of these events from here on, if they have times. */
void nytp_arc_waits_take(nytp_arc_waits *waits, nytp_events *events);

/* Adds a call that has waited so long itself; also one that has not, since it may have called others. */
void nytp_arc_waits_add(nytp_arc_waits *waits, const nytp_call_event *call, nytp_sub_wait own);

/* Change the numbers of callers and callees from those of names: first to those of the profile's subs, whose
 * evals must not have been merged; then to those that nytp_profile_move_evals() has returned. No calls can be
 * added any more. */
void nytp_arc_waits_by_sub(nytp_arc_waits *waits, const nytp_profile *profile);
void nytp_arc_waits_move(nytp_arc_waits *waits, const uint32_t *moved);

/* After nytp_arc_waits_by_sub(): returns how long the calls of an arc of the profile waited, at most excl_s.
 * What it returns is another arc's no more, since arcs may differ in their files alone. */
nytp_sub_wait nytp_arc_waits_of(nytp_arc_waits *waits, const nytp_arc *arc, double excl_s);
