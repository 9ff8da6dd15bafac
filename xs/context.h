/* The context: all that the collector knows of one interpreter, and the
 * inline parts of the hot path.
 *
 * Time that is measured is active time: counts of the clock less those spent in
 * the profiler (overhead). A window is a stretch in which the profiler works:
 * it opens with prof_open_window() and ends with prof_close_window(), which adds
 * it to the overhead.
 *
 * Reading the clock is most of a window's cost (11 of 17 ns on a Zen 3 under
 * KVM), so windows are not read at both ends: of each kind one in PROF_SAMPLE is, and
 * those in which something rare was done; the others are taken to last as long
 * as their kind did lately.
 */
#ifndef PROF_CONTEXT_H
#define PROF_CONTEXT_H

#include "prof.h"

#include "clock.h"
#include "table.h"

/* What a COP's file and line are in the stream, looked up by the COP. Of two COPs
 * at one address, one after the other, the later has the larger cop_seq. */
typedef struct prof_place {
    const COP *cop;
    U32 seq;
    uint32_t fid, line;                      /* line 0: the optimizer took it away */
    unsigned char encoded[2 * NYTP_U32_MAX]; /* fid and line, as in a TIME chunk */
    uint8_t length;                          /* of encoded */
} prof_place;

typedef struct prof_file {
    uint32_t eval_fid, eval_line, flags;
    char *name; /* as written */
    size_t name_length;
    bool utf8;
    bool written; /* NEW_FID, in the current output */
} prof_file;

typedef struct prof_sub {
    unsigned char *encoded; /* its name as a str of the stream */
    size_t encoded_length;
    uint32_t package_length; /* bytes of the name before its last "::" */
    bool xsub;               /* or built-in */
    bool called;             /* in the current output */
    bool seen;               /* called in any, those of the processes that this one was forked from too */
    bool mark_written;       /* the SUB_CALLERS that says xsub, in the current output */
    bool leaves;             /* POSIX::_exit: does not come back */
    /* Of a BEGIN block: where it was defined, for perl forgets it; fid 0: ask %DB::sub. */
    uint32_t fid, first_line, last_line;
    uint32_t info_fid, info_first, info_last; /* of the SUB_INFO in the current output; info_fid 0: none */
} prof_sub;

/* What has been added since it was last written. */
typedef struct prof_arc {
    uint32_t caller, called, fid, line;
    uint32_t max_depth;
    uint64_t count; /* hours may go by, of many millions a second */
    int64_t incl_ticks, excl_ticks, reci_ticks;
} prof_arc;

/* A call that has not returned. */
typedef struct prof_frame {
    uintptr_t serial; /* rises with every call; how its end finds it */
    uint32_t called;
    uint32_t arc;       /* its index */
    uint32_t recursion; /* calls of the same sub around it */
    I32 context;        /* the sub's, on perl's context stack; PROF_NO_CONTEXT: an xsub, or a built-in */
    int64_t start_ticks, child_ticks;
} prof_frame;

/* "FILE:FIRST-LAST" of %DB::sub. file points into perl's string. */
typedef struct prof_range {
    const char *file;
    STRLEN file_length;
    uint32_t first_line, last_line;
} prof_range;

#define PROF_SUB_NONE   UINT32_MAX
#define PROF_NO_CONTEXT (-1)
#define PROF_MIX        UINT64_C(0x9E3779B97F4A7C15) /* for hashes, which are in the upper bits of a product */

typedef enum prof_window {
    PROF_WINDOW_STATEMENT,
    PROF_WINDOW_ENTER,  /* a call begins */
    PROF_WINDOW_END,    /* a call ends */
    PROF_WINDOW_SHARED, /* the statement that goes on after it, by the same reading of the clock */
    PROF_WINDOWS
} prof_window;

enum {
    PROF_SAMPLE = 64,
    PROF_FIRST_SAMPLES = 8, /* of windows one after the other, until one in PROF_SAMPLE will do */
    PROF_PLACE_BITS = 12,
    PROF_PLACES = 1 << PROF_PLACE_BITS,
    PROF_CALL_BITS = 11,
    PROF_CALLS = 1 << PROF_CALL_BITS
};

typedef struct prof {
    struct prof *next;               /* of all contexts */
    _Atomic(PerlInterpreter *) perl; /* whose it is; NULL: nobody's, and what follows is empty */
    prof_output *out;                /* NULL: no file is open; set with the contexts locked */
    bool enabled, stmts_on, subs_on;
    prof_clock clock;
    uint64_t overhead;                    /* counts since the start, idle ones too */
    uint64_t idle;                        /* of these, waiting in accept() */
    _Atomic uint64_t checkpoint_at;       /* count at which to write what is durable; 0: a fork happened */
    uint64_t opened_at, sums_at;          /* counts: when the output was opened, and when sums are due */
    uint32_t window_counts[PROF_WINDOWS]; /* what a window of the kind lasts */
    uint32_t windows_left[PROF_WINDOWS];  /* until one is measured again */
    uint8_t window_samples[PROF_WINDOWS]; /* that were measured, up to PROF_FIRST_SAMPLES */
    bool rare;                            /* what was done since the last one that was */
    uint64_t end_read;                    /* the clock, when a call ended last: for the op that ended it */
    int64_t end_ticks;                    /* active time then */
    uint8_t time_tag;                     /* TIME_LINE or TIME_BLOCK */

    /* statements */
    const unsigned char *place; /* encoded, of the statement that runs: in places, or kept_place */
    uint8_t place_length;       /* 0: none runs */
    unsigned char kept_place[4 * NYTP_U32_MAX];
    int64_t stmt_ticks;   /* active time at its start */
    int64_t paused_ticks; /* what it had run when profiling was disabled */
    prof_place *places;   /* a cache, and behind it one slot for places that cannot be kept */

    /* subs */
    prof_frame *frames;
    uint32_t frame_count, frame_room;
    uintptr_t serial;
    struct prof_cv_key *cv_keys; /* (stash name, sub name) to sub */
    uint32_t cv_key_count, cv_key_mask;
    struct prof_call *calls;        /* a cache, and behind it one slot for calls that cannot be kept */
    uint32_t runtime_sub, null_sub; /* who calls from outside; PROF_SUB_NONE until needed */
    uint32_t begin_duplicates;      /* BEGIN blocks that would have had the name of an earlier one */
    prof_table *sub_names;          /* number: index of subs */
    prof_sub *subs;
    uint32_t sub_room;
    prof_arc *arcs;
    uint32_t arc_count, arc_room;
    uint32_t *arc_slots, arc_mask; /* number + 1 of the arc */

    /* files; fid n is files[n - 1] */
    prof_table *file_names; /* as perl has them, to fid - 1 */
    prof_file *files;
    uint32_t file_room;
    uint32_t files_before_end; /* that was written before exec */
    prof_table *piece_names;   /* of what AutoSplit made of files */
    uint32_t *piece_fids, piece_room;

    prof_options options;
    bool path_is_given; /* by DB::enable_profile(): no thread's number is added */
    char *path;         /* of the options or the last DB::enable_profile(), without pid and time */
    int forks_left;     /* generations that are still profiled; -1: all */
    bool too_deep;      /* this one is not */
    bool forked_child;  /* since the last event; its output and sums are still the parent's */
    int forks_unseen;   /* generations since then */
    bool is_child;      /* its path gets the process's number */
    unsigned thread;    /* 0: the first interpreter */
    _Atomic bool ends;  /* the process, from another thread, which completes the output */
    _Atomic bool stopped;
    pid_t pid;                     /* that the output is of */
    thrhook_proc_t destruct_below; /* what perl would have called at its end */
    bool begins_at_end;            /* with start=end, and no END block that it could begin before */
    bool stderr_known;
    bool stderr_lost; /* it was closed; what has its descriptor later is something else */
    dev_t stderr_device;
    ino_t stderr_inode;
} prof;

/* ---- the context of an interpreter ---- */

#ifdef PERL_IMPLICIT_CONTEXT
#define PROF_PERL aTHX
#else
#define PROF_PERL PL_curinterp
#endif

/* The one that this thread used last. A context's memory is never given back, so it can be asked whose
 * it is now, whatever became of it. Perl's own place for such things, MY_CXT, would not do: op handlers
 * run in interpreters too that have not loaded the module, and there it holds anything. */
extern _Thread_local prof *prof_latest __attribute__((tls_model("initial-exec")));

/* Looks through all of them. NULL where the module was not loaded, or for a clone that has none of its own
 * yet. */
prof *prof_find(const PerlInterpreter *perl);

static inline prof *prof_of(pTHX)
{
    prof *p = prof_latest;
    if (LIKELY(p != NULL && atomic_load_explicit(&p->perl, memory_order_relaxed) == PROF_PERL))
        return p;
    return prof_find(PROF_PERL);
}

/* The handlers that were there before, by op type; ours end in them. */
extern Perl_ppaddr_t prof_original[MAXO + 1];

/* What is run instead. It serves one type and does not ask PL_op for it: that may be an op of a module's own,
 * which calls the handler of a perl op. */
typedef struct prof_handler {
    U16 op_type;
    Perl_ppaddr_t run;
} prof_handler;

/* Handlers that are alike but for what they serve: a list of ops, OPS(OP) as OP(MATCH) OP(SORT) ..., for each
 * of which there is a handle_MATCH(); and the function that gives them all to use(). */
#define PROF_HANDLER_ROW(name) {OP_##name, handle_##name},
#define PROF_DEFINE_EACH(function, OPS)                                                                      \
    void function(void (*use)(const prof_handler *handler))                                                  \
    {                                                                                                        \
        static const prof_handler handlers[] = {OPS(PROF_HANDLER_ROW)};                                      \
        for (size_t i = 0; i < C_ARRAY_LENGTH(handlers); i++)                                                \
            use(&handlers[i]);                                                                               \
    }

/* ---- windows ---- */

/* In prof_open_window() when its time has come; false: do not profile. */
bool prof_checkpoint(pTHX_ prof *p, uint64_t now);

/* The next checkpoint is some 0.4 s away, which is less than 2^32 counts; if it is not, the counter went
 * back. */
static inline bool prof_before_checkpoint(const prof *p, uint64_t now)
{
    return (atomic_load_explicit(&p->checkpoint_at, memory_order_relaxed) - now) >> 32 == 0;
}

/* wanted: p->stmts_on or subs_on, which may have changed when it is time. */
static inline bool prof_open_window(pTHX_ prof *p, const bool *wanted, uint64_t *now)
{
    *now = prof_now(&p->clock);
    return LIKELY(prof_before_checkpoint(p, *now)) || (prof_checkpoint(aTHX_ p, *now) && *wanted);
}

static inline int64_t prof_active_ticks(const prof *p, uint64_t now)
{
    return prof_ticks(&p->clock, now - p->overhead);
}

/* Something is done that windows do not do: this one is measured, and not taken for usual. */
static inline void prof_note_rare(prof *p)
{
    p->rare = true;
    memset(p->windows_left, 0, sizeof p->windows_left);
}

/* Adds what the window lasted and keeps it in mind. Not for the hot path. */
void prof_measure_window(prof *p, prof_window kind, uint64_t opened);

static inline void prof_close_window(prof *p, prof_window kind, uint64_t opened)
{
    if (UNLIKELY(p->windows_left[kind] == 0)) {
        prof_measure_window(p, kind, opened);
        return;
    }
    p->windows_left[kind]--;
    p->overhead += p->window_counts[kind];
}

/* Room in the output; waiting for it is a rare thing. */
static inline unsigned char *prof_room(prof *p)
{
    unsigned char *at = atomic_load_explicit(&p->out->at, memory_order_relaxed);
    if (LIKELY(at <= p->out->limit))
        return at;
    prof_note_rare(p);
    return prof_output_next_block(p->out);
}

/* ---- files.c ---- */

/* The fid of a file by perl's name for it; via: NYTP_FID_VIA_STMT or _SUB, should it be new. */
uint32_t prof_fid(pTHX_ prof *p, const char *name, STRLEN length, bool utf8, uint32_t via);
/* 0: never seen. */
uint32_t prof_fid_if_known(prof *p, const char *file, STRLEN length);
uint32_t prof_file_count(const prof *p);
/* A path against the directory of now, without "./"; malloc()ed. */
char *prof_absolute(const char *path, size_t length, size_t *whole_length);
/* Perl's name for a string eval, or for code in a regular expression. */
bool prof_is_eval(const char *name, STRLEN length);
/* NEW_FID for the files from first_fid on, in an output that has none of these. */
void prof_files_write(prof *p, uint32_t first_fid);
/* SRC_LINE for the files up to last_fid that have source. */
void prof_files_write_source(pTHX_ prof *p, uint32_t last_fid);

/* ---- statements.c ---- */

/* Fills a slot for cop: the one it is looked for in, or one that is not kept. NULL, as PL_curcop is while the
 * code that ran goes away and destroys an object: for the statement that called that code. */
const prof_place *prof_place_find(pTHX_ prof *p, prof_place *slot, const COP *cop, uint32_t via);

static inline prof_place *prof_place_slot(const prof *p, const COP *cop)
{
    uint64_t hash = ((uint64_t)(uintptr_t)cop >> 3) * PROF_MIX;
    return &p->places[hash >> (64 - PROF_PLACE_BITS)];
}

/* The slot of cop, filled. Valid until the next call. */
static inline const prof_place *prof_place_of(pTHX_ prof *p, const COP *cop, uint32_t via)
{
    prof_place *slot = prof_place_slot(p, cop);
    if (LIKELY(slot->cop == cop && slot->seq == cop->cop_seq))
        return slot;
    return prof_place_find(aTHX_ p, slot, cop, via);
}

/* Ends the statement that runs, and the window that was opened; PL_curcop's begins. */
void prof_statement(pTHX_ prof *p, uint64_t now);
/* Ends the statement that runs; none begins. */
void prof_statement_end(prof *p, uint64_t now);
/* Profiling is disabled and enabled: the one that was interrupted ends, and the one that enables begins. */
void prof_statement_pause(prof *p, uint64_t now);
void prof_statement_resume(pTHX_ prof *p, uint64_t now);
/* The option blocks changes while one runs, or is paused. */
void prof_statement_retag(prof *p);
OP *prof_pp_nextstate(pTHX);
OP *prof_pp_dbstate(pTHX);
OP *prof_pp_exit(pTHX);
/* Those of the ops that leave a statement for one that has begun before. */
void prof_each_leave(void (*use)(const prof_handler *handler));
OP *prof_pp_leavewrite(pTHX); /* where it is no slow built-in */
/* Whether perl, up to that context of the current stack, was called by a program that does other things
 * between its calls, and not by perl_run(). What runs until the next call is no statement's time. */
bool prof_is_called_by_host(pTHX_ I32 context);
void prof_leave_perl(pTHX_ prof *p);
/* The statement that runs ends; time goes on with the same one, which is not counted again. */
void prof_leave_statement(pTHX_ prof *p);

/* ---- subs.c ---- */

OP *prof_pp_entersub(pTHX);
OP *prof_slowop(pTHX_ int op_type);
OP *prof_pp_accept(pTHX);
OP *prof_pp_goto(pTHX);    /* goto.c */
OP *prof_pp_syscall(pTHX); /* syscall.c */
/* Writes the returns of all open calls. */
void prof_frames_write_open(prof *p, int64_t active_ticks);
/* All open calls begin anew. */
void prof_frames_restart(prof *p, int64_t active_ticks);

/* ---- names.c ---- */

uint32_t prof_sub_of_cv(pTHX_ prof *p, CV *cv);
/* Whether all CVs of that name are one sub. */
bool prof_name_is_one_sub(const HEK *name);
/* One that is not defined, by its glob. */
uint32_t prof_sub_of_gv(pTHX_ prof *p, GV *gv);
/* The sub that a built-in is shown as. */
uint32_t prof_sub_of_op(pTHX_ prof *p, int op_type);
/* Who calls when no profiled sub does: a sub that was entered before, main::RUNTIME or
 * main::NULL. context: the innermost one, by its place on perl's context stack. */
uint32_t prof_sub_outside(pTHX_ prof *p, I32 context);
nytp_str prof_sub_name(const prof *p, uint32_t sub);
/* Built-ins are to be named otherwise: all are asked for their names anew. */
void prof_names_forget(pTHX_ prof *p);
/* Lets go of perl's strings. */
void prof_names_free(pTHX_ prof *p);

/* ---- arcs.c ---- */

void prof_arc_add(prof *p, const prof_frame *frame, int64_t incl_ticks, int64_t excl_ticks);
/* SUB_CALLERS for what was added since the last time. */
void prof_arcs_write(prof *p);
/* The sums. */
void prof_arcs_forget(prof *p);

/* ---- life.c ---- */

/* For what forks, and the end of the process, in other threads must not meet half done. */
void prof_contexts_lock(void);
void prof_contexts_unlock(void);
/* Does not return if another thread ends the process. */
void prof_stop_if_process_ends(prof *p);
OP *prof_pp_exec(pTHX);

/* ---- session.c: a recording, from opening an output to its last chunk ---- */

/* False after saying why not. */
bool prof_session_open(pTHX_ prof *p);
/* What is durable is written, so that a killed process leaves it; the sums of calls only when they are due,
 * for with many subs they are large, and all of them change all the time. */
void prof_session_save(pTHX_ prof *p, uint64_t now);
/* All the rest is written; perl_lives: it can be asked. Nothing where no output is open. */
void prof_session_close(pTHX_ prof *p, bool perl_lives);
/* The same with the contexts locked, and what is open stays in memory. */
void prof_session_end(pTHX_ prof *p, bool perl_lives);
/* Before exec: the file is made whole; resume takes that back. */
void prof_session_end_for_now(pTHX_ prof *p);
void prof_session_resume(prof *p);

/* ---- control.c ---- */

void prof_set_path(prof *p, const char *path);
void prof_set_log(prof *p); /* the one of the options is new */
/* Knows standard error as what perl has for it now. */
void prof_know_stderr(pTHX_ prof *p);
/* A message, to the file of log=, or to standard error as long as it is what was known last. */
void prof_say(const prof *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- subinfo.c ---- */

/* Where a sub stands, by %DB::sub. False: not there. */
bool prof_sub_range(pTHX_ const char *name, STRLEN length, bool utf8, prof_range *range);
/* SUB_INFO of a sub that is called for the first time in this output. */
void prof_sub_info_write(pTHX_ prof *p, uint32_t number);
/* Of those whose file was not known then. */
void prof_sub_infos_catch_up(pTHX_ prof *p);
/* Of all the others that have a file. */
void prof_sub_infos_write(pTHX_ prof *p);
/* A new output knows of none. */
void prof_sub_infos_forget(prof *p);

#endif
