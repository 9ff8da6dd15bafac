/* How long calls waited (model/waits.h). In profiles of the collector, marks say it, each of a call that goes
 * on and waited itself; in samples, `state` says it of the next one. In a process that has neither, a call
 * was asleep if its sub waits by its name. */
#pragma once

#include "events/levels.h"
#include "model/waits.h"

#include <stdbool.h>

enum nytp_wait { NYTP_ASLEEP, NYTP_QUEUED, NYTP_WAITS };

static inline double nytp_waited_by(nytp_waited waited, enum nytp_wait wait)
{
    return wait == NYTP_ASLEEP ? waited.asleep_ticks : waited.queued_ticks;
}

typedef struct nytp_call_waited {
    nytp_waited own, incl; /* itself, and with the calls that it made; at most its times */
} nytp_call_waited;

/* What is known of the calls that go on in a process. */
typedef struct nytp_waits {
    bool are_measured;  /* the process has marks, or its samples have */
    bool knows_samples; /* the profile's samples have */
    nytp_waited sample; /* shares of the next sample */
    nytp_levels levels;
} nytp_waits;

nytp_waits nytp_waits_new(void);
void nytp_waits_clear(nytp_waits *waits);

/* A process begins, or a profile ends. */
void nytp_waits_reset(nytp_waits *waits);
void nytp_waits_end_profile(nytp_waits *waits);

/* The call at that depth, 0 outside of calls, waited itself. */
void nytp_waits_add(nytp_waits *waits, uint32_t depth, nytp_waited waited);

/* Takes what `state` says of the next sample. */
void nytp_waits_note_state(nytp_waits *waits, const nytp_mark *mark);

/* Returns how long the sample waited of which that was said. */
nytp_waited nytp_waits_take_sample(nytp_waits *waits, double ticks);

/* A call returns. */
nytp_call_waited nytp_waits_leave(nytp_waits *waits, uint32_t depth, double incl_ticks, double excl_ticks);
