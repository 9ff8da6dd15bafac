/* The filters that options ask for. */
#pragma once

#include "nytprof.h"

#include "format/runs.h"

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

/* When a run began, and how long it took, which take a reading of their own. What is wrong with a profile
 * ends that; reading it again reports it. */

/* Returns when the first process of a merged profile began, in seconds since 1970, whichever comes first in
 * it; 0 if the profile is another one: the first process is then the first that comes. */
double nytp_run_begin_s(nytp_reader *reader);

/* Returns the time from the begin of the first process to the last moment of any, by the clocks of processes
 * (clock.h): the longest of the profiles of the reader. */
double nytp_run_length_s(nytp_reader *reader);

/* How many of the slowest spans are chosen. */
typedef struct nytp_slowest {
    double count; /* 0: all */
    bool is_percent;
    bool is_none; /* none of this file: those of others are slower */
} nytp_slowest;

typedef struct nytp_filter_options {
    bool no_wait;       /* leave out the time in which the program was asleep */
    bool work;          /* and that in which it was queued for a processor */
    bool no_labels;     /* subs with labels are their bases */
    bool evals;         /* string evals are calls of the line that runs them */
    bool kinds;         /* what memory is for is a call where it was allocated */
    uint32_t process;   /* leave out processes with other numbers; 0: none */
    nytp_stretch range; /* leave out what is not in it; no ends: nothing */
    double begin_s; /* of the first process, in seconds since 1970, if another one comes before it; else 0 */
    const char *span; /* leave out what is not within a span of that name; NULL: of any */
    nytp_slowest slowest;
    struct nytp_spans *spans; /* those that were found; the filter frees them */
    struct nytp_filter *sums; /* sums up the calls that are left (calls/derive_arcs.h), and is freed with the
                                 others; NULL if sums are not read */
} nytp_filter_options;

/* Returns whether the options choose spans, which must be found before the profile is read. */
static inline bool nytp_filters_choose_spans(const nytp_filter_options *options)
{
    return options->span != NULL || options->slowest.count > 0;
}

/* Returns whether the options leave out events, so that sums in the profile are of more than what is left. */
bool nytp_filters_leave_out_events(const nytp_filter_options *options);

/* Has a reader that has not been read from deliver what the filters pass on. The filters are freed with the
 * reader. Returns 0, or NYTP_ERR_MEMORY. */
int nytp_filters_attach(const nytp_filter_options *options, nytp_reader *reader);

/* nytp_read_events() (format/runs.h) of what the filters of a reader pass on; the reader must have some. Its
 * functions are not inlined. Stops at parts of calls, too. Not for profiles made of samples. */
size_t nytp_filters_read_events(nytp_reader *reader, nytp_on_statement_fn *on_statement,
                                nytp_on_return_fn *on_return, void *context);

/* The loop in which sinks read statements and returns: with filters or without. Call it in a function that is
 * not inlined, so that the loop has all registers. */
__attribute__((always_inline)) static inline size_t nytp_read_run(nytp_reader *reader,
                                                                  nytp_on_statement_fn *on_statement,
                                                                  nytp_on_return_fn *on_return, void *context)
{
    return nytp_reader_is_filtered(reader)
               ? nytp_filters_read_events(reader, on_statement, on_return, context)
               : nytp_read_events(reader, on_statement, on_return, context);
}

/* Returns what the options name and what has been read of all profiles has not, such as "no process 7", in
 * a text that the caller must g_free(); NULL if it has all. */
char *nytp_filters_missing(const nytp_reader *reader);

/* Returns why what was read is not what the options ask for, such as "has only sums of its calls", in a text
 * that the caller must g_free(); NULL if it is. */
char *nytp_filters_wrong(const nytp_reader *reader);

/* Returns whether the sums of calls are those that a filter makes: all are there, also of a profile that was
 * cut. */
bool nytp_filters_sum_calls(const nytp_reader *reader);

/* Returns how much time of calls the filters have left out of the current profile. Time of whole processes
 * does not count. */
double nytp_filters_left_out_ticks(const nytp_reader *reader);
