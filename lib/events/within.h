/* Leaves out what did not happen within some intervals of time, by the clock of each process (clock.h). It is
 * what --range and --span share; they say which intervals.
 *
 * A statement or call that an end of an interval divides is divided (divide_calls.h), so that intervals into
 * which a run is cut add up to it. It counts where it ends, and a request where it begins; elsewhere they
 * have time alone.
 *
 * A process that has nothing within the intervals is left out, so its PID_START is held back until something
 * is passed. It begins with the first interval, and ends with the last one. Marks (clock.h) say when the
 * others began, and what was not counted within them.
 */
#pragma once

#include "events/divide_calls.h"
#include "events/filter.h"
#include "events/held.h"
#include "events/levels.h"
#include "events/requests.h"
#include "events/waited.h"
#include "model/measure.h"

typedef struct nytp_within nytp_within;

typedef struct nytp_within_type {
    /* Adds the ends of the intervals of the process that begins to ends and instants: begin and end of the
     * first one, of the second one, and so on, in order. An interval does not have its begin. */
    void (*find_ends)(nytp_within *within);
    bool is_by_time; /* only their times are known, and ends are these until marks say what the clock says */
    char *(*missing)(const nytp_within *within); /* as in nytp_filter_type, if nothing was passed */
    char *(*wrong)(const nytp_within *within);   /* as in nytp_filter_type; may be NULL */
    void (*clear)(nytp_within *within);          /* NULL if there is nothing to free */
    /* Returns whether the call that returns is wholly within an interval, and all others are not. NULL: the
     * clock says that, which is exact to the statement that runs. */
    bool (*has_call)(nytp_within *within);
    /* Returns whether a string eval may be wholly within an interval that ends now, and began when `depth`
     * calls went on. NULL if has_call is. */
    bool (*may_have_eval)(const nytp_within *within, uint32_t depth);
} nytp_within_type;

/* Time that was not counted. */
typedef struct nytp_gap {
    bool is_due;
    double true_ticks;    /* since the process began, at its end */
    double idle_ticks;    /* how much passed at once */
    double off_ticks;     /* how much passed while recording was off */
    double counted_ticks; /* how much of the intervals the clock had counted, */
    uint32_t depth;       /* and how many calls went on there */
} nytp_gap;

/* The first member of each filter's struct. */
struct nytp_within {
    nytp_filter filter;
    const nytp_within_type *type;
    double ticks_per_sec;
    nytp_measure measure;
    bool is_sampled;
    bool has_begin; /* a process of the profile has begun */
    bool is_first;  /* the current process is the first one of the profile */
    bool some_passed;
    double begin_s;                 /* of the first process of the profile, in seconds since 1970 */
    double given_begin_s;           /* that, if it is known before; else 0 */
    double end_s;                   /* of the process that ended last, since begin_s, by its clock */
    double kept_ticks, total_ticks; /* of the processes of the profile that have ended */
    char overhead[32];              /* value of the attribute that is passed on */
    /* of the current process */
    nytp_chunk start;     /* its PID_START */
    double start_s;       /* since begin_s */
    bool is_held;         /* start was not passed on */
    nytp_mark waits;      /* that it is measured how long it waits; count 0 if it is not */
    nytp_mark coroutine;  /* of the one that runs; count 0 if it is not known */
    GArray *ends;         /* double: what its clock says at them, as far as is known */
    GArray *instants;     /* nytp_instant, for each of them */
    double first_ticks;   /* when the first interval began */
    nytp_gap gap;         /* what a mark is to say before the next event that is passed */
    GHashTable *requests; /* uint64_t *: ids of those of which parts were passed on */
    nytp_mark memory;     /* the last one of the intervals, while start is held; count 0 if there is none */
    guint passed;         /* how many of them its clock has passed */
    nytp_process_clock clock;
    nytp_lane lane;    /* between which ends the clock is; passes if that is an interval */
    guint interval;    /* how many ends are before the lane */
    double last_ticks; /* what the clock said when the last call or eval ended */
    nytp_held_entries entries;
    nytp_held_evals evals;
    GArray *waited;  /* nytp_mark: how long the next statement or return waited */
    nytp_mark state; /* of the next sample; count 0 if it has none */
};

/* Makes a filter of a struct that is all 0. */
nytp_filter *nytp_within_init(nytp_within *within, const nytp_within_type *type);

/* What is left of statements and calls (within_pass.c). */

/* The filter takes a statement so many times, or a return, and passes on what is left of it. */
void nytp_within_pass_statement(nytp_filter *filter, const nytp_statement *statement, uint64_t times);
void nytp_within_pass_return(nytp_filter *filter, const nytp_return *returned);

/* To be called before something of the process is passed on. */
void nytp_within_pass_process(nytp_within *w);

/* The clock passes the ends before that time. */
void nytp_within_pass_ends(nytp_within *w, double ticks);

/* Notes between which ends the clock is. */
void nytp_within_find_interval(nytp_within *w);

/* The clock of what a range or spans leave of a process (within.h): when it begins, and the marks that say
 * how much time has passed between its intervals, and within them without being counted.
 */

/* Returns the time of day of an end; time_s if there is none, or it is before or after all times. */
double nytp_within_time_of_end(const nytp_within *within, guint end, double time_s);

/* The clock passes the begin of an interval. */
void nytp_within_begin_interval(nytp_within *within, guint end);

/* The clock has taken a mark. grown_ticks: how much more time was not counted than was known before. So the
 * clock will come later to the ends that it has not passed. */
void nytp_within_take_mark(nytp_within *within, double grown_ticks);

/* Use nytp_within_pass_mark(). */
void nytp_within_pass_due_mark(nytp_within *within);

/* Passes a mark, if one is due, on the process, which has been passed on. */
static inline void nytp_within_pass_mark(nytp_within *within)
{
    if (within->gap.is_due)
        nytp_within_pass_due_mark(within);
}

/* Takes a mark of memory, if it is within an interval. What is passed on counts the time from
 * the begin of the first one. */
void nytp_within_take_memory(nytp_within *within, const nytp_mark *mark);

/* Passes the mark of memory that is held, if there is one, on the process, which has been passed on. */
void nytp_within_pass_memory(nytp_within *within);

/* A part of a request was passed on. */
void nytp_within_note_request(nytp_within *within, uint64_t id);

/* Takes the mark of the end of a request, and passes on what is left of it. */
void nytp_within_take_request(nytp_within *within, const nytp_mark *mark);
