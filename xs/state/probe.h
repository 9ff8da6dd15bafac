/* The profiler's own time, which is not the program's.
 *
 * Measured time is active time: counts of the clock less the overhead, which is the sum of all probe
 * intervals. A probe interval is a period in which the profiler works. It begins with
 * prof_probe_begin() and ends with prof_probe_end() (hot.h).
 *
 * Reading the clock is most of the cost of an interval (11 of 17 ns on a Zen 3 under KVM). So an interval is
 * timed at both ends only if something unusual was done in it, or if it is one of PROF_ROW in a row of every
 * PROF_ROW * PROF_SAMPLE of its kind. The others are assumed to take as long as the later ones of such rows:
 * the first ones take a third longer, since the processor predicts that they are not timed. That is what the
 * program's thread takes more than without the profiler (test/bench/own-time), within 15 % in loops.
 */
#pragma once

#include "basics/clock.h"
#include "basics/usage.h"
#include "prof.h"

typedef enum prof_probe_kind {
    PROF_PROBE_STATEMENT,
    PROF_PROBE_CALL,   /* a call begins */
    PROF_PROBE_ENTER,  /* a call begins, and its first statement */
    PROF_PROBE_RETURN, /* a call ends */
    PROF_PROBE_LEAVE,  /* a call ends, and a statement continues */
    PROF_PROBE_LABEL,  /* a call with a label begins, or gets it */
    PROF_PROBE_EVAL,   /* a string eval begins or ends */
    PROF_PROBE_SHARED, /* a statement continues after a call, with the time that the end of the call read */
    PROF_PROBE_KINDS
} prof_probe_kind;

enum {
    PROF_SAMPLE = 64,
    PROF_ROW = 4,       /* intervals of a kind that are timed in a row, */
    PROF_ROW_FIRST = 2, /* and how many of them do not tell how long others take */
    PROF_LEAST = 8      /* intervals in the mean of a kind before any is not timed */
};

/* How long intervals of a kind take that were due to be timed: the mean of some recent ones. */
typedef struct prof_probe_mean {
    int64_t counts_256; /* in 1/256 of a count */
    int n;              /* how many, until they are 64 */
    int in_row;         /* how many were timed in this row */
} prof_probe_mean;

typedef struct prof_probe {
    prof_clock clock;
    uint64_t overhead;              /* counts of all intervals, with idle */
    uint64_t idle;                  /* the part of the overhead in which the program waited in accept(), */
    uint64_t jump;                  /* and of that, what a mark of the clock is to say (marks.h) */
    uint64_t mark_overhead;         /* overhead at which such a mark is due */
    _Atomic uint64_t checkpoint_at; /* count at which a checkpoint is due; 0: at once */
    uint64_t save_at;               /* count at which one is due that is more than a mark */
    uint64_t memory_at;             /* count at which a mark of memory is due (marks.h) */
    _Atomic uint64_t records_at;    /* count at which records of memory are to be written (heap/stream.h) */

    /* for each kind */
    uint32_t usual_counts[PROF_PROBE_KINDS]; /* how long an interval is assumed to take */
    int32_t untimed_left[PROF_PROBE_KINDS];  /* intervals until one is timed again; below 0 after its end. It
                                                has a sign so that a decrement in memory tells: that saves 2 %
                                                of a call and 4 % of a statement. */
    int32_t postponed[PROF_PROBE_KINDS];     /* what was left when something unusual had intervals be timed */
    prof_probe_mean means[PROF_PROBE_KINDS];

    bool has_offcpu;    /* it is measured how long the program was off its processor (record/waits.h): */
    prof_offcpu offcpu; /* since an interval that was timed, the profiler does not count */

    bool unusual; /* something unusual was done since the last interval that was timed */

    /* prof_checkpoint(). prof_probe_begin() calls it when it is due. It is a pointer because process.c
     * needs the modules that begin intervals. */
    bool (*checkpoint)(pTHX_ prof *p, uint64_t now);
} prof_probe;

/* What is recorded at the moment. */
typedef struct prof_enabled {
    bool any; /* profiling is enabled */
    bool stmts, subs;
    bool builtins; /* built-ins are recorded as subs, too */
    /* The interpreter where short paths may be taken, otherwise NULL. */
    const PerlInterpreter *fast_stmts; /* statements are recorded, and have no blocks */
    const PerlInterpreter *fast_subs;  /* calls are recorded, with calls=1 and findcaller=0 */
    bool fast_begins; /* so are statements, so nothing looks how long the program has waited where a call of a
                         built-in or xsub begins */
    /* fast_stmts, and handlers of ops that leave subs end their frames */
    const PerlInterpreter *fast_leaves;
} prof_enabled;

void prof_probe_init(prof_probe *probe, bool (*checkpoint)(pTHX_ prof *p, uint64_t now));

/* Sets the time of the next checkpoint that is more than a mark, and has one be due by then. */
void prof_probe_schedule(prof_probe *probe, uint64_t now);

/* Sets the next checkpoint to the earliest moment that is scheduled. */
void prof_probe_wait(prof_probe *probe);

/* Sets the time of the next mark of memory, for prof_probe_wait(), and returns whether one is due. */
void prof_probe_schedule_memory(prof_probe *probe, uint64_t now);
bool prof_probe_memory_is_due(const prof_probe *probe, uint64_t now);

/* Without statements, the stream has nothing of a string eval's own time. So marks are due by the end of the
 * one that begins now, if that takes 2 ms or more. */
void prof_probe_expect_mark(prof_probe *probe, uint64_t now);

/* Any thread: has records of memory be written at a checkpoint at that count or, if they are written now, not
 * before there are new ones. */
void prof_probe_schedule_records(prof_probe *probe, uint64_t at);
void prof_probe_forget_records(prof_probe *probe);

/* Has the next event begin with a checkpoint. */
void prof_probe_hurry(prof_probe *probe);

/* The program has waited in accept(). */
void prof_probe_add_idle(prof_probe *probe, uint64_t counts);

/* Takes that many ticks off the overhead, because the program's own time, which is what has passed less the
 * overhead, went back by them: intervals that were not timed took less than was assumed, or the program has
 * moved to a processor whose counter is behind. */
void prof_probe_give_back(prof_probe *probe, int64_t ticks);

/* Ends an interval by reading the clock. Not for the hot path. */
void prof_probe_end_timed(prof_probe *probe, prof_probe_kind kind, uint64_t began);

/* Switches recording on or off. When it is on, the options say what is recorded. A checkpoint is due then, so
 * no short path is taken for an event that has begun to run code of the program, which may have switched
 * recording off and closed the output, or changed an option. While it is off, a checkpoint is always due, and
 * prof_probe_begin() returns false for such an event. */
void prof_enabled_set(prof *p, bool on);
