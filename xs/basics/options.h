/* The options: values of the NYTPROF variable. Their names and defaults are in the tables of options.c. */
#pragma once

#include "prof.h"

enum prof_start { PROF_START_BEGIN, PROF_START_INIT, PROF_START_END, PROF_START_NO };

/* The texts are malloc()ed. */
typedef struct prof_options {
    char *file;
    char *log;     /* NULL: standard error */
    char *sigexit; /* names of signals, with blanks between them; NULL if none */
    char *labels;  /* which labels (labels/rules.h); NULL if none */
    int addpid, addtimestamp, trace;
    int start; /* enum prof_start */
    int optimize, nameevals, nameanonsubs;
    int subs, stmts, blocks, leave, slowops, calls, findcaller;
    int use_db_sub, compress, clock, posix_exit, libcexit, endatexit, forkdepth;
    int thread;                            /* a thread writes the file */
    int strict;                            /* die if no file can be written */
    int usecputime, expand, perldb, evals; /* recorded in the file, without effect */
    int labelmax, labellen;                /* labels of a sub; bytes of a label */
    int waits;                             /* measure how long the program is off its processor */
    int heap;                              /* profile memory: 0, 1, or one sample in so many bytes */
    int heap_holders;                      /* at moments that are named, say which variables hold it */
    /* As given. blocks and leave are 0 where stmts or use_db_sub forbid them. savesrc is 0 with heap unless
     * it is given, since what it keeps would be a large part of the program's memory. */
    int blocks_given, leave_given, savesrc_given;
    int savesrc;
    bool started;                            /* the program runs; see prof_options_start() */
    int most_stmts, most_subs, most_slowops; /* then the largest values of these options */
} prof_options;

/* What must follow when an option changes at run time; control.c does it. */
typedef enum prof_change {
    PROF_CHANGE_NONE,
    PROF_CHANGE_FILE,
    PROF_CHANGE_LOG,
    PROF_CHANGE_BLOCKS,   /* whether statements have blocks */
    PROF_CHANGE_BUILTINS, /* the names of built-ins */
    PROF_CHANGE_FORKS
} prof_change;

/* Sets the defaults, and then what text, the value of NYTPROF, says. text may be NULL. Warns about unknown
 * options, and croaks if start has an unknown value. */
void prof_options_parse(pTHX_ prof_options *options, const char *text);

/* Call it when op handlers have been replaced as the options say. Warns about options that others leave
 * without effect. From here on, an option that only the start can set does not change. */
void prof_options_start(pTHX_ prof_options *options);

/* Sets one option. Warns if that has no effect. Returns what follows from it. */
prof_change prof_options_set(pTHX_ prof_options *options, const char *key, const char *value);

/* to takes copies of the texts. */
void prof_options_copy(prof_options *to, const prof_options *from);
void prof_options_free(prof_options *options);

/* Calls put for each numeric option that a profile records, in the order of the file format, with the value
 * that was given. */
void prof_options_each(const prof_options *options, void (*put)(void *context, const char *key, int value),
                       void *context);
