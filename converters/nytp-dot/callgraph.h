/* A profile as a graph: subs, or packages, and who calls whom. */
#ifndef CALLGRAPH_H
#define CALLGRAPH_H

#include "nytprof.h"

#include <glib.h>

typedef struct callgraph_options {
    bool packages;         /* a node is a package, not a sub */
    bool without_builtins; /* their time is that of the subs that call them */
} callgraph_options;

/* Why a vertex is not shown: the first of these reasons that holds. */
enum callgraph_left {
    LEFT_NOT, /* it is shown */
    LEFT_IGNORED,
    LEFT_ROOT,
    LEFT_LEAF,
    LEFT_FOCUS,
    LEFT_DEPTH,
    LEFT_THRESHOLD,
    LEFT_MAX_NODES,
    LEFT_REASONS
};

typedef struct vertex {
    char *name;            /* clean, unique */
    size_t package_length; /* of the name; 0: there is none */
    uint32_t fid, line;    /* where it is; 0: not known */
    enum nytp_sub_kind kind;
    uint32_t subs;               /* of a package */
    uint64_t calls, inner_calls; /* the latter within a package */
    double incl_ticks, excl_ticks;
    enum callgraph_left left;
} vertex;

/* All calls of one by another. */
typedef struct edge {
    uint32_t from, to;
    uint64_t calls;
    double incl_ticks; /* of outermost calls */
    double excl_ticks;
    uint32_t max_depth; /* of recursion; 0: there is none */
    bool shown;
} edge;

/* The first vertex is the root, main::RUNTIME: all code outside of called subs. */
typedef struct callgraph {
    const nytp_profile *profile;
    bool packages;       /* vertices are packages, not subs */
    GArray *vertices;    /* vertex */
    GArray *edges;       /* edge, sorted by from, to */
    uint32_t *first_out; /* by vertex: its first edge; one more at the end */
    uint32_t *in;        /* edges, by their callees, the heaviest first */
    uint32_t *first_in;  /* by vertex: its first one in there; one more at the end */
    uint32_t *order;     /* vertices: those with the most inclusive time first */
    double total_ticks;  /* exclusive time of all vertices */
    uint64_t total_calls;
} callgraph;

/* stacks: for packages, a call tree with the names of packages_rename(); or NULL.
 * Time of statements that no sub took is the root's. The profile must live as long
 * as the graph. */
callgraph *callgraph_new(const nytp_profile *profile, nytp_calltree *stacks,
                         const callgraph_options *options);
void callgraph_free(callgraph *g);

static inline vertex *callgraph_vertex(const callgraph *g, uint32_t i)
{
    return &g_array_index(g->vertices, vertex, i);
}

static inline edge *callgraph_edge(const callgraph *g, uint32_t i)
{
    return &g_array_index(g->edges, edge, i);
}

/* What an edge weighs: the time of outermost calls, or of the recursive ones where there are no others. */
static inline double callgraph_weight(const edge *e)
{
    return MAX(e->incl_ticks, e->excl_ticks);
}

/* 0 to 1. */
double callgraph_share(const callgraph *g, double ticks);

/* The vertex with that name, or -1. */
int64_t callgraph_find(const callgraph *g, const char *name);

/* Length of the package in the name of a sub, without the "::"; 0: there is none. */
size_t callgraph_package(const char *name);

/* The same as a name, for a sub without a package, too; g_free() it. */
char *callgraph_package_name(const char *name);

/* Compares edges by from and to. */
gint callgraph_by_ends(gconstpointer a, gconstpointer b);

/* By vertex how many calls lead to it from the nearest of the starts (upwards: from it to a start), by way of
 * shown ones alone; UINT32_MAX: there is no way. g_free() it. */
uint32_t *callgraph_distances(const callgraph *g, const uint32_t *starts, size_t count, bool upwards);

#endif
