/* What the marks of a tmon.out say: subs, the stack of calls, and arcs. */
#pragma once

#include "base/stringtable.h"
#include "nytprof.h"

/* Means no sub, or no arc. Their numbers count from 0. */
#define NYTP_TMON_NONE UINT32_MAX

/* The bytes of a name do not move for as long as the reader lives: nytp-tree tells names apart by their
 * addresses. */
typedef struct nytp_tmon_sub {
    nytp_str name;
    uint32_t open;     /* calls of it on the stack */
    uint32_t last_arc; /* arc of its last call, to be tried first */
    bool called;
} nytp_tmon_sub;

/* All calls of a sub by another. */
typedef struct nytp_tmon_arc {
    uint32_t caller, callee; /* caller NYTP_TMON_NONE: called from outside */
    uint64_t count;
    double incl_ticks; /* of outermost calls only */
    double excl_ticks; /* of all calls */
    double reci_ticks; /* inclusive, of recursive calls */
    uint32_t max_depth;
} nytp_tmon_arc;

typedef struct nytp_tmon_frame {
    uint64_t entered; /* key of the enter mark; the exit mark has the same one, after a goto too */
    uint64_t running; /* key of the sub that a goto put in its place; else the same */
    uint32_t sub;
    uint32_t recursion;    /* calls of the same sub below it */
    double entered_ticks;  /* corrected */
    double children_ticks; /* corrected inclusive time of the calls it made */
} nytp_tmon_frame;

typedef struct nytp_tmon_calls {
    nytp_strings *names; /* of subs, by their numbers */
    nytp_strings *ids;   /* the large ids; the number of one is its index in far_ids */
    nytp_strings *pairs; /* caller and callee of arcs, by their numbers */
    nytp_tmon_sub *subs;
    size_t sub_capacity;
    uint32_t *near_ids; /* subs of small ids, by id; NYTP_TMON_NONE: not defined */
    uint32_t *far_ids;  /* subs of all other ids */
    size_t near_capacity, far_capacity;
    nytp_tmon_arc *arcs;
    size_t arc_capacity;
    nytp_tmon_frame *frames;
    size_t depth, frame_capacity;
    bool want_arcs;
} nytp_tmon_calls;

/* Functions that return int or int64_t return a negative number when out of memory. */
int nytp_tmon_calls_init(nytp_tmon_calls *calls);
void nytp_tmon_calls_clear(nytp_tmon_calls *calls);

/* Returns the number of the sub with that name, which is added if it is new. */
int64_t nytp_tmon_sub_of_name(nytp_tmon_calls *calls, const char *name, size_t length);

/* Like nytp_tmon_sub_of_name(), for a package and a name. If id_text is not NULL, it is added to the name of
 * an anonymous sub. */
int64_t nytp_tmon_sub_of_parts(nytp_tmon_calls *calls, const nytp_str parts[2], const nytp_str *id_text);

/* Makes id stand for the sub with that number. */
int nytp_tmon_define(nytp_tmon_calls *calls, uint32_t id, uint32_t sub);

/* Returns the sub that id stands for, or NYTP_TMON_NONE. */
uint32_t nytp_tmon_sub_of_id(const nytp_tmon_calls *calls, uint32_t id);

/* Begins a call of sub. entered and running are the keys of its frame. */
int nytp_tmon_push(nytp_tmon_calls *calls, uint64_t entered, uint64_t running, uint32_t sub,
                   double now_ticks);

/* Ends the innermost call, and makes chunk its SUB_RETURN. */
int nytp_tmon_pop(nytp_tmon_calls *calls, double now_ticks, nytp_chunk *chunk);
