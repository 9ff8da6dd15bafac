/* The first line of programs about times: what a time is made of. */
#pragma once

#include "calls/process_times.h"
#include "export/amount.h"

#include "nytprof-model.h"

#include <stdbool.h>

/* Parts that do not overlap, in ticks. */
typedef struct nytp_time_parts {
    double time_ticks;     /* of the profile: work, queued and asleep */
    double asleep_ticks;   /* of that; -1: not known */
    double queued_ticks;   /* of that; 0 if it was not measured */
    double profiler_ticks; /* besides: the profiler's own time */
    bool is_measured;      /* otherwise subs that wait by their names were asleep */
} nytp_time_parts;

/* Returns those of a profile. */
nytp_time_parts nytp_profile_time_parts(const nytp_profile *profile);

/* Returns those of the sum of processes, in whole ticks, so that they do not depend on the order of
 * processes. */
nytp_time_parts nytp_time_parts_of_processes(const nytp_process_times *times, double ticks_per_base);

/* One of them, and its name. */
typedef struct nytp_time_part {
    double ticks;
    const char *name; /* "work" */
} nytp_time_part;

enum { NYTP_TIME_PARTS = 4 };

/* Sets those that are not 0, and the first, work, whatever it is. Returns how many they are. */
size_t nytp_time_parts_list(const nytp_time_parts *parts, nytp_time_part list[NYTP_TIME_PARTS]);

/* "337 ms = 33.4 ms work + 16.1 ms queued + 179 ms asleep + 108 ms profiler". What is 0 is left out; of one
 * part, so is the sum. Free it with g_free(). */
char *nytp_time_parts_text(const nytp_time_parts *parts, const nytp_measure *measure);
