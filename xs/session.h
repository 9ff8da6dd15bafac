/* A recording: from opening the file to its last chunk. */
#ifndef PROF_SESSION_H
#define PROF_SESSION_H

#include "prof.h"

typedef struct prof_session {
    char *path;         /* absolute, without the process number and the time that are appended */
    bool path_is_given; /* by DB::enable_profile(): no thread number is appended */
    uint64_t opened_at; /* count at which the output was opened */
    uint64_t sums_at;   /* count at which the sums of calls are written next */
    uint32_t files_before_exec;
} prof_session;

void prof_session_clear(prof_session *session);

/* Sets the path, as seen from the current directory. */
void prof_session_set_path(prof_session *session, const char *path);

/* Opens the file and writes the header. Returns false after printing the reason. */
bool prof_session_open(pTHX_ prof *p);

/* The counter has leapt, or went back: intervals are counted from now. */
void prof_session_restart(prof_session *session, uint64_t now);

/* Writes what a killed process would lose. The sums of calls are written only when they are due: with many
 * subs they are large, and all of them change all the time. */
void prof_session_save(pTHX_ prof *p, uint64_t now);

/* Writes the rest and closes the output, if one is open. perl_lives: perl can still be asked. */
void prof_session_close(pTHX_ prof *p, bool perl_lives);

/* The same for an open output, called with the contexts locked. The output stays in memory. */
void prof_session_end(pTHX_ prof *p, bool perl_lives);

/* Completes the file before exec, and takes that back if exec has failed. */
void prof_session_end_for_exec(pTHX_ prof *p);
void prof_session_resume(prof *p);

#endif
