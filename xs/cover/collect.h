/* Which code has run: what `perl -MDevel::NYTProf::Cover` loads, a shared object of its own beside the
 * collector. Each file here uses only files above it, and base, format and a few of xs/basics and xs/output:
 *
 *   coverfile.c    the file: chunks in memory that is mapped to it
 *   texts.c        the files and string evals whose code is recorded
 *   points.c       units of code and the points in them that can run
 *   watch.c        the op handlers that watch for that, and take themselves out
 *   sites.c        finds what can run in a tree of ops
 *   operands.c     finds how operators go together, and what shows the values of right operands
 *   compile.c      sees all code as perl has compiled it
 *   Cover.xs       the start, which Cover.pm calls
 *
 * Nothing of the program changes: perl compiles as without it, no reference keeps code alive, and nothing
 * here refers to an op that has no instrument. An op that is watched has another op_ppaddr for a while. It is
 * what perl shares between threads and copies to forked children, so all of this is of the process, under one
 * lock.
 *
 * What is recorded is in the file as soon as it has happened: exec(), _exit() and SIGKILL lose nothing.
 */
#pragma once

#include "prof.h"

#include "format/cover.h"
#include "nytprof.h"

#ifdef PERL_DEBUG_READONLY_OPS
#error "this perl keeps ops in memory that cannot be written, which coverage needs"
#endif

/* The lock of all of xs/cover/. While a thread has it, its signals are blocked: a handler that perl runs at
 * once would wait for it. errno stays. */
typedef struct prof_cover_guard {
    sigset_t signals;
    int error_number;
} prof_cover_guard;
prof_cover_guard prof_cover_lock(void);
void prof_cover_unlock(const prof_cover_guard *guard);

/* coverfile.c: all functions are called with the lock. */

/* Sets where the recording goes: to path, or with add_pid to path.PID, which then replaces no other. Both
 * texts must live as long as the process. */
void prof_coverfile_set(const char *path, const char *directory, const char *program, bool add_pid);

/* Creates the file. If it cannot, prints why, and nothing is recorded. */
void prof_coverfile_open(void);

/* Returns the number of the file that is written: another in a forked child, 0 if there is none. Each file
 * has all that its chunks refer to. In a child that has nothing new, there is no file; begin creates it. */
uint32_t prof_coverfile_number(bool begin);

/* Appends a chunk. */
void prof_coverfile_chunk(const nytp_chunk *chunk);

/* texts.c */

/* What the points of a unit are lines of: a file or a string eval. */
typedef uint32_t prof_cover_text; /* 0: code that is not recorded */

/* Sets the directory of the project, an absolute path without links. */
void prof_texts_set_directory(const char *directory);

/* Returns the text that perl compiles now; file is the one that perl says it is in (CopFILE). */
prof_cover_text prof_text_compiled(pTHX_ const char *file);

bool prof_text_is_eval(prof_cover_text text);

/* How often it was compiled before. */
uint32_t prof_text_round(prof_cover_text text);
void prof_text_end_round(prof_cover_text text);

/* Writes it, unless the file with this number has it. */
void prof_text_write(prof_cover_text text, uint32_t file_number);

/* points.c: units and what was seen of their points, which are numbered through all units. */

/* What can run in code that was compiled, as compile.c has found it. */
typedef struct prof_cover_site {
    OP *op; /* that shows it; NULL if the point is an alias */
    OP *value_op; /* when it runs, the right operand's value is on the stack; NULL if none shows that */
    const OP *whole_value_op; /* the same, of the last operator in the right operand */
    bool tells;               /* it is a teller, as prof_watch() has it */
    prof_cover_text text;
    nytp_cover_point point;
} prof_cover_site;

typedef struct prof_cover_name {
    enum nytp_cover_kind kind;
    nytp_str sub; /* empty if it is none */
} prof_cover_name;

/* Records a unit, or finds the same one of an earlier compilation. All sites are of one text. Returns the
 * number of its first point. */
uint32_t prof_unit_add(const prof_cover_site *sites, uint32_t count, const prof_cover_name *name);

/* What was seen of a point: bits of nytp_cover_outcome. */
uint32_t prof_point_seen(uint32_t point);
void prof_point_see(uint32_t point, enum nytp_cover_outcome outcome);

/* watch.c */

/* What is seen when an op runs: that it does; which way it goes; whether the value of the right operand that
 * it follows is true. A teller is an operator that leads to the op that shows such a value, also without its
 * right operand. */
enum prof_watched { PROF_STATEMENT, PROF_OPERATOR, PROF_TELLER, PROF_VALUE };

/* Has the op watched for what was not seen of the point yet. What an operator leads to is to be watched
 * before it. */
void prof_watch(OP *op, uint32_t point, enum prof_watched what);

/* sites.c */

/* The begin of a statement, as perl has parsed it: the optimizer moves lines from one to another. */
typedef struct prof_cover_begin {
    const OP *op;
    uint32_t line;
    prof_cover_text text;
} prof_cover_begin;

typedef struct prof_cover_begins {
    prof_cover_text text; /* of the first statements */
    prof_cover_begin *of;
    uint32_t count, cap;
} prof_cover_begins;

typedef struct prof_cover_sites {
    prof_cover_site *of;
    uint32_t count, cap;
} prof_cover_sites;

/* Adds what can run in a tree that perl has optimized. The begins were found before that, in the order of
 * prof_next_op(). */
void prof_sites_find(OP *root, const prof_cover_begins *begins, prof_cover_sites *sites);

/* operands.c */

/* Finds which operators are operands of others, and what shows the values of right operands. */
void prof_operands_find(const prof_cover_sites *sites);

/* compile.c */

/* Sees all code that this interpreter and its threads compile from here on. */
void prof_cover_watch_compiler(pTHX);
