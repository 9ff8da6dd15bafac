/* What each process of profiles took: its time, and how much of that it waited (model/waits.h). Of profiles
 * of memory it is their bytes, of which none waited. */
#pragma once

#include "events/events.h"

typedef struct nytp_process_time {
    double whole_s;   /* what 100 % means (model/whole.h) */
    double waiting_s; /* -1: not known, as without built-ins, or if calls of processes were added up */
} nytp_process_time;

typedef struct nytp_process_times nytp_process_times;

nytp_process_times *nytp_process_times_new(void);
void nytp_process_times_free(nytp_process_times *times); /* NULL is fine */

/* Takes the calls and times of these events from here on. names are those of the events. */
void nytp_process_times_take(nytp_process_times *times, const nytp_names *names, nytp_events *events);

/* Returns the time of a process, by its index in the sum of the profiles (nytp_profile_process()). */
nytp_process_time nytp_process_times_get(const nytp_process_times *times, size_t process);

/* How a process ended, in one or two words: "ended", "cut" if its profile had no end when it was merged, or
 * "no end" if its profile has none. */
const char *nytp_process_end(const nytp_process *process);
