/* A tree of stacks: one node per distinct stack, with counters.
 *
 * Nodes are numbered; number 0 is the root, and as a child means none. The
 * children of a node are a circular list in order of arrival, since programs
 * repeat themselves: the child wanted next mostly follows the one found last.
 * Families that are too long to search get an index.
 */
#ifndef NYTP_STACKTREE_H
#define NYTP_STACKTREE_H

#include <glib.h>
#include <stdint.h>

typedef struct nytp_children {
    uint32_t last;  /* its next is the first; 0: no children */
    uint32_t index; /* place in families, + 1; 0: there is no index, the list is searched */
} nytp_children;

typedef struct nytp_node {
    uint32_t sub;
    uint32_t next; /* sibling */
    nytp_children children;
    uint64_t calls;
    double excl_ticks;
    double incl_ticks; /* once settled */
} nytp_node;

typedef struct nytp_merge nytp_merge;

typedef struct nytp_stacktree {
    nytp_node *nodes;
    uint32_t used, room;
    uint32_t free_node; /* the first of those that are free, linked by next; 0: none */
    uint32_t free_count;
    GPtrArray *families;   /* indexes of long lists; NULL where a place is free */
    GArray *free_families; /* uint32_t: the free places */
    nytp_merge *merges;    /* families still to be united; none between calls */
    uint32_t merges_used, merges_room;
} nytp_stacktree;

void nytp_stacktree_init(nytp_stacktree *tree);
void nytp_stacktree_clear(nytp_stacktree *tree);

/* Nodes in the tree, the root not counted. */
uint32_t nytp_stacktree_count(const nytp_stacktree *tree);

/* The children of a node, in order of arrival: the first one, and the one after child. 0: there is none. */
static inline uint32_t nytp_stacktree_first(const nytp_stacktree *tree, uint32_t parent)
{
    uint32_t last = tree->nodes[parent].children.last;
    return last != 0 ? tree->nodes[last].next : 0;
}

static inline uint32_t nytp_stacktree_next(const nytp_stacktree *tree, uint32_t parent, uint32_t child)
{
    return child != tree->nodes[parent].children.last ? tree->nodes[child].next : 0;
}

/* After this, count calls of nytp_stacktree_child() do not move nodes: pointers to them stay valid. */
void nytp_stacktree_reserve(nytp_stacktree *tree, uint32_t count);

/* The child for sub, if it is the one at hint, or the one that arrived next after that; else 0, as where hint
 * is 0. */
static inline uint32_t nytp_stacktree_guess(const nytp_stacktree *tree, uint32_t sub, uint32_t hint)
{
    const nytp_node *nodes = tree->nodes;
    if (nodes[hint].sub == sub)
        return hint;
    uint32_t next = nodes[hint].next;
    return nodes[next].sub == sub ? next : 0;
}

/* The number of the child for sub, a new one if need be. hint: a child that is likely to be it, or near it;
 * or 0. (nytp_stacktree_search() is for where guessing does not find it.) */
uint32_t nytp_stacktree_search(nytp_stacktree *tree, nytp_children *of, uint32_t sub, uint32_t hint);
static inline uint32_t nytp_stacktree_child(nytp_stacktree *tree, nytp_children *of, uint32_t sub,
                                            uint32_t hint)
{
    uint32_t n = nytp_stacktree_guess(tree, sub, hint);
    return n != 0 ? n : nytp_stacktree_search(tree, of, sub, hint);
}

/* Adds all that is in from, node by node, to what is in to; from is empty then.
 * Costs one step a node that both have, and moves the others whole. */
void nytp_stacktree_absorb(nytp_stacktree *tree, nytp_children *to, nytp_children *from);

/* Sets incl_ticks of all nodes. Those below min_ticks, and those deeper than
 * max_depth (1: children of the root), are folded into their parents; what would
 * be folded into the root, into one child of it for the sub other. */
void nytp_stacktree_settle(nytp_stacktree *tree, double min_ticks, uint32_t max_depth, uint32_t other);

#endif
