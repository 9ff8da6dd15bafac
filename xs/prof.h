/* What the rooms of the collector share: one context per interpreter.
 *
 *   NYTProf.xs    glue to perl
 *   options.c     the NYTPROF variable
 *   context.h     the context, and the hot path's windows, inline
 *   clock.h       time, inline
 *   files.c       fids
 *   statements.c  nextstate and the ops that leave blocks
 *   subs.c        entersub, frames
 *   goto.c        goto &sub
 *   calls.h       who is called, inline
 *   names.c       subs by their names
 *   arcs.c        sums of calls, by caller, called sub and line
 *   subinfo.c     where subs stand
 *   slowops.c     the built-ins that are shown as subs
 *   syscall.c     syscall(), which meets our thread
 *   life.c        loading, fork, exit, exec, threads
 *   control.c     start and stop, options that change
 *   phases.c      start=, ends, signals
 *   session.c     a recording, from its first chunk to its last
 *   output.c      blocks of events
 *   outthread.c   the thread that compresses and writes them
 *   outfile.c     the file
 *   table.c       numbered strings, memory
 *   test.c        what Devel::NYTProf::Test has
 */
#ifndef PROF_H
#define PROF_H

#define PERL_NO_GET_CONTEXT
#include "EXTERN.h"
#include "perl.h"
#include "XSUB.h"

#include "output.h"

/* ---- options (options.c) ---- */

typedef enum prof_start { PROF_START_BEGIN, PROF_START_INIT, PROF_START_END, PROF_START_NO } prof_start;

/* Names and defaults are those of the NYTPROF variable. */
typedef struct prof_options {
    char *file; /* malloc()ed */
    char *log;  /* malloc()ed; NULL: stderr */
    int addpid, addtimestamp, trace;
    prof_start start;
    int optimize, savesrc, nameevals, nameanonsubs;
    int subs, stmts, blocks, leave, slowops, calls, findcaller;
    int use_db_sub, compress, clock, posix_exit, libcexit, endatexit, forkdepth;
    int usecputime, expand, perldb, evals; /* nothing but lines in the file */
    int blocks_given, leave_given;         /* as given; above, what stmts and use_db_sub leave of them */
    char *sigexit;                         /* malloc()ed: signal names with blanks between; NULL: none */
} prof_options;

/* Defaults, then the pairs of text (NYTPROF's value, may be NULL). Warns of unknown options, croaks of a bad
 * start. */
void prof_options_parse(pTHX_ prof_options *options, const char *text);
void prof_options_set(pTHX_ prof_options *options, const char *key, const char *value);
void prof_options_free(prof_options *options); /* what it points to */

/* Calls put for each numeric option that a profile tells, in the order of the file
 * format and as it was given. Stock writes the clock in use for -1: life.c stores
 * that in clock before. */
void prof_options_each(const prof_options *options, void (*put)(void *context, const char *key, int value),
                       void *context);

/* ---- life (life.c) ---- */

/* At load: options, $^P, op handlers. Profiling begins with prof_enable(), or prof_begin_profile(), as start
 * says. */
void prof_load(pTHX);
/* A new ithread's interpreter. */
void prof_clone(pTHX);

/* ---- control (control.c) ---- */

/* Each returns the former state. file NULL or empty: keep the current one. */
bool prof_enable(pTHX_ const char *file);
/* The same before a statement of the program runs. */
bool prof_begin_profile(pTHX);
bool prof_disable(pTHX);
bool prof_finish(pTHX);
/* For perl's side: when to start (PROF_START_...), whether to wrap POSIX::_exit, which signals. */
const prof_options *prof_options_of(pTHX);
void prof_set_option(pTHX_ const char *key, const char *value);
/* DB::DB with use_db_sub=1. */
void prof_db_sub(pTHX);

/* For Devel::NYTProf::Test: ticks that a usleep took on the clock in use; *overflow: what was lost to 32 bits
 * (0). */
void prof_ticks_for_usleep(pTHX_ long us, double *elapsed_ticks, double *overflow, double *ticks_per_s,
                           int *clock_id);

#endif
