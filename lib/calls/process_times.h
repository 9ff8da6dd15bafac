/* What each process of profiles took: its time, and how much of that it waited (events/waited.h). Of profiles
 * of memory it is their bytes, of which none waited. */
#pragma once

#include "events/events.h"

typedef struct nytp_process_time {
    double whole_s;   /* what 100 % means (model/whole.h) */
    double asleep_s;  /* -1: not known, as without built-ins, or if calls of processes were added up */
    double queued_s;  /* for a processor; 0 if it was not measured */
    bool is_measured; /* otherwise subs that wait by their names were asleep */
} nytp_process_time;

/* Returns how long it worked; -1 if that is not known. */
static inline double nytp_process_work_s(nytp_process_time time)
{
    return time.asleep_s < 0 ? -1 : time.whole_s - time.asleep_s - time.queued_s;
}

typedef struct nytp_process_times nytp_process_times;

nytp_process_times *nytp_process_times_new(void);
void nytp_process_times_free(nytp_process_times *times); /* NULL is fine */

/* Takes the calls and times of these events from here on. */
void nytp_process_times_take(nytp_process_times *times, nytp_events *events);

/* Returns the time of a process, by its index in the sum of the profiles (nytp_profile_process()). */
nytp_process_time nytp_process_times_get(const nytp_process_times *times, size_t process);

/* Returns the sum of all of them. It is measured if that of each is, and asleep_s is -1 if that of one is. */
nytp_process_time nytp_process_times_sum(const nytp_process_times *times);

/* Returns the profiler's own time of all of them, which their times do not have. */
double nytp_process_times_profiler_s(const nytp_process_times *times);

/* Returns when the first process began; 0 without processes. */
double nytp_processes_begin_s(const nytp_profile *profile);

/* Whether the samples of a process came so late that the time without them is worth a column. */
bool nytp_processes_lost_any(const nytp_profile *profile);

/* How a process ended, in one or two words: "ended", "cut" if its profile had no end when it was merged, or
 * "no end" if its profile has none. */
const char *nytp_process_end(const nytp_process *process);
