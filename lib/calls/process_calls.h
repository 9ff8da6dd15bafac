/* The calls of profiles by process, for viewers that show each process separately: the processes, and how
 * profiles are read. What becomes of the calls is a product: trees or the course of all
 * calls, whose functions make an nytp_process_calls.
 *
 * Read every profile with nytp_process_calls_read(), and call nytp_process_calls_end_profile() after each.
 */
#pragma once

#include "calls/course.h"
#include "calls/frames.h"
#include "calls/memory_curve.h"
#include "events/events.h"
#include "events/requests.h"
#include "model/whole.h"

#include <glib.h>

typedef struct nytp_process_of_calls {
    nytp_process process;
    nytp_str application;  /* valid UTF-8; empty: not known */
    bool is_cpu_time;      /* recorded with a clock of processor time */
    double ticks_per_sec;  /* of its profile */
    nytp_measure measure;  /* if it is sampled, calls were not counted */
    const char *memory_of; /* of a profile of memory: "live" and so on; else NULL */
    uint64_t calls;
} nytp_process_of_calls;

typedef struct nytp_process_calls nytp_process_calls;

/* What products differ in. */
typedef struct nytp_calls_product {
    void (*begin_process)(nytp_process_calls *calls);
    void (*clear)(nytp_process_calls *calls); /* frees what is the product's own */
} nytp_calls_product;

/* The first member of each product's struct. */
struct nytp_process_calls {
    const nytp_calls_product *product;
    nytp_sink sink; /* for the product; nytp_process_calls_init() sets on_chunk and tags */
    nytp_events *events;
    nytp_frames *frames;   /* their raw names are those of the events */
    nytp_profile *profile; /* what the current profile says of its subs */
    GArray *processes;     /* nytp_process_of_calls; of the current profile from first on */
    guint first;
    GStringChunk *texts;
    uint64_t count;
};

/* For products: initializes all members. keep_evals is that of nytp_frames_new(). */
void nytp_process_calls_init(nytp_process_calls *calls, const nytp_calls_product *product, bool keep_evals);

/* For products: returns the current process; it is added if a damaged profile has calls before the first. */
nytp_process_of_calls *nytp_process_calls_current(nytp_process_calls *calls);

/* For products: counts calls of the current process that have returned. */
void nytp_process_calls_count_returns(nytp_process_calls *calls, size_t count);

void nytp_process_calls_free(nytp_process_calls *calls); /* NULL is fine */

/* The tags that reading needs. */
uint32_t nytp_process_calls_tags(const nytp_process_calls *calls);

/* Reads some thousands of chunks, as nytp_profile_read() does; context is the nytp_process_calls. */
int nytp_process_calls_read(void *calls, nytp_reader *reader);
void nytp_process_calls_end_profile(nytp_process_calls *calls);

/* Returns the processes, in the order of the stream. Valid until another profile is read. */
const nytp_process_of_calls *nytp_process_calls_processes(const nytp_process_calls *calls, size_t *count);

/* Returns how many calls have returned. */
uint64_t nytp_process_calls_count(const nytp_process_calls *calls);

/* Requests (events/requests.h) by process. They are in a file without a name, so memory does not grow with
 * their number. */

typedef struct nytp_process_request {
    uint32_t process;         /* its index */
    uint32_t frame;           /* its name */
    double begin_s, length_s; /* since the process began */
} nytp_process_request;

typedef struct nytp_process_requests nytp_process_requests;

nytp_process_requests *nytp_process_requests_new(void);
void nytp_process_requests_free(nytp_process_requests *requests); /* NULL is fine */

void nytp_process_requests_add(nytp_process_requests *requests, const nytp_process_request *request);

/* Returns the next one, in the order of their ends, if it is one of that process or of one before it; NULL if
 * not. Valid until nytp_process_requests_skip(), which goes on to the one after it. No more can be added
 * then. */
const nytp_process_request *nytp_process_requests_next(nytp_process_requests *requests, uint32_t process);
void nytp_process_requests_skip(nytp_process_requests *requests);

/* Returns 0, or the errno of what went wrong with the file; then some are missing. */
int nytp_process_requests_error(const nytp_process_requests *requests);

/* By the clock of each process. has_traces: frames of spans have the ids of their traces. */
nytp_process_calls *nytp_process_course_new(bool keep_evals, bool has_traces);

/* Returns the course, in ticks, which belongs to calls. Its subs are numbers of frames. The index of a mark's
 * process is its stack less one. */
nytp_course *nytp_process_course_get(nytp_process_calls *calls);

/* Returns how much memory the processes had, by index, in seconds since each began. It belongs to calls. */
const nytp_memory_curve *nytp_process_course_memory(const nytp_process_calls *calls);

/* Returns the requests of the processes. It belongs to calls. */
nytp_process_requests *nytp_process_course_requests(const nytp_process_calls *calls);

enum nytp_process_trees_of {
    NYTP_TREES_OF_FRAMES,      /* by their shown names */
    NYTP_TREES_OF_LINED_FRAMES /* of frames and the lines where they were called; see nytp_lined_frame_of() */
};

/* With shows_root, main::RUNTIME is the root of all stacks, as after nytp_calltree_show_root(). Trees of
 * samples always have that root: each sample has a stack. reads_waited: for
 * nytp_process_trees_find_waiting(). */
nytp_process_calls *nytp_process_trees_new(bool keep_evals, enum nytp_process_trees_of of, bool shows_root,
                                           bool reads_waited);

/* Has the trees read statements, whose time is needed for nytp_process_trees_prune() by a share and for
 * roots. To be called before reading. */
void nytp_process_trees_read_whole(nytp_process_calls *trees);

/* Returns the tree of a process, in ns, by its index, or NULL if nothing of it was read. */
nytp_calltree *nytp_process_tree(const nytp_process_calls *trees, size_t process);

/* Makes a tree of waiting for each process. To be called after reading, before the trees are
 * pruned, which prunes those of waiting, too. */
void nytp_process_trees_find_waiting(nytp_process_calls *trees);

/* Returns the tree of waiting of a process, or NULL if nothing of it waited. */
nytp_calltree *nytp_process_waiting_tree(const nytp_process_calls *trees, size_t process);

/* Folds stacks with less than that share of the time of all processes (model/whole.h), and calls deeper than
 * max_depth (0: no limit), into their callers. Returns how many levels were deeper than max_depth. */
uint32_t nytp_process_trees_prune(nytp_process_calls *trees, nytp_least min, uint32_t max_depth);

/* What a node of a lined tree stands for: a frame, and the line where it was called, in the file of its
 * caller; 0: not known (recorded with calls=1). */
typedef struct nytp_lined_frame {
    uint32_t frame, line;
} nytp_lined_frame;
nytp_lined_frame nytp_lined_frame_of(const nytp_process_calls *trees, size_t process, const nytp_call *call);
