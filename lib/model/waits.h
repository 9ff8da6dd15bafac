/* How long a program was off its processor: asleep, as it waited for something else, and queued, as it could
 * run and others did (doc/format.md). Where that is not measured, it is the own time of subs that wait by
 * their names: built-ins, and xsubs of modules and event loops. */
#pragma once

#include "format/marks.h"
#include "model/records.h"
#include "nytprof-model.h"

#include <math.h>

typedef struct nytp_waited {
    double asleep_ticks, queued_ticks;
} nytp_waited;

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
static inline nytp_waited nytp_waited_within(nytp_waited waited, double ticks)
{
    const double all_ticks = nytp_waited_ticks(waited);
    return all_ticks <= ticks ? waited : nytp_waited_scaled(waited, fmax(ticks, 0) / all_ticks);
}

/* What a time was spent on. */
typedef struct nytp_spent {
    double work_ticks, asleep_ticks, queued_ticks;
} nytp_spent;

static inline nytp_spent nytp_spent_of(double ticks, nytp_waited waited)
{
    const double all_ticks = fmax(ticks, 0);
    const nytp_waited within = nytp_waited_within(waited, all_ticks);
    return (nytp_spent){all_ticks - nytp_waited_ticks(within), within.asleep_ticks, within.queued_ticks};
}

/* Return what marks say: of the time before, and of the next sample, as shares of it. */
nytp_waited nytp_waited_of(const nytp_mark *mark);
nytp_waited nytp_waited_share(const nytp_mark *state);

/* How long a line waited, with the calls that it made of subs that have no statements. */
typedef struct nytp_line_waited {
    uint32_t fid, line;
    nytp_waited waited;
} nytp_line_waited;

/* Whether a process of the profile says how long it waited; otherwise it goes by the names of subs. */
bool nytp_profile_measures_waits(const nytp_profile *profile);

/* Returns how long its processes waited. By names, asleep_ticks is -1 if subs that wait were not recorded. */
nytp_waited nytp_profile_waited(const nytp_profile *profile);

/* For nytp_records_add(). */
void nytp_line_waited_join(void *into, const void *record);

/* Returns nytp_line_waited for all lines that waited. The caller must call nytp_records_clear(). */
nytp_records nytp_profile_line_waits(const nytp_profile *profile);

/* Returns at most so many ticks of how long a line waited. */
nytp_waited nytp_line_waits_at(const nytp_records *waits, uint32_t fid, uint32_t line, double ticks);

/* Returns whether the sub waits, by its name, which may have a label. A sub that calls one that waits does
 * not. */
bool nytp_waits_by_name(nytp_str name);

/* Returns whether it waits until there is something to do: for clients, events, or children that end. */
bool nytp_idles_by_name(nytp_str name);

/* Returns whether some of the profile's time was spent in subs that wait. A profile of memory has no time. */
bool nytp_profile_waits(const nytp_profile *profile);
