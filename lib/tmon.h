/* A tmon.out, which is what Devel::DProf writes, read as the chunks of a nytprof.out.
 *
 * tmon.c goes from line to line, tmonhead.c knows the header, tmonmark.c the marks, and
 * tmoncalls.c keeps what they tell: subs, the stack of calls, and arcs.
 */
#ifndef NYTP_TMON_H
#define NYTP_TMON_H

#include "reader.h"
#include "stringtable.h"

/* Sub and arc numbers count from 0; one of these means there is none. */
#define NYTP_TMON_NONE UINT32_MAX

enum { NYTP_TMON_FID = 1, NYTP_TMON_PID = 1 };

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
    uint64_t entered; /* key of the enter mark, which its exit bears, after a goto too */
    uint64_t running; /* key of what a goto put in its place; else the same */
    uint32_t sub;
    uint32_t recursion;    /* calls of the same sub below it */
    double entered_ticks;  /* corrected */
    double children_ticks; /* corrected inclusive time of the calls it made */
} nytp_tmon_frame;

typedef struct nytp_tmon_calls {
    nytp_strings *names, *ids, *pairs; /* of subs; far ids to their place in far_ids; of arcs */
    nytp_tmon_sub *subs;
    uint32_t sub_room;
    uint32_t *near_ids, *far_ids; /* subs of ids; NYTP_TMON_NONE: not defined */
    uint32_t near_room, far_room;
    nytp_tmon_arc *arcs;
    uint32_t arc_room;
    nytp_tmon_frame *frames;
    size_t depth, frame_room;
    bool want_arcs;
} nytp_tmon_calls;

/* Negative when out of memory, here and below. */
int nytp_tmon_calls_init(nytp_tmon_calls *calls);
void nytp_tmon_calls_clear(nytp_tmon_calls *calls);

/* The number of the sub of that name, which is made known. */
int64_t nytp_tmon_sub_of_name(nytp_tmon_calls *calls, const char *name, size_t length);

/* The same for package and name; id_text, if not NULL, is put behind an anonymous sub's. */
int64_t nytp_tmon_sub_of_parts(nytp_tmon_calls *calls, const nytp_str parts[2], const nytp_str *id_text);

int nytp_tmon_define(nytp_tmon_calls *calls, uint32_t id, uint32_t sub);
uint32_t nytp_tmon_sub_of_id(const nytp_tmon_calls *calls, uint32_t id);

/* entered and running are keys of the frame. */
int nytp_tmon_push(nytp_tmon_calls *calls, uint64_t entered, uint64_t running, uint32_t sub,
                   double now_ticks);
/* Ends the innermost call; fills a SUB_RETURN. */
int nytp_tmon_pop(nytp_tmon_calls *calls, double now_ticks, nytp_chunk *chunk);

enum nytp_tmon_stage { TMON_HEADER, TMON_BEGIN, TMON_MARKS, TMON_UNWIND, TMON_SUBS, TMON_ARCS, TMON_END };

struct nytp_tmon {
    nytp_dprof_options options;
    nytp_tmon_calls calls;
    enum nytp_tmon_stage stage;
    uint32_t step;    /* within a stage that reads no lines */
    size_t in_line;   /* HEADER: where the line goes on, behind an assignment */
    uint32_t entered; /* sub whose SUB_ENTRY is due, after the SUB_RETURN of a goto; or NYTP_TMON_NONE */
    /* What the header says; ticks of user, system and real time. */
    double hz;
    double run_ticks; /* real; NaN: the profiler did not get to its end, where it writes it */
    double over_ticks[3];
    double over_tests;
    /* Time, in ticks of the clock chosen. */
    double weights[3];        /* of user, system and real time in it */
    double mark_ticks;        /* what one mark costs */
    double time_ticks;        /* as recorded */
    double profiler_ticks;    /* of it, what the profiler took */
    double write_began_ticks; /* NaN: it is not writing */
    /* What was missing. */
    bool just_defined; /* an id, and no call since */
    bool no_more;      /* marks */
    bool cut;          /* the end of the last line, or of the header */
    size_t unwind_to;  /* UNWIND: frames to leave on the stack */
    uint64_t unclosed;
    char unclosed_names[256]; /* the first of them */
    char text[64];            /* of an attribute */
};

static inline double nytp_tmon_now(const struct nytp_tmon *t)
{
    return t->time_ticks - t->profiler_ticks;
}

/* The first line, which is all there is to tell a tmon.out by. Makes r->tmon and a VERSION chunk. */
enum progress nytp_tmon_begin(nytp_reader *r, nytp_chunk *chunk, nytp_cursor *c);
void nytp_tmon_free(struct nytp_tmon *tmon); /* NULL is fine */

/* The reader's next chunk, whatever the stage. */
int nytp_tmon_next(nytp_reader *r, nytp_chunk *chunk);

/* Each takes a line, at r->at and without its end. WHOLE: a chunk; SKIPPED: none came of it; FAILED. The line
 * is done with unless in_line or the stage say that there is more to it. */
enum progress nytp_tmon_take_header(nytp_reader *r, const nytp_str *line, nytp_chunk *chunk);
enum progress nytp_tmon_take_mark(nytp_reader *r, const nytp_str *line, nytp_chunk *chunk);

void nytp_tmon_fill_entry(const nytp_tmon_calls *calls, uint32_t sub, nytp_chunk *chunk); /* a SUB_ENTRY */
void nytp_tmon_end_marks(struct nytp_tmon *t);

/* The same for a last line that has no end, and so may be a part of one. */
enum progress nytp_tmon_take_rest(nytp_reader *r, const nytp_str *line, nytp_chunk *chunk);

#endif
