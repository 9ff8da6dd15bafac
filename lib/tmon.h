/* A tmon.out, which is what Devel::DProf writes, read as the chunks of a nytprof.out.
 *
 * tmon.c goes from line to line, tmonhead.c knows the header, tmonmark.c the marks, and
 * tmoncalls.c keeps what they tell: subs, the stack of calls, and arcs.
 */
#ifndef NYTP_TMON_H
#define NYTP_TMON_H

#include "reader.h"
#include "str.h"
#include "stringtable.h"

/* Sub and arc numbers count from 0; one of these means there is none. */
#define NYTP_TMON_NONE UINT32_MAX

enum { NYTP_TMON_FID = 1, NYTP_TMON_PID = 1 };

/* A name's bytes stay where they are for as long as the reader lives; nytp-tree knows names by their
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
    nytp_strings *ids;   /* far ones, by their places in far_ids */
    nytp_strings *pairs; /* caller and callee of arcs, by their numbers */
    nytp_tmon_sub *subs;
    uint32_t sub_room;
    uint32_t *near_ids,
        *far_ids; /* the subs of small ids, by id, and of others; NYTP_TMON_NONE: not defined */
    uint32_t near_room, far_room;
    nytp_tmon_arc *arcs;
    uint32_t arc_room;
    nytp_tmon_frame *frames;
    size_t depth, frame_room;
    bool want_arcs;
} nytp_tmon_calls;

/* Functions that return int or int64_t return a negative number when out of memory. */
int nytp_tmon_calls_init(nytp_tmon_calls *calls);
void nytp_tmon_calls_clear(nytp_tmon_calls *calls);

/* The number of the sub by that name, a new one if need be. */
int64_t nytp_tmon_sub_of_name(nytp_tmon_calls *calls, const char *name, size_t length);

/* The same for parts, package and name. id_text, if it is not NULL, is added to the name of an anonymous sub.
 */
int64_t nytp_tmon_sub_of_parts(nytp_tmon_calls *calls, const nytp_str parts[2], const nytp_str *id_text);

int nytp_tmon_define(nytp_tmon_calls *calls, uint32_t id, uint32_t sub);
uint32_t nytp_tmon_sub_of_id(const nytp_tmon_calls *calls, uint32_t id);

/* A call of sub begins; entered and running are the keys of its frame. */
int nytp_tmon_push(nytp_tmon_calls *calls, uint64_t entered, uint64_t running, uint32_t sub,
                   double now_ticks);
/* Ends the innermost call; fills a SUB_RETURN. */
int nytp_tmon_pop(nytp_tmon_calls *calls, double now_ticks, nytp_chunk *chunk);

enum nytp_tmon_stage {
    TMON_HEADER, /* lines of assignments */
    TMON_BEGIN,  /* chunks that a tmon.out has no lines for: PID_START and the like */
    TMON_MARKS,  /* lines of marks */
    TMON_UNWIND, /* calls without an exit mark return, down to unwind_to */
    TMON_SUBS,   /* a SUB_INFO for each sub */
    TMON_ARCS,   /* a SUB_CALLERS for each arc */
    TMON_END     /* a PID_END, and the end */
};

struct nytp_tmon {
    nytp_dprof_options options;
    nytp_tmon_calls calls;
    enum nytp_tmon_stage stage;
    uint32_t step;    /* within a stage that reads no lines */
    size_t in_line;   /* in the header: where the line goes on behind an assignment; 0: with the next line */
    uint32_t entered; /* sub whose SUB_ENTRY is due after the SUB_RETURN of a goto; or NYTP_TMON_NONE */
    /* What the header says; ticks of user, system and real time. */
    double hz;
    double run_ticks; /* real; NaN: the profiler did not get to its end, where it writes it */
    double over_ticks[3];
    double over_tests;
    /* Time, in ticks of the clock chosen. */
    double weights[3];        /* of user, system and real time in it */
    double mark_ticks;        /* what one mark costs */
    double time_ticks;        /* the time by the last mark, as recorded */
    double profiler_ticks;    /* how much of it the profiler took */
    double write_began_ticks; /* when the profiler began to write; NaN: it is not writing */
    /* Where the lines are, and what was missing. */
    bool just_defined;        /* an id was defined, and there was no call since */
    bool no_more;             /* no more marks come */
    bool cut;                 /* the last line has no end, or the header has none */
    size_t unwind_to;         /* frames to leave on the stack */
    uint64_t unclosed;        /* calls without an exit mark */
    char unclosed_names[256]; /* of the first NYTP_TMON_SHOWN of them */
    char text[64];            /* of the attribute that was delivered last */
};

enum { NYTP_TMON_SHOWN = 3 };

/* The header ends with such a line, "PART2". */
static inline bool nytp_tmon_begins_part(const nytp_str *line)
{
    return line->length >= 4 && memcmp(line->bytes, "PART", 4) == 0;
}

/* The time that is told: without what the profiler took. */
static inline double nytp_tmon_now(const struct nytp_tmon *t)
{
    return t->time_ticks - t->profiler_ticks;
}

/* Takes the first line, by which alone a tmon.out is known. Makes r->tmon and a VERSION chunk. */
enum progress nytp_tmon_begin(nytp_reader *r, nytp_chunk *chunk, nytp_cursor *c);
void nytp_tmon_free(struct nytp_tmon *tmon); /* NULL is fine */

/* nytp_reader_next() of a tmon.out. */
int nytp_tmon_next(nytp_reader *r, nytp_chunk *chunk);

/* Each takes a line, which is at r->at, without its end. WHOLE: a chunk; SKIPPED: no chunk came of it;
 * FAILED. The line is to be given again where in_line is not 0, or the stage has become TMON_UNWIND for its
 * sake. */
enum progress nytp_tmon_take_header(nytp_reader *r, const nytp_str *line, nytp_chunk *chunk);
enum progress nytp_tmon_take_mark(nytp_reader *r, const nytp_str *line, nytp_chunk *chunk);

void nytp_tmon_fill_entry(const nytp_tmon_calls *calls, uint32_t sub, nytp_chunk *chunk); /* a SUB_ENTRY */
void nytp_tmon_end_marks(struct nytp_tmon *t);

/* The same for a last line that has no end, and so may be a part of one. */
enum progress nytp_tmon_take_rest(nytp_reader *r, const nytp_str *line, nytp_chunk *chunk);

#endif
