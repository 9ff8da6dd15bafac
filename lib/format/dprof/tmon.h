/* A tmon.out, which is what Devel::DProf writes, read as the chunks of a nytprof.out.
 *
 * tmon.c goes from line to line, tmonhead.c knows the header, tmonmark.c the marks, and
 * tmoncalls.c keeps what they tell: subs, the stack of calls, and arcs.
 */
#ifndef NYTP_FORMAT_DPROF_TMON_H
#define NYTP_FORMAT_DPROF_TMON_H

#include "format/dprof/tmoncalls.h"
#include "format/input.h"
#include "format/primitives.h"

#include <string.h>

enum { NYTP_TMON_FID = 1, NYTP_TMON_PID = 1 };

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

#endif
