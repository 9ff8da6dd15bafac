/* Dumps of the calls of profiles, as dprofpp prints them: a tree of all stacks, a table of subs, or
 * every call in order. */
#ifndef DUMP_H
#define DUMP_H

#include "nytprof.h"

enum dump_form {
    DUMP_MERGED, /* the tree; DUMP_JSON has the same one */
    DUMP_TABLE,
    DUMP_CALLS,  /* every call, in order */
    DUMP_FOLDED, /* the same, with calls of one sub in a row on one line */
    DUMP_JSON
};

enum dump_sort {
    SORT_DEFAULT, /* trees by inclusive time, tables by exclusive time, or by what they show */
    SORT_TIME,
    SORT_AVERAGE, /* time a call */
    SORT_CALLS,
    SORT_NAME,
    SORT_FOUND /* as the profile has them */
};

enum dump_unit { UNIT_S, UNIT_MS, UNIT_US, UNIT_NS, UNIT_TICKS };

typedef struct dump_options {
    enum dump_form form;
    enum dump_sort sort;
    enum dump_unit unit;
    enum nytp_clock clock; /* that a tmon.out is read with */
    bool reverse;
    bool inclusive;      /* the table's percentages and order */
    int32_t rows;        /* of the table; 0: 15, negative: all */
    bool no_headers;     /* of the table */
    bool keep_anons;     /* anonymous subs of a package, and runs of a string eval, stay apart */
    const char *root;    /* only calls of this sub and what they called; NULL: all */
    const char *group;   /* regular expression: subs that become one */
    bool pull;           /* so do all others */
    const char *filter;  /* regular expression: subs that are left out */
    const char *callers; /* of this sub, as the tree */
    double min_percent;  /* what has less of the time is left out */
    uint32_t max_depth;  /* so is what is deeper; 0: all is shown */
    bool color, unicode;
} dump_options;

typedef struct dump dump;

/* Options stay the caller's, and must live as long. NULL: a regular expression makes no sense, and *why, to
 * be freed with g_free(), says why. */
dump *dump_new(const dump_options *options, char **why);
void dump_free(dump *d); /* NULL is fine */

/* The chunks of a profile, then its end; context is the dump. */
uint32_t dump_wanted(void);
void dump_take(void *context, nytp_reader *reader, const nytp_chunk *chunk);
size_t dump_take_run(void *context, nytp_reader *reader); /* faster: see nytp_take_run_fn */
void dump_end_profile(dump *d);

/* False: *why, to be freed with g_free(), says what was not found, or went wrong. Write errors stay with out.
 */
bool dump_write(dump *d, FILE *out, char **why);

/* Of what was read so far. */
uint64_t dump_calls(const dump *d);
bool dump_is_dprof(const dump *d); /* the profile that is being read; known once a process was begun */

#endif
