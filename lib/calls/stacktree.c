#include "calls/stacktree.h"

#include <stdbool.h>

enum { LONG_LIST = 16 /* children; longer lists are searched faster with an index */ };

/* The index of a long list of children: a hash table from sub to node, with linear probing. */
typedef struct child_index {
    uint32_t mask, count;
    uint32_t slots[]; /* nodes, 0: free */
} child_index;

struct nytp_merge {
    uint32_t to; /* node whose children grow */
    nytp_children from;
};

void nytp_stacktree_init(nytp_stacktree *tree)
{
    *tree = (nytp_stacktree){.used = 1, .capacity = 1024};
    tree->nodes = g_new(nytp_node, tree->capacity);
    tree->nodes[0] = (nytp_node){.sub = UINT32_MAX}; /* no sub has that number */
    tree->indexes = g_ptr_array_new_with_free_func(g_free);
    tree->free_indexes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
}

void nytp_stacktree_clear(nytp_stacktree *tree)
{
    g_free(tree->nodes);
    g_ptr_array_free(tree->indexes, TRUE);
    g_array_free(tree->free_indexes, TRUE);
    g_free(tree->merges);
}

uint32_t nytp_stacktree_count(const nytp_stacktree *tree)
{
    return tree->used - 1 - tree->free_count;
}

void nytp_stacktree_reserve(nytp_stacktree *tree, uint32_t count)
{
    if (tree->capacity - tree->used >= count)
        return;
    if (tree->capacity > UINT32_MAX / 2)
        g_error("more than %u distinct stacks", UINT32_MAX / 2);
    tree->capacity = MAX(tree->capacity * 2, tree->used + count);
    tree->nodes = g_renew(nytp_node, tree->nodes, tree->capacity);
}

static uint32_t new_node(nytp_stacktree *tree, uint32_t sub)
{
    uint32_t n = tree->free_node;
    if (n != 0) {
        tree->free_node = tree->nodes[n].next;
        tree->free_count--;
    } else {
        nytp_stacktree_reserve(tree, 1);
        n = tree->used++;
    }
    tree->nodes[n] = (nytp_node){.sub = sub};
    return n;
}

static void free_node(nytp_stacktree *tree, uint32_t n)
{
    tree->nodes[n].next = tree->free_node;
    tree->free_node = n;
    tree->free_count++;
}

/* ---- indexes of long lists ---- */

static inline uint32_t slot_of(uint32_t sub)
{
    return (uint32_t)(sub * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

static child_index *index_new(uint32_t slots)
{
    child_index *index = g_malloc0(sizeof *index + slots * sizeof index->slots[0]);
    index->mask = slots - 1;
    return index;
}

static void index_put(child_index *index, const nytp_node *nodes, uint32_t n)
{
    uint32_t i = slot_of(nodes[n].sub) & index->mask;
    while (index->slots[i] != 0)
        i = (i + 1) & index->mask;
    index->slots[i] = n;
    index->count++;
}

static uint32_t index_find(const child_index *index, const nytp_node *nodes, uint32_t sub)
{
    uint32_t i = slot_of(sub) & index->mask;
    while (index->slots[i] != 0 && nodes[index->slots[i]].sub != sub)
        i = (i + 1) & index->mask;
    return index->slots[i];
}

static child_index *index_of(const nytp_stacktree *tree, nytp_children of)
{
    return g_ptr_array_index(tree->indexes, of.index - 1);
}

static void set_index(nytp_stacktree *tree, nytp_children of, child_index *index)
{
    g_ptr_array_index(tree->indexes, of.index - 1) = index;
}

static child_index *enlarge_index(nytp_stacktree *tree, nytp_children of, child_index *old)
{
    child_index *larger = index_new((old->mask + 1) * 2);
    for (uint32_t i = 0; i <= old->mask; i++)
        if (old->slots[i] != 0)
            index_put(larger, tree->nodes, old->slots[i]);
    g_free(old);
    set_index(tree, of, larger);
    return larger;
}

static void add_to_index(nytp_stacktree *tree, nytp_children of, uint32_t n)
{
    child_index *index = index_of(tree, of);
    if (index->count > index->mask / 2)
        index = enlarge_index(tree, of, index);
    index_put(index, tree->nodes, n);
}

static void build_index(nytp_stacktree *tree, nytp_children *of)
{
    GArray *spare = tree->free_indexes;
    if (spare->len > 0) {
        of->index = g_array_index(spare, uint32_t, spare->len - 1) + 1;
        g_array_set_size(spare, spare->len - 1);
    } else {
        g_ptr_array_add(tree->indexes, NULL);
        of->index = tree->indexes->len;
    }
    set_index(tree, *of, index_new(LONG_LIST * 4));
    uint32_t n = of->last;
    do {
        add_to_index(tree, *of, n);
        n = tree->nodes[n].next;
    } while (n != of->last);
}

static void drop_index(nytp_stacktree *tree, nytp_children *of)
{
    if (of->index == 0)
        return;
    uint32_t number = of->index - 1;
    g_free(index_of(tree, *of));
    set_index(tree, *of, NULL);
    g_array_append_val(tree->free_indexes, number);
    of->index = 0;
}

/* ---- children ---- */

static void append(nytp_stacktree *tree, nytp_children *to, uint32_t n)
{
    nytp_node *nodes = tree->nodes;
    if (to->last == 0) {
        nodes[n].next = n;
    } else {
        nodes[n].next = nodes[to->last].next;
        nodes[to->last].next = n;
    }
    to->last = n;
    if (to->index != 0)
        add_to_index(tree, *to, n);
}

/* Searches the whole list, beginning at hint. Returns 0 if sub is not there; *steps is then its length. */
static inline uint32_t find_along(const nytp_node *nodes, nytp_children of, uint32_t sub, uint32_t hint,
                                  uint32_t *steps)
{
    *steps = 0;
    if (of.last == 0)
        return 0;
    uint32_t start = hint != 0 ? hint : nodes[of.last].next, n = start;
    do {
        if (nodes[n].sub == sub)
            return n;
        ++*steps;
        n = nodes[n].next;
    } while (n != start);
    return 0;
}

/* Finds a child that nytp_stacktree_guess() did not find. */
static inline uint32_t search_children(nytp_stacktree *tree, nytp_children *of, uint32_t sub, uint32_t hint)
{
    if (of->index != 0)
        return index_find(index_of(tree, *of), tree->nodes, sub);
    uint32_t steps, n = find_along(tree->nodes, *of, sub, hint, &steps);
    if (n == 0 && steps >= LONG_LIST)
        build_index(tree, of);
    return n;
}

uint32_t nytp_stacktree_search(nytp_stacktree *tree, nytp_children *of, uint32_t sub, uint32_t hint)
{
    uint32_t n = search_children(tree, of, sub, hint);
    if (n == 0) {
        n = new_node(tree, sub);
        append(tree, of, n);
    }
    return n;
}

/* ---- absorbing ---- */

static void merge_later(nytp_stacktree *tree, uint32_t to, nytp_children from)
{
    if (tree->merge_count == tree->merge_capacity) {
        tree->merge_capacity = tree->merge_capacity * 2 + 64;
        tree->merges = g_renew(nytp_merge, tree->merges, tree->merge_capacity);
    }
    tree->merges[tree->merge_count++] = (nytp_merge){to, from};
}

/* Adds the counts and children of n to those of `same`, and frees n. */
static inline void absorb_node(nytp_stacktree *tree, uint32_t same, uint32_t n)
{
    nytp_node *into = &tree->nodes[same], *node = &tree->nodes[n];
    into->calls += node->calls;
    into->excl_ticks += node->excl_ticks;
    into->incl_ticks += node->incl_ticks;
    if (into->children.last == 0)
        into->children = node->children;
    else if (node->children.last != 0)
        merge_later(tree, same, node->children);
    free_node(tree, n);
}

/* Merges one level. Where both nodes have children, these are added to merges. */
static void absorb_level(nytp_stacktree *tree, nytp_children *to, nytp_children *from)
{
    if (from->index != 0 &&
        to->index == 0) { /* `from` is the longer list: move the nodes of the shorter one */
        nytp_children few = *to;
        *to = *from;
        *from = few;
    }
    if (from->last == 0)
        return;
    const nytp_node *nodes = tree->nodes;
    uint32_t n = nodes[from->last].next, last = from->last, hint = 0, next;
    for (bool more = true; more; n = next) {
        next = nodes[n].next;
        more = n != last;
        uint32_t same = nytp_stacktree_guess(tree, nodes[n].sub, hint);
        if (same == 0)
            same = search_children(tree, to, nodes[n].sub, hint);
        if (same != 0) {
            absorb_node(tree, same, n);
            hint = nodes[same].next;
        } else {
            append(tree, to, n);
        }
    }
    drop_index(tree, from);
    from->last = 0;
}

void nytp_stacktree_absorb(nytp_stacktree *tree, nytp_children *to, nytp_children *from)
{
    absorb_level(tree, to, from);
    while (tree->merge_count > 0) {
        nytp_merge m = tree->merges[--tree->merge_count];
        absorb_level(tree, &tree->nodes[m.to].children, &m.from);
    }
}

/* ---- settling ---- */

typedef struct visit {
    uint32_t node, next_child; /* 0: none left */
    nytp_children kept;        /* children that were not folded */
} visit;

typedef struct settling {
    nytp_stacktree *tree;
    double min_ticks;
    uint32_t max_depth, other;
    GArray *visits; /* visit: from the root down to the current node */
} settling;

static void enter(settling *s, uint32_t n)
{
    nytp_node *node = &s->tree->nodes[n];
    visit v = {n, nytp_stacktree_first(s->tree, n), {0, 0}};
    node->incl_ticks = node->excl_ticks;
    g_array_append_val(s->visits, v);
}

static void keep_child(nytp_stacktree *tree, visit *parent, uint32_t n, uint32_t other)
{
    if (parent->node != 0 || tree->nodes[n].sub != other) {
        append(tree, &parent->kept, n);
        return;
    }
    nytp_children alone = {0, 0}; /* there may be a child for `other` already */
    append(tree, &alone, n);
    nytp_stacktree_absorb(tree, &parent->kept, &alone);
}

/* The root is not a call and has no counters: its children are folded into one child of it. */
static void fold_child(nytp_stacktree *tree, visit *parent, uint32_t n, uint32_t other)
{
    uint32_t into = parent->node;
    if (into == 0) {
        into = nytp_stacktree_child(tree, &parent->kept, other, 0);
        tree->nodes[into].incl_ticks += tree->nodes[n].incl_ticks;
    }
    tree->nodes[into].excl_ticks += tree->nodes[n].excl_ticks;
    tree->nodes[into].calls += tree->nodes[n].calls;
    free_node(tree, n);
}

/* Settles the current node, after all nodes below it. Its parent then keeps or folds it. */
static void leave(settling *s)
{
    nytp_stacktree *tree = s->tree;
    uint32_t depth = s->visits->len - 1;
    const visit *v = &g_array_index(s->visits, visit, depth);
    nytp_node *node = &tree->nodes[v->node];
    drop_index(tree, &node->children);
    node->children = v->kept;
    if (depth > 0) {
        visit *parent = &g_array_index(s->visits, visit, depth - 1);
        /* A node with children is kept: its time may be negative (clocks step back) or NaN, theirs not. */
        bool light = node->incl_ticks < s->min_ticks && v->kept.last == 0;
        tree->nodes[parent->node].incl_ticks += node->incl_ticks;
        if (light || depth > s->max_depth)
            fold_child(tree, parent, v->node, s->other);
        else
            keep_child(tree, parent, v->node, s->other);
    }
    g_array_set_size(s->visits, depth);
}

void nytp_stacktree_settle(nytp_stacktree *tree, double min_ticks, uint32_t max_depth, uint32_t other)
{
    settling s = {tree, min_ticks, max_depth, other, g_array_new(FALSE, FALSE, sizeof(visit))};
    enter(&s, 0);
    while (s.visits->len > 0) {
        visit *v = &g_array_index(s.visits, visit, s.visits->len - 1);
        uint32_t child = v->next_child;
        if (child == 0) {
            leave(&s);
            continue;
        }
        v->next_child = nytp_stacktree_next(tree, v->node, child);
        enter(&s, child);
    }
    g_array_free(s.visits, TRUE);
}
