/* Points of time in the run of a program, as people write them, and stretches of time between two of them. */
#pragma once

#include <stdbool.h>

enum nytp_moment_kind {
    NYTP_NO_MOMENT,   /* none was given */
    NYTP_SHARE,       /* percent of the run, from its first moment to its last one */
    NYTP_SINCE_BEGIN, /* seconds since the first process began */
    NYTP_TIME_OF_DAY, /* seconds since midnight in the reader's time zone */
    NYTP_DATE         /* seconds since 1970 */
};

typedef struct nytp_moment {
    enum nytp_moment_kind kind;
    double s; /* seconds, or percent */
} nytp_moment;

typedef struct nytp_stretch {
    nytp_moment from, to;
    const char *text; /* as it was written; NULL if there is none */
} nytp_stretch;

/* Reads FROM..TO, of which either may be missing. Each is seconds since the begin, as 3.2, 3.2s, 250ms or
 * 1h2m3s, or a share of the run, as 10%, or a time of day, as 14:03:05.2, which a date may precede, as
 * 2026-11-26T14:03. The stretch keeps text. Returns NULL, or what is wrong. */
const char *nytp_stretch_read(const char *text, nytp_stretch *stretch);

/* Returns whether it has an end. */
bool nytp_stretch_is_given(const nytp_stretch *stretch);

/* Returns whether a time in seconds since 1970 can be one of a clock: profiles that have none begin at 0. */
bool nytp_is_date(double time_s);

/* Returns whether an end is a share of the run. */
bool nytp_stretch_has_shares(const nytp_stretch *stretch);

/* Makes such ends seconds since the begin, given the length of the run. */
void nytp_stretch_set_length(nytp_stretch *stretch, double length_s);

/* Returns whether an end is a time of day or a date. */
bool nytp_stretch_needs_day(const nytp_stretch *stretch);

/* Stores the ends of a stretch, which has no shares, in seconds since the first process began, which was at
 * that time, in seconds since 1970; -INFINITY and INFINITY if they are missing. A time of day is the one that
 * is nearest to that begin; the end is not before the begin. Returns false if there is a time of day, but
 * begin_s is none. */
bool nytp_stretch_since(const nytp_stretch *stretch, double begin_s, double *from_s, double *to_s);
