/* What stands out in a profile, in plain words.
 *
 * Each rule is a function that looks at one kind of cost. Nothing is guessed: a finding says what was
 * measured.
 *
 *     modules.c    modules that are loaded and not used
 *     calls.c      calls that are many, slow or deep, subs that are hot, and work that no sub has much of
 *     fork.c       where the work forks, and loading
 *     first.c      subs whose first call takes much longer than others
 *     queries.c    statements of SQL that run again and again
 *     spans.c      spans that take much of the work, such as the requests of a route
 *     growth.c     spans that leave values each time
 *     lines.c      lines that take much of the time, or make evals
 *     waits.c      what is not work: other rules take shares without it; whether the machine was busy
 *     processes.c  a process for which the others have to wait
 *     profiler.c   when the profiler's own cost hides the program's
 *     memory.c     of a profile of memory: compiled code, subs that hold much, arenas
 */
#pragma once

#include "calls/durations.h"
#include "calls/growth.h"
#include "calls/kinds.h"
#include "calls/process_times.h"
#include "nytprof-model.h"

enum nytp_rule {
    NYTP_FOUND_UNUSED_MODULE,
    NYTP_FOUND_SHORT_CALLS,
    NYTP_FOUND_HOT_SUB,
    NYTP_FOUND_HEAVY_SUB,
    NYTP_FOUND_EVEN_WORK,
    NYTP_FOUND_LOADING,
    NYTP_FOUND_HOT_LINE,
    NYTP_FOUND_REGCOMP,
    NYTP_FOUND_PATTERN,
    NYTP_FOUND_FILE_CALLS,
    NYTP_FOUND_SAME_FILE,
    NYTP_FOUND_QUERIES,
    NYTP_FOUND_SPAN,
    NYTP_FOUND_GROWTH,
    NYTP_FOUND_EXCEPTIONS,
    NYTP_FOUND_WAITING,
    NYTP_FOUND_BUSY_MACHINE,
    NYTP_FOUND_SLOW_PROCESS,
    NYTP_FOUND_RECURSION,
    NYTP_FOUND_FIRST_CALL,
    NYTP_FOUND_EVALS,
    NYTP_FOUND_MAGIC,
    NYTP_FOUND_PROFILER,
    NYTP_FOUND_COMPILED_CODE,
    NYTP_FOUND_HOLDER,
    NYTP_FOUND_ARENAS,
    NYTP_FOUND_RULES
};

/* The names of the rules, such as "unused-module". */
extern const char *const nytp_rule_names[NYTP_FOUND_RULES];

typedef struct nytp_finding {
    enum nytp_rule rule;
    double ticks;         /* of work or waiting, or bytes; 0 if it concerns perl's values in a process, */
    double values;        /* and how many */
    double share;         /* from 0 to 1, */
    const char *share_of; /* of "the work", "all time", "live memory", or "the values of process 7" */
    const char *text;     /* a sentence; valid UTF-8 on one line */
    size_t share_at;      /* where the text ends with ", 11 % of the work" */
    const char *without_place; /* the same without the place, if it begins with that */
    const char
        *repeated;    /* of repeated-query: "100 for each GET /cat, by main::price"; NULL for other rules */
    const char *path; /* of the file that an editor opens; NULL: not known */
    uint32_t path_line;
    uint32_t sub, span; /* that it is about; UINT32_MAX: none */
    uint32_t around;    /* the sub whose lines do it: of a query the one that runs it, else sub */
    uint32_t fid, line; /* the place that it is about; 0: none */
    uint32_t pid;       /* the process that it is about; 0: none */
} nytp_finding;

typedef struct nytp_findings nytp_findings;

/* Applies the rules to a profile whose evals are merged. stacks is a tree of the same calls with unchanged
 * names; without it (NULL) modules, queries and spans are not looked at, without durations first calls are
 * not, without growth memory is not, and without times processes are not. None of them is needed afterwards.
 * With no_waits, waiting is not a finding. */
nytp_findings *nytp_findings_new(const nytp_profile *profile, nytp_calltree *stacks,
                                 const nytp_sub_durations *durations, nytp_growth *growth,
                                 const nytp_process_times *times, bool no_waits);

/* Applies the rules of memory to a profile whose evals are merged. kinds has the same memory, and sums its
 * nytp_kinds_by_sub(), with the profile's numbers. */
nytp_findings *nytp_findings_of_memory(const nytp_profile *profile, const nytp_kinds *kinds,
                                       const GArray *sums);
void nytp_findings_free(nytp_findings *findings); /* NULL is fine */

/* At most seven findings, none below 2 %, which do not say the same of the same time: first a process that
 * holds the rest up, and what is waited for most of the time, or that no sub has much; then the others by
 * their shares; that the machine was busy, or that the profiler took much, comes last. The first one is the
 * answer to why it is slow. */
size_t nytp_findings_count(const nytp_findings *findings);
const nytp_finding *nytp_findings_get(const nytp_findings *findings, size_t index);

/* Whether it is about a sub as a whole, wherever that is called. */
bool nytp_finding_is_of_sub(const nytp_finding *finding);
