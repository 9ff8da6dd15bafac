/* A recording: from opening the file to its last chunk. */
#pragma once

#include "basics/usage.h"
#include "prof.h"

typedef struct prof_session {
    char *path;                 /* absolute, without the process number and the time that are appended */
    bool path_is_given;         /* DB::enable_profile() has set it: no thread number is appended */
    uint64_t opened_at;         /* count at which the output began */
    uint64_t opened_overhead;   /* the overhead until then, in a child also that of its parent */
    uint64_t sums_at;           /* count at which the sums of calls are written next */
    uint32_t files_before_exec; /* how many files were known then */
    prof_cpu_times cpu_times;   /* of this output ... */
    double cpu_wait_s;          /* ... of which wait_s, as it was written last */
    bool resumes;               /* the file has an end that is cut off at the next event */
} prof_session;

void prof_session_free(prof_session *session);

/* Sets the path. Relative paths start at the current directory. */
void prof_session_set_path(prof_session *session, const char *path);

/* Opens the file and writes the header. Returns false after printing the reason. */
bool prof_session_open(pTHX_ prof *p);

/* Call it when the counter has leapt or went back: intervals are counted from now. */
void prof_session_restart(prof_session *session, uint64_t now);

/* Writes what the collector still holds in memory, so that a killed process does not lose it. The sums of
 * calls are written more rarely, since there may be very many. */
void prof_session_save(pTHX_ prof *p, uint64_t now);

/* Writes the rest and closes the output, if one is open. perl_lives: the interpreter still has its data. */
void prof_session_close(pTHX_ prof *p, bool perl_lives);

/* prof_session_close() for an open output, with the contexts locked. Does not free the output. */
void prof_session_end(pTHX_ prof *p, bool perl_lives);

/* Completes the file before exec; continues it after an exec that has failed. */
void prof_session_end_for_exec(pTHX_ prof *p);
void prof_session_resume(prof *p);

/* Completes the file before code that may end the process without a word. If the program goes on, the file is
 * continued at the next event (prof_checkpoint()). */
void prof_session_end_for_now(pTHX_ prof *p);
