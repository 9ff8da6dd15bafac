/* The graph of a profile: nodes and edges, how they are made, and which are shown. */
#pragma once

#include "model/measure.h"
#include "model/whole.h"

#include <glib.h>

/* The first node is the root, main::RUNTIME: all code outside of called subs. */
enum { DOT_ROOT = 0 };

/* Why a node is not shown: the first of these reasons that is true. */
enum dot_hidden {
    DOT_SHOWN,
    DOT_HIDDEN_IGNORED,
    DOT_HIDDEN_ROOT,
    DOT_HIDDEN_LEAF,
    DOT_HIDDEN_FOCUS,
    DOT_HIDDEN_DEPTH,
    DOT_HIDDEN_THRESHOLD,
    DOT_HIDDEN_MAX_NODES,
    DOT_HIDDEN_REASONS
};

typedef struct dot_node {
    char *name;            /* clean, unique */
    size_t package_length; /* bytes of the name that are the package; 0: it has none */
    uint32_t fid, line;    /* where the sub is defined; 0: not known */
    enum nytp_sub_kind kind;
    uint32_t subs;        /* how many a package has; or how many BEGIN blocks are this node, if several are */
    uint64_t calls;       /* from other nodes; for a sub, its recursive calls, too */
    uint64_t inner_calls; /* between the subs of the node */
    double incl_ticks, excl_ticks;
    double old_incl_ticks, old_excl_ticks; /* in the profile that this one is compared with; else 0 */
    bool is_new;                           /* it is not in that profile */
    enum dot_hidden hidden;
    uint32_t next;  /* the node that is joined with this one, below it in its box; 0: none */
    bool is_joined; /* with its caller: it has no box of its own */
} dot_node;

/* All calls from one node to another. */
typedef struct dot_edge {
    uint32_t from, to;
    uint64_t calls;
    double incl_ticks;  /* of outermost calls */
    double inner_ticks; /* inclusive time of calls within other calls of `to`; 0 for a loop */
    double excl_ticks;
    double old_ticks;   /* dot_edge_weight() in the profile that this one is compared with; else 0 */
    uint32_t max_depth; /* of recursion; 0: there was none */
    bool shown;
} dot_edge;

/* A node that only the other profile has. */
typedef struct dot_gone {
    char *name;
    double excl_ticks;
} dot_gone;

typedef struct dot_graph {
    const nytp_profile *profile;
    nytp_measure measure;
    bool packages;      /* nodes are packages, not subs */
    GArray *nodes;      /* dot_node */
    GArray *edges;      /* dot_edge, sorted by from, to */
    guint *first_out;   /* by node: the first edge from it; the last element is the number of edges */
    uint32_t *in;       /* numbers of edges, sorted by the nodes to which they lead, the heaviest first */
    guint *first_in;    /* by node: its first index in `in`; the last element is the number of edges */
    uint32_t *order;    /* nodes, those with the most inclusive time first */
    double total_ticks; /* exclusive time of all nodes, which is 100 % */
    uint64_t total_calls;
    uint32_t total_members; /* subs, or packages; main::RUNTIME is one of them */
    bool compares;          /* with another profile (compare.h) */
    double old_total_ticks; /* of that one */
    GArray *gone;           /* dot_gone, those with the most time first */
} dot_graph;

/* Returns an empty graph. The profile must live as long. */
dot_graph *dot_graph_new(const nytp_profile *profile);
void dot_graph_free(dot_graph *g);

static inline dot_node *dot_graph_node(const dot_graph *g, uint32_t i)
{
    return &g_array_index(g->nodes, dot_node, i);
}

static inline dot_edge *dot_graph_edge(const dot_graph *g, uint32_t i)
{
    return &g_array_index(g->edges, dot_edge, i);
}

/* Returns how many subs a node stands for; 1 for a package. */
static inline uint32_t dot_graph_members(const dot_graph *g, const dot_node *n)
{
    return g->packages ? 1 : MAX(n->subs, 1);
}

static inline bool dot_graph_shows(const dot_graph *g, uint32_t node)
{
    return dot_graph_node(g, node)->hidden == DOT_SHOWN;
}

/* Returns the time of outermost calls, or of those within others if that is more. */
static inline double dot_edge_weight(const dot_edge *e)
{
    return MAX(MAX(e->incl_ticks, e->inner_ticks), e->excl_ticks);
}

/* Returns whether most of the time is of calls within others. */
static inline bool dot_edge_is_inner(const dot_edge *e)
{
    return e->inner_ticks > e->incl_ticks;
}

/* Compares edges by from and to, for qsort(). */
int dot_edge_compare(const void *a, const void *b);

/* Returns the share of the total time, from 0 to 1. */
double dot_graph_share(const dot_graph *g, double ticks);

/* Returns the number of the node with that name, or -1. */
int64_t dot_graph_find(const dot_graph *g, const char *name);

/* Returns an array: for each node, how many edges lead to it from the nearest of the starts, only through
 * shown nodes; UINT32_MAX if no path does. upwards: the paths lead from the node to a start. The caller must
 * g_free() the array. */
uint32_t *dot_graph_distances(const dot_graph *g, const uint32_t *starts, size_t count, bool upwards);

typedef struct dot_graph_options {
    bool packages;         /* a node for each package, not for each sub */
    bool begin_blocks;     /* a node for each BEGIN block, not one for all of a package */
    bool without_builtins; /* add the time of built-ins to the subs that call them */
} dot_graph_options;

/* Returns the graph of a profile, which must live as long. The caller must dot_graph_free() it. stacks: for
 * packages, a call tree with the names of dot_package_rename(); otherwise NULL. */
dot_graph *dot_build(const nytp_profile *profile, nytp_calltree *stacks, const dot_graph_options *options);

/* Sets nodes, edges, total_calls and total_members. Times are those of the profile. */
void dot_nodes_find(dot_graph *g, const dot_graph_options *options);

/* --diff: gives the nodes and edges of g the times that they have in old, in the ticks of g. Subs are the
 * same as for nytp-diff (compare/match.h). If both profiles are made of samples, times of old are scaled to
 * the total of g, since recordings begin and end anywhere. old can be freed afterwards. */
void dot_compare(dot_graph *g, const dot_graph *old);

/* Packages: their names and inclusive times. If packages call each other in turn, the inclusive time of a
 * package is not the sum over its subs, so it is computed from the stacks. */

/* Returns the name of the package, or "(no package)" if the sub has none. The caller must g_free() it. */
char *dot_package_name(const char *name);

/* A nytp_rename_fn: returns the package of a sub, which is the name of its node. */
char *dot_package_rename(void *context, nytp_str raw, size_t *length);

/* Computes incl_ticks of the nodes, which are packages, and of the edges. The time of a stack counts once for
 * each package on it, and once for the edge of that package's outermost call. Changes nothing if the stacks
 * lack calls that the profile has. */
void dot_packages_measure(dot_graph *g, nytp_calltree *stacks);

typedef struct dot_choose_options {
    const char *root, *leaf; /* names of subs; NULL: not given */
    GRegex *focus, *ignore;
    uint32_t depth, max_nodes; /* 0: no limit */
    nytp_least min, min_edge;  /* of nodes, and of edges */
} dot_choose_options;

/* Sets `hidden` of nodes and `shown` of edges. Returns NULL; or, if an option names a sub that does not
 * exist, a message, which the caller must g_free(). */
char *dot_choose(dot_graph *g, const dot_choose_options *options);

/* Sums over nodes or edges that are not shown. */
typedef struct dot_choose_sum {
    uint32_t count; /* of subs, packages, or edges */
    uint64_t calls;
    double excl_ticks;
} dot_choose_sum;

/* Sets sums over hidden nodes, indexed by the reason. sums[DOT_SHOWN] is the sum over all reasons. */
void dot_choose_sums(const dot_graph *g, dot_choose_sum sums[DOT_HIDDEN_REASONS]);

/* Returns the sum over hidden edges between nodes that are shown. */
dot_choose_sum dot_choose_hidden_edges(const dot_graph *g);

/* Returns false unless the node is shown, no shown edge leads to it, and a shown node is above. Then sets
 * *detour to an edge from the nearest one, found by going up along the heaviest calls. Its calls and times
 * are the sums over all hidden callers. Sets *passed to the number of hidden nodes on the way. */
bool dot_choose_detour(const dot_graph *g, uint32_t to, dot_edge *detour, uint32_t *passed);

/* Joins shown nodes with the one that they call, if that is the only arrow that leads from the caller and the
 * only one that leads to the callee, and the callee has at least 95 % of the caller's time, and none from
 * nodes that are hidden. A dashed arrow counts as an arrow. */
void dot_chains_join(dot_graph *g);

/* Returns the node that is joined with this one, below it, or NULL. */
static inline const dot_node *dot_chain_next(const dot_graph *g, const dot_node *n)
{
    return n->next != 0 ? dot_graph_node(g, n->next) : NULL;
}

static inline bool dot_graph_has_box(const dot_node *n)
{
    return n->hidden == DOT_SHOWN && !n->is_joined;
}

/* Returns the exclusive time of a node and of those joined with it. */
double dot_chain_self_ticks(const dot_graph *g, const dot_node *first);
