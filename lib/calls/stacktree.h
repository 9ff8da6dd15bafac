/* A tree of stacks: one node for each distinct stack, with counters.
 *
 * Nodes are numbered. Number 0 is the root; as the number of a child it means that there is none. The
 * children of a node are a circular list in order of arrival: programs repeat themselves, so the next child
 * to look up usually follows the one that was found last. Lists that are too long to search get an index.
 */
#pragma once

#include "events/waited.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct nytp_children {
    uint32_t last;  /* its next is the first child; 0: no children */
    uint32_t index; /* number of the list's index, + 1; 0: it has none, and the list is searched */
} nytp_children;

typedef struct nytp_node {
    uint32_t sub;
    uint32_t next; /* sibling */
    nytp_children children;
    uint64_t calls;
    double excl_ticks;
    nytp_waited waited; /* of excl_ticks; only if the tree reads how long calls waited */
    double incl_ticks;  /* set by nytp_stacktree_settle() */
} nytp_node;

typedef struct nytp_merge nytp_merge;

typedef struct nytp_stacktree {
    nytp_node *nodes;
    size_t capacity;
    uint32_t used;
    uint32_t free_node; /* the first of those that are free, linked by next; 0: none */
    uint32_t free_count;
    GArray *indexes;      /* child_index, of stacktree.c: those of long lists of children */
    GArray *free_indexes; /* uint32_t: the ones that no list has */
    nytp_merge *merges;   /* lists that wait to be merged; none between calls */
    size_t merge_count, merge_capacity;
} nytp_stacktree;

void nytp_stacktree_init(nytp_stacktree *tree);
void nytp_stacktree_clear(nytp_stacktree *tree);

/* Removes all nodes; no list of children but the root's may be in use. */
void nytp_stacktree_empty(nytp_stacktree *tree);

/* Returns the number of nodes, not counting the root. */
uint32_t nytp_stacktree_count(const nytp_stacktree *tree);

/* Return the first child of a node in order of arrival, and the one after `child`; 0 if there is none. */
static inline uint32_t nytp_stacktree_first(const nytp_stacktree *tree, uint32_t parent)
{
    uint32_t last = tree->nodes[parent].children.last;
    return last != 0 ? tree->nodes[last].next : 0;
}

static inline uint32_t nytp_stacktree_next(const nytp_stacktree *tree, uint32_t parent, uint32_t child)
{
    return child != tree->nodes[parent].children.last ? tree->nodes[child].next : 0;
}

/* Calls visit for each node but the root: depth first, siblings in order of arrival. */
typedef void nytp_node_fn(void *context, uint32_t node, uint32_t depth);
void nytp_stacktree_visit(const nytp_stacktree *tree, nytp_node_fn *visit, void *context);

/* Calls visit for the nodes of a list, which have depth 0, and for those below them. */
void nytp_stacktree_visit_list(const nytp_stacktree *tree, nytp_children list, nytp_node_fn *visit,
                               void *context);

/* Allocates space for nodes: the next `count` calls of nytp_stacktree_child() do not move them. */
void nytp_stacktree_reserve(nytp_stacktree *tree, uint32_t count);

/* Returns the child for sub if it is hint, or the child that arrived next after hint; else 0. With hint 0 it
 * returns 0: node 0 is the root, whose sub is UINT32_MAX, and that is no sub. */
static inline uint32_t nytp_stacktree_guess(const nytp_stacktree *tree, uint32_t sub, uint32_t hint)
{
    const nytp_node *nodes = tree->nodes;
    if (nodes[hint].sub == sub)
        return hint;
    uint32_t next = nodes[hint].next;
    return nodes[next].sub == sub ? next : 0;
}

/* Returns the child for sub, a new one if there is none. hint: where to start searching (usually the
 * previous result), or 0. nytp_stacktree_search() is the slow path of nytp_stacktree_child(). */
uint32_t nytp_stacktree_search(nytp_stacktree *tree, nytp_children *of, uint32_t sub, uint32_t hint);
static inline uint32_t nytp_stacktree_child(nytp_stacktree *tree, nytp_children *of, uint32_t sub,
                                            uint32_t hint)
{
    uint32_t n = nytp_stacktree_guess(tree, sub, hint);
    return n != 0 ? n : nytp_stacktree_search(tree, of, sub, hint);
}

/* What the calls on the path of a visit are of, by depth: UINT32_MAX: of nothing that counts, or of what an
 * outer one is of, too. */
typedef struct nytp_path {
    GArray *of;  /* uint32_t */
    bool *is_on; /* by number: a call on the path is of it */
} nytp_path;

/* numbers: how many there are. */
nytp_path nytp_path_new(size_t numbers);
void nytp_path_clear(nytp_path *path);

/* Leaves the calls at that depth and below, and enters one. Returns whether it is an outermost one of it. */
bool nytp_path_enter(nytp_path *path, uint32_t depth, uint32_t of);

/* For a visit: adds the calls and times of the visited node, of another tree, to the child for sub of the
 * node to which its caller was added. path is that of the nodes in `to`, by depth (uint32_t), which is kept
 * up. Returns the node. */
uint32_t nytp_stacktree_add_visited(nytp_stacktree *to, GArray *path, uint32_t depth, uint32_t sub,
                                    const nytp_node *visited, double scale);

/* Merges the children in `from`, with all nodes below them, into `to`; `from` is empty then. Takes time for
 * each node that both have; a node that only `from` has moves at once, with all nodes below it. */
void nytp_stacktree_absorb(nytp_stacktree *tree, nytp_children *to, nytp_children *from);

/* Sets incl_ticks of all nodes. Folds nodes with less than min_ticks, and nodes deeper than max_depth (1:
 * only children of the root stay), into their parents. Children of the root are folded into one child for the
 * sub `other`. */
void nytp_stacktree_settle(nytp_stacktree *tree, double min_ticks, uint32_t max_depth, uint32_t other);

/* Reduces the tree to the calls of sub, with all calls below them. Returns false if there are none. */
bool nytp_stacktree_root_at(nytp_stacktree *tree, uint32_t sub);

/* Makes it a tree whose root is sub and in which the children of a node are its callers. Counts and times are
 * those of the calls of sub through that path. The time of a recursive call counts for its own path, and not
 * for that of the outer call. counts_samples: calls are inclusive, too. */
void nytp_stacktree_turn(nytp_stacktree *tree, uint32_t sub, uint32_t max_depth, bool counts_samples);

/* Adds the calls of the nodes below it to those of each node. */
void nytp_stacktree_sum_calls(nytp_stacktree *tree);
