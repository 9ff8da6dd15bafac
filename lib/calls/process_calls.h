/* The calls of profiles by process, for viewers that show each process separately.
 *
 * Read every profile with nytp_process_calls_read(), and call nytp_process_calls_end_profile() after each.
 * The result is a call tree for each process, or the course of all calls.
 */
#ifndef NYTP_CALLS_PROCESS_CALLS_H
#define NYTP_CALLS_PROCESS_CALLS_H

#include "calls/course.h"
#include "calls/frames.h"

typedef struct nytp_process_of_calls {
    nytp_process process;
    nytp_str application; /* valid UTF-8; empty: not known */
    bool is_cpu_time;     /* recorded with a clock of processor time */
    double ticks_per_sec; /* of its profile */
    double sampled_hz;    /* 0: it is not made of samples; else calls were not counted (see sampled.h) */
    uint64_t calls;
    nytp_calltree *tree; /* in ns; NULL: nothing of it was read, or the course is wanted */
} nytp_process_of_calls;

typedef struct nytp_process_calls nytp_process_calls;

/* What calls become. */
enum nytp_process_calls_as {
    NYTP_CALLS_AS_TREES,       /* of frames by their shown names */
    NYTP_CALLS_AS_LINED_TREES, /* of frames and the lines where they were called; see nytp_lined_frame_of() */
    NYTP_CALLS_AS_COURSE
};

/* Reading numbers and locates the frames, which stay the caller's and must live as long. */
nytp_process_calls *nytp_process_calls_new(nytp_frames *frames, enum nytp_process_calls_as as);
void nytp_process_calls_free(nytp_process_calls *calls); /* NULL is fine */

/* Returns whether the profile was recorded with a clock of processor time. */
bool nytp_profile_has_cpu_clock(const nytp_profile *profile);

/* Makes main::RUNTIME the root of all stacks of trees, like nytp_calltree_show_root(). Call it before
 * reading. Trees of samples always have that root: each sample has a stack. */
void nytp_process_calls_show_root(nytp_process_calls *calls);

/* The tags that reading needs. */
uint32_t nytp_process_calls_wanted(const nytp_process_calls *calls);

/* Reads some thousands of chunks, as nytp_profile_read() does; context is the nytp_process_calls. */
int nytp_process_calls_read(void *calls, nytp_reader *reader);
void nytp_process_calls_end_profile(nytp_process_calls *calls);

/* Returns the processes, in the order of the stream. Valid until another profile is read. */
const nytp_process_of_calls *nytp_process_calls_processes(const nytp_process_calls *calls, size_t *count);

/* Folds stacks with less than that share of the time of all processes, and calls deeper than max_depth (0: no
 * limit), into their callers. */
void nytp_process_calls_prune(nytp_process_calls *calls, double min_percent, uint32_t max_depth);

/* Returns the greatest depth of a call, including the root; 1: no call made another. */
uint32_t nytp_process_calls_depth(const nytp_process_calls *calls);

/* What the name of a node in a lined tree stands for: a frame, and the line where it was called, in the file
 * of its caller; 0: not known (recorded with calls=1). */
typedef struct nytp_lined_frame {
    uint32_t frame, line;
} nytp_lined_frame;
nytp_lined_frame nytp_lined_frame_of(nytp_frames *frames, nytp_str name);

/* Returns the course of all calls, in ticks, which belongs to calls. The index of a mark's process is its
 * stack less one. */
nytp_course *nytp_process_calls_course(nytp_process_calls *calls);

uint64_t nytp_process_calls_count(const nytp_process_calls *calls);

#endif
