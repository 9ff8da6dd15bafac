/* The memory of a run over time: what was live from when to when, by where it was allocated, and how many
 * bytes were live in each process. Times are slices of equal length, since the first process began; slice n
 * is what comes after n * width_s, up to (n + 1) * width_s. They are short at first, and whenever there are
 * too many records, two become one; so the records are at most some ten thousand, or as many as there are
 * places. */
#pragma once

#include "events/filters.h"
#include "memory/profile.h"
#include "model/records.h"

/* Where memory was allocated. Place 0 is what samples without records have. */
typedef struct nytp_memory_place {
    uint32_t node;             /* of nodes */
    uint32_t kind, file, line; /* the first two are names; line 0: not known */
} nytp_memory_place;

/* What was live from the end of the slice `came` on, up to that of `went`, in which it is not. */
typedef struct nytp_memory_life {
    uint32_t place, process;
    int32_t came, went; /* NYTP_MEMORY_STAYS: it was live when the program ended */
    nytp_sampled amount;
} nytp_memory_life;

enum { NYTP_MEMORY_STAYS = INT32_MAX };

/* What a process has in a slice in which that changed. */
typedef struct nytp_memory_total {
    uint32_t process;
    int32_t slice;
    nytp_memory_counted counted; /* at its end */
    double most_bytes;           /* of its own, at any moment */
} nytp_memory_total;

/* A moment that the program has named. */
typedef struct nytp_memory_moment_name {
    uint32_t name;
    double s; /* the last one */
} nytp_memory_moment_name;

/* What a place had in a process at the peak, or a variable at the end; bytes are as they are shown. */
typedef struct nytp_memory_part {
    uint32_t place, process;
    uint32_t holder; /* a name; 0 for peaks */
    uint32_t unused; /* the key has no padding */
    nytp_sampled amount;
} nytp_memory_part;

typedef struct nytp_memory_history {
    double width_s;
    nytp_names *names;
    nytp_pairs nodes;       /* the node of the caller, and the name of the sub; 0 is outside of subs */
    nytp_records places;    /* nytp_memory_place */
    nytp_records lives;     /* nytp_memory_life */
    nytp_records totals;    /* nytp_memory_total, those of a process in the order of time */
    nytp_records peaks;     /* nytp_memory_part, of the peak of all processes together */
    nytp_records holders;   /* nytp_memory_part */
    nytp_records moments;   /* nytp_memory_moment_name, at most 100 */
    GArray *ends_s;         /* double, by process: when it ended; INFINITY: not known */
    GPtrArray *followed;    /* of the implementation */
    uint32_t first_process; /* of the profile that was read last, */
    uint32_t streams;       /* of its processes, how many have records of memory */
    bool has_lives;
} nytp_memory_history;

/* Without lives, there are totals alone. */
nytp_memory_history *nytp_memory_history_new(bool has_lives);
void nytp_memory_history_free(nytp_memory_history *history); /* NULL is fine */

/* ---- for view.c. Processes are numbered from 0 on in each profile */

/* Another process begins. */
void nytp_memory_history_begin(const nytp_memory_history *history);

/* Has the history take what the stream of a process says, which began at that time. */
void nytp_memory_history_follow(nytp_memory_history *history, nytp_memory_stream *stream,
                                const nytp_memory_named *named, uint32_t process, double begin_s);

void nytp_memory_history_end(nytp_memory_history *history, uint32_t process, double end_s);

/* Adds what the stream of a process has taken to the peaks or the holders of the history. */
void nytp_memory_history_add(nytp_memory_history *history, nytp_records *parts, uint32_t process,
                             const nytp_memory_stream *stream, const nytp_memory_named *named);

/* ---- what is asked */

/* Returns the slice that had the peak of all processes together, as a range. */
nytp_stretch nytp_memory_history_peak(const nytp_memory_history *history);

/* Each adds up two lives or parts (nytp_records_change()). */
void nytp_memory_join_lives(void *into, const void *record);
void nytp_memory_join_parts(void *into, const void *record);

/* Makes one slice of two. */
void nytp_memory_history_halve(nytp_memory_history *history);

/* Returns how many slices there are. */
int32_t nytp_memory_history_slices(const nytp_memory_history *history);
