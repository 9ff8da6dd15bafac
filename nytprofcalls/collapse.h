/* Calls of one or several profiles as collapsed stacks: "outer;inner;innermost VALUE". */
#ifndef COLLAPSE_H
#define COLLAPSE_H

#include "nytprof.h"

enum collapse_unit { COLLAPSE_TICKS, COLLAPSE_NS, COLLAPSE_US };

typedef struct collapse_options {
    bool count_calls;        /* values are numbers of calls, not times */
    bool reverse;            /* callee first */
    bool keep_evals;         /* string evals of one line stay apart */
    enum collapse_unit unit; /* of times */
    double min_percent;      /* stacks with less of the time fold into their callers */
    uint32_t max_depth;      /* so do deeper ones; 0: all are shown */
} collapse_options;

typedef struct collapse collapse;

collapse *
collapse_new(const collapse_options *options); /* options stay the caller's, and must live as long */
void collapse_free(collapse *c);

/* The chunks of a profile, then its end. */
uint32_t collapse_wanted(void);
void collapse_take(void *c, nytp_reader *reader, const nytp_chunk *chunk);
size_t collapse_take_run(void *c, nytp_reader *reader); /* faster: see nytp_take_run_fn */
void collapse_end_profile(collapse *c);

/* The lines, sorted by stack. Write errors stay with out. */
void collapse_write(collapse *c, FILE *out);

/* Sums over all profiles. */
void collapse_totals(const collapse *c, uint64_t *calls, size_t *stacks, size_t *subs);

#endif
