/* How long calls were off their processor: asleep, as they waited for something else, and queued, as they
 * could run and others did (doc/format.md).
 *
 * Marks of the collector say it (`waited`), and of samples `state`, each of a call that goes on and has it
 * itself. A process that has neither was profiled by a collector that does not measure it. There, the own
 * time of a call that waits by its name (model/waits.h) is asleep.
 */
#pragma once

#include "events/levels.h"
#include "format/marks.h"

#include <stdbool.h>

typedef struct nytp_waited {
    double asleep_ticks, queued_ticks;
} nytp_waited;

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

static inline double nytp_waited_ticks(nytp_waited waited)
{
    return waited.asleep_ticks + waited.queued_ticks;
}

static inline void nytp_waited_add(nytp_waited *sum, nytp_waited more)
{
    sum->asleep_ticks += more.asleep_ticks;
    sum->queued_ticks += more.queued_ticks;
}

static inline nytp_waited nytp_waited_scaled(nytp_waited waited, double scale)
{
    return (nytp_waited){waited.asleep_ticks * scale, waited.queued_ticks * scale};
}

/* Returns at most so many ticks of it. */
nytp_waited nytp_waited_within(nytp_waited waited, double ticks);

/* Returns what a mark says. */
nytp_waited nytp_waited_of(const nytp_mark *mark);

/* The call at that depth, 0 outside of calls, waited itself. */
void nytp_waits_add(nytp_waits *waits, uint32_t depth, nytp_waited waited);

/* Takes what `state` says of the next sample. */
void nytp_waits_note_state(nytp_waits *waits, const nytp_mark *mark);

/* Returns how long the sample waited of which that was said. */
nytp_waited nytp_waits_take_sample(nytp_waits *waits, double ticks);

/* A call returns. */
nytp_call_waited nytp_waits_leave(nytp_waits *waits, uint32_t depth, double incl_ticks, double excl_ticks);
