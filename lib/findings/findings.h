/* What stands out in a profile, in plain words.
 *
 * Each rule is a function that looks at one kind of cost. Nothing is guessed: a finding says what was
 * measured.
 *
 *     modules.c    modules that are loaded and not used
 *     calls.c      calls that are many, slow or deep
 *     queries.c    statements of SQL that run again and again
 *     lines.c      lines that take much of the time, or make evals
 *     profiler.c   when the profiler's own cost hides the program's
 */
#pragma once

#include "nytprof-model.h"

enum nytp_rule {
    NYTP_FOUND_UNUSED_MODULE,
    NYTP_FOUND_SHORT_CALLS,
    NYTP_FOUND_HOT_LINE,
    NYTP_FOUND_REGCOMP,
    NYTP_FOUND_FILE_CALLS,
    NYTP_FOUND_SAME_FILE,
    NYTP_FOUND_QUERIES,
    NYTP_FOUND_EXCEPTIONS,
    NYTP_FOUND_WAITING,
    NYTP_FOUND_RECURSION,
    NYTP_FOUND_EVALS,
    NYTP_FOUND_MAGIC,
    NYTP_FOUND_PROFILER,
    NYTP_FOUND_RULES
};

/* The names of the rules, such as "unused-module". */
extern const char *const nytp_rule_names[NYTP_FOUND_RULES];

typedef struct nytp_finding {
    enum nytp_rule rule;
    double ticks;       /* that it concerns */
    double share;       /* of the profile's time, from 0 to 1 */
    const char *text;   /* a sentence; valid UTF-8 on one line */
    uint32_t sub;       /* that it is about; UINT32_MAX: none */
    uint32_t fid, line; /* the place that it is about; 0: none */
} nytp_finding;

typedef struct nytp_findings nytp_findings;

/* Applies the rules to a profile whose evals are merged. stacks is a tree of the same calls with unchanged
 * names; without it (NULL) modules and queries are not looked at. Neither is needed afterwards. */
nytp_findings *nytp_findings_new(const nytp_profile *profile, nytp_calltree *stacks);
void nytp_findings_free(nytp_findings *findings); /* NULL is fine */

/* At most seven findings, by the time that they concern; none below 1 %. */
size_t nytp_findings_count(const nytp_findings *findings);
const nytp_finding *nytp_findings_get(const nytp_findings *findings, size_t index);
