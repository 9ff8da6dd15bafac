/* What the program takes of the system, as that counts it.
 *
 * prof_cpu_times: how long the thread that runs perl ran, and waited for a processor while others ran.
 *
 * prof_offcpu: how long the calling thread was off its processor: asleep, as it waited for something else
 * than a processor, or queued, as it could run and others did (or its control group's quota was used up).
 * Nothing is read but getrusage(2), 0.3 us, unless the thread has left its processor since the last reading:
 * that says how often it did, of its own accord (to wait) and not. The time off the processor is what has
 * passed less what the thread has run. How much of that it was queued says the run delay in /proc (schedstat,
 * 5 us); it is read only where the kinds of the switches leave it open. */
#pragma once

#include "basics/clock.h"

#include <pthread.h>
#include <sys/types.h>

typedef struct prof_cpu_counts {
    uint64_t run_ns, wait_ns;
} prof_cpu_counts;

/* Sets *counts to those of the calling thread since it began. Returns false if the system does not count.
 * Takes 5 us, since it opens a file of /proc each time: the program may close any descriptor, and use its
 * number for another file. */
bool prof_cpu_counts_read(prof_cpu_counts *counts);

typedef struct prof_cpu_times {
    pthread_t thread;       /* the counts are those of this thread, */
    pid_t thread_id;        /* which has this number */
    prof_cpu_counts counts; /* at the last reading ... */
    uint64_t read_at;       /* ... and the clock's count then */
    uint64_t off_at;        /* clock's count at which recording was switched off; 0 if it is on */
    uint64_t off;           /* clock's counts since the last reading in which recording was off */
    double run_s, wait_s;   /* while recording was on */
    bool moves;             /* the next reading is in the thread whose counts they are */
    bool is_counted;        /* false: the system does not count, or not here */
    bool known;             /* the sums are those of an interval at least */
} prof_cpu_times;

/* Begins with sums of 0. now: the clock's count, as in the others. */
void prof_cpu_times_begin(prof_cpu_times *times, uint64_t now);

/* Call them when recording is switched off and on. */
void prof_cpu_times_pause(prof_cpu_times *times, uint64_t now);
void prof_cpu_times_resume(prof_cpu_times *times, uint64_t now);

/* Call it if another thread will run perl: what the calling one did does not count. */
void prof_cpu_times_move(prof_cpu_times *times);

/* Whether the last reading was 0.3 s ago, or that of another thread. */
bool prof_cpu_times_is_due(const prof_cpu_times *times, const prof_clock *clock, uint64_t now);

/* Adds to the sums what the calling thread did since the last reading, if that was in the same thread; of an
 * interval in which recording was off for a while, the same share. Takes some 10 us, since it reads a file of
 * /proc. */
void prof_cpu_times_read(prof_cpu_times *times, uint64_t now);

/* Returns whether the thread of the last reading runs or waits for a processor. If so, *run_ns receives how
 * long it has run. */
bool prof_cpu_times_can_run(const prof_cpu_times *times, uint64_t *run_ns);

/* What the system says at one moment. */
typedef struct prof_offcpu_reading {
    long voluntary, involuntary; /* switches */
    int64_t off_ns;              /* what had passed less what the thread had run */
    uint64_t delay_ns;           /* run delay; what it was at a reading before, unless it was needed */
} prof_offcpu_reading;

typedef struct prof_offcpu {
    pthread_t thread; /* of the last reading */
    prof_offcpu_reading last;
    bool has_delay;     /* the system counts the run delay */
    int64_t given_ns;   /* what was called queued since the delay was read */
    unsigned unread;    /* waits since, too short for a reading of it */
    int64_t kept_ns;    /* asleep: prof_offcpu_keep() */
    int64_t counted_ns; /* of what is kept, what prof_offcpu_leave_out_asleep() has returned */
} prof_offcpu;

/* Begins: what was before does not count. Returns false if the system does not say how long threads run and
 * how often they leave their processor; then the others must not be called. */
bool prof_offcpu_begin(prof_offcpu *off);

/* Sets what was since the last reading. Returns false if that is nothing, or if the calling thread is another
 * one than before. Leaves errno alone, as the others do. */
bool prof_offcpu_read(prof_offcpu *off, int64_t *asleep_ns, int64_t *queued_ns);

/* What was since the last reading does not count. */
void prof_offcpu_leave_out(prof_offcpu *off);

/* Intervals of the profiler are asked for what it was off its processor if they take that long. */
enum { PROF_OFFCPU_LEAST_NS = 100000 };

/* That much of what was read is read again, as if it had been since then. */
void prof_offcpu_keep(prof_offcpu *off, int64_t asleep_ns, int64_t queued_ns);

/* Of what was since the last reading, as much does not count as the thread was asleep in an interval that
 * ends now, but for what is kept. Returns how much of the interval counts. */
int64_t prof_offcpu_leave_out_asleep(prof_offcpu *off, int64_t interval_ns);
