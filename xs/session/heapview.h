/* What a context has allocated, in the order in which it is written: the stacks and the sites on them. */
#pragma once

#include "prof.h"

#include "heap/samples.h"
#include "nytprof.h"

/* A call on a stack. */
typedef struct prof_heap_call {
    uint32_t node, parent;
    uint32_t caller, callee, fid, line; /* as in an arc */
    nytp_str name;                      /* of the callee */
} prof_heap_call;

typedef struct prof_heap_written {
    const prof_heap_site *of;
    uint32_t fid; /* of its place */
    const char *kind;
} prof_heap_written;

typedef struct prof_heap_view {
    prof_heap heap;           /* a copy */
    double peak_bytes;        /* of the process */
    bool has_ended;           /* what is live is what was live when the program ended */
    prof_heap_call *calls;    /* by node; the root is not a call */
    uint32_t *order;          /* nodes; those with one parent are together, sorted */
    uint32_t *first;          /* for each node, where its children begin in order; those of the next end it */
    prof_heap_written *sites; /* sorted by node, file, line and kind */
    uint32_t *first_site;     /* for each node, as first */
    uint32_t unknown_fid;     /* of a file that stands for unknown places */
} prof_heap_view;

/* Returns what the context has allocated until now, to be freed by prof_heap_view_free(). Writes NEW_FID to
 * FILE for files that it does not have yet. perl_lives: as for prof_session_close(). */
prof_heap_view *prof_heap_view_new(pTHX_ prof *p, bool perl_lives) __attribute__((returns_nonnull));
void prof_heap_view_free(prof_heap_view *view);
