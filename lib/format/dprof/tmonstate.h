/* What the reader of a tmon.out knows while it reads (nytp_tmon), on which tmon.c, tmonhead.c and tmonmark.c
 * work; and the part of it that sums up calls (nytp_tmon_calls, tmoncalls.c). */
#pragma once

#include "nytprof.h"

#include "base/stringtable.h"
#include "format/reader.h"

#include <string.h>

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

enum {
    NYTP_TMON_FID = 1, /* of the only file */
    NYTP_TMON_PID = 1, /* of the only process */
    NYTP_TMON_SHOWN = 3
};

enum nytp_tmon_stage {
    TMON_HEADER, /* lines of assignments */
    TMON_BEGIN,  /* chunks that a tmon.out has no lines for: PID_START and the like */
    TMON_MARKS,  /* lines of marks */
    TMON_UNWIND, /* calls without an exit mark return, until unwind_to calls are left */
    TMON_SUBS,   /* a SUB_INFO for each sub */
    TMON_ARCS,   /* a SUB_CALLERS for each arc */
    TMON_END     /* a PID_END, and the end */
};

struct nytp_tmon {
    nytp_dprof_options options;
    nytp_tmon_calls calls;
    enum nytp_tmon_stage stage;
    uint32_t step;      /* within a stage that reads no lines */
    size_t in_line;     /* where the header line continues after an assignment; 0: at the next line */
    uint32_t entry_due; /* the sub that a goto entered, whose SUB_ENTRY comes next; or NYTP_TMON_NONE */

    /* What the header says; arrays hold user, system and real time. */
    double hz;
    double run_ticks; /* real; NaN: missing, because the profiler did not reach its end, where it writes it */
    double over_ticks[3];
    double over_tests;

    /* Time, in ticks of the chosen clock. */
    double weights[3];        /* of user, system and real time in that clock */
    double mark_ticks;        /* the overhead of one mark */
    double time_ticks;        /* time of the last mark, as recorded */
    double profiler_ticks;    /* how much of it the profiler took */
    double write_began_ticks; /* when the profiler began to write; NaN: it is not writing */

    bool just_defined;        /* an id was defined, and no call has followed */
    bool no_more;             /* all marks have been read */
    bool cut;                 /* the last line or the header has no end */
    size_t unwind_to;         /* how many frames stay on the stack */
    uint64_t unclosed;        /* calls without an exit mark */
    char unclosed_names[256]; /* of the first NYTP_TMON_SHOWN of them */
    char text[64];            /* of the attribute that was delivered last */
};

/* The header ends with a line such as "PART2". */
static inline bool nytp_tmon_begins_part(const nytp_str *line)
{
    return line->length >= 4 && memcmp(line->bytes, "PART", 4) == 0;
}

/* The current time in ticks, without the time that the profiler took. */
static inline double nytp_tmon_now(const struct nytp_tmon *t)
{
    return t->time_ticks - t->profiler_ticks;
}

/* tmonhead.c */

/* Decodes a line of the header, which is at r->at, given without its newline. The caller must pass the same
 * line again while in_line is not 0. */
nytp_decode_result nytp_tmon_decode_header(nytp_reader *r, const nytp_str *line, nytp_chunk *chunk);

/* tmonmark.c: a line for each entry and exit of a sub */

/* Decodes a line of marks, which is at r->at, given without its newline. The caller must pass the same line
 * again if the stage has become TMON_UNWIND. */
nytp_decode_result nytp_tmon_decode_mark(nytp_reader *r, const nytp_str *line, nytp_chunk *chunk);

/* Like nytp_tmon_decode_mark(), for a last line without a newline, which may be incomplete. */
nytp_decode_result nytp_tmon_decode_last(nytp_reader *r, const nytp_str *line, nytp_chunk *chunk);

/* Called when there are no more marks: unwinds all open calls. */
void nytp_tmon_end_marks(struct nytp_tmon *t);

/* Makes chunk a SUB_ENTRY of that sub. */
void nytp_tmon_fill_entry(const nytp_tmon_calls *calls, uint32_t sub, nytp_chunk *chunk);
