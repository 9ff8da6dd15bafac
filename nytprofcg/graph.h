/* A profile as callgrind sees it: functions, calls between them, costs by line.
 *
 * Each called sub is a function, and so is the root, main::RUNTIME, which stands
 * for all code outside of called subs. Callgrind wants a function to be in one
 * file, but a sub may run code of other files as well: string evals, and the file
 * scope of what it requires. So for each such file the sub, or the root, owns one
 * more function, a piece. An owner's function and its pieces are its family.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include "nytprof.h"

#include <glib.h>

#define NO_FILE UINT32_MAX

/* The subs of the profile, by their numbers, and behind them the root. */
typedef struct owner {
    enum nytp_sub_kind kind;
    bool called;         /* false: the root, and subs that no arc leads to */
    bool is_root_name;   /* main::RUNTIME or main::NULL */
    uint32_t home;       /* number of the file where it is, or NO_FILE */
    uint32_t first_line; /* there */
    uint64_t excl_ticks; /* of its whole family; of the root: 0 */
    uint32_t as_caller;  /* owner that makes its calls: itself, or the root */
    uint32_t node;       /* its own function; set for called subs and the root */
} owner;

/* A function. */
typedef struct node {
    uint32_t owner;
    uint32_t file; /* number, or NO_FILE */
    uint32_t first_line;
    bool is_piece;
    uint64_t self_ticks;
    char *name; /* as shown; unique */
} node;

typedef struct call {
    uint32_t from, to; /* nodes */
    uint32_t line;     /* in from's file */
    bool is_real;      /* an arc tells of it; the others lead from owners to their pieces */
    uint64_t count;
    uint64_t incl_ticks; /* as measured; settled by flow_settle() */
} call;

/* The costs of a function at a line. */
typedef struct row {
    uint32_t node, line;
    /* Exclusive, of the subroutine profiler. Until that is spread: statement time less that of the xsubs and
     * built-ins called from there, which is the weight to spread it by, and all that is known of the root's.
     */
    uint64_t time_ticks;
    uint64_t statements, statement_ticks;
} row;

typedef struct graph {
    const nytp_profile *profile;
    uint32_t root;         /* owner; the number of subs */
    owner *owners;         /* root + 1 */
    uint32_t *scope_owner; /* by file number: who runs what is in no called sub */
    GArray *nodes;         /* node */
    GHashTable *pieces;    /* nodes of pieces, by owner and file */
    GArray *calls;         /* call, sorted by from, line, to */
    GArray *rows;          /* row, sorted by node, line */
} graph;

graph *graph_new(const nytp_profile *profile); /* which must live as long */
void graph_free(graph *g);

static inline node *graph_node(const graph *g, uint32_t i)
{
    return &g_array_index(g->nodes, node, i);
}

static inline call *graph_call(const graph *g, uint32_t i)
{
    return &g_array_index(g->calls, call, i);
}

static inline row *graph_row(const graph *g, uint32_t i)
{
    return &g_array_index(g->rows, row, i);
}

/* The function of an owner for the code in a file, a new piece if need be. NO_FILE: its own function. */
uint32_t graph_node_for(graph *g, uint32_t owner_number, uint32_t file);

/* How deep evals within evals are followed; those that are deeper, or in a circle, are not. */
enum { GRAPH_DEEPEST_NEST = 1000 };

/* The file that an eval was done in. NULL: that is not known, or it is no eval. */
const nytp_file *graph_file_around(const graph *g, const nytp_file *eval);

/* Number of the file with that fid, or NO_FILE. */
uint32_t graph_file_number(const graph *g, uint32_t fid);

/* As g_array_sort(), but does with less memory if need be: that one wants a second array. */
void graph_sort(GArray *array, int (*compare)(const void *a, const void *b));

/* ---- the steps of graph_new(), in this order ---- */

void owners_find(graph *g); /* owners and scope_owner */
void costs_find(graph *g);  /* rows, and self_ticks of nodes */
void calls_find(graph *g);  /* calls */
void flow_settle(graph *g); /* their incl_ticks: what comes into each circle of functions goes out of it */
void names_make(graph *g);

/* ---- which sub a line belongs to (places.c) ---- */

typedef struct place {
    uint32_t sub;   /* the innermost that holds the line; root: none does */
    bool is_inside; /* between the first and last line of a sub, this or another */
} place;

typedef struct places {
    GArray *stretches; /* of lines, sorted */
    uint32_t root;
} places;

void places_init(places *p, const graph *g); /* of all called perl subs */
void places_clear(places *p);
place places_at(const places *p, uint32_t file, uint32_t line);

/* ---- shares ---- */

/* Splits total by weights into whole shares that add up to it. What rounding down
 * leaves goes to the largest remainders, the first of equal ones. False, and
 * nothing done: all weights are 0. */
bool split_by_weight(uint64_t total, const uint64_t *weights, uint64_t *shares, size_t count);

#endif
