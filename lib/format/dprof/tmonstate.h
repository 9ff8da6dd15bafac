/* What the reader of a tmon.out knows while it reads. tmon.c, tmonhead.c and tmonmark.c work on it. */
#pragma once

#include "format/dprof/tmoncalls.h"
#include "format/reader.h"

#include <string.h>

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
