/* The filters that options ask for. */
#pragma once

#include "events/moment.h"
#include "format/runs.h"
#include "nytprof.h"

#include <stdbool.h>

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
    const char *span; /* leave out what is not within a span of that name (find_spans.h); NULL: of any */
    nytp_slowest slowest;
    struct nytp_spans *spans; /* those that were found; the filter frees them */
    struct nytp_filter *sums; /* sums up the calls that are left (calls/sum_calls.h), and is freed with the
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
