#include "calls/stacktree.h"

#include "base/hash.h"
#include "base/slots.h"
#include "model/grow.h"

enum { LONG_LIST = 16 /* children; longer lists are searched faster with an index */ };

/* The index of a long list of children: finds nodes by their subs. */
typedef struct child_index {
    nytp_slots slots; /* a node is entry number - 1, so that slots hold numbers of nodes */
    uint32_t count;
} child_index;

struct nytp_merge {
    uint32_t to; /* node whose children grow */
    nytp_children from;
};

static void clear_index(gpointer index)
{
    g_free(((child_index *)index)->slots.at);
    *(child_index *)index = (child_index){0};
}

void nytp_stacktree_init(nytp_stacktree *tree)
{
    *tree = (nytp_stacktree){0};
    nytp_stacktree_reserve(tree, 1);
    tree->nodes[tree->used++] = (nytp_node){.sub = UINT32_MAX}; /* no sub has that number */
    tree->indexes = NYTP_ZEROED_ARRAY(child_index);
    g_array_set_clear_func(tree->indexes, clear_index);
    tree->free_indexes = NYTP_ARRAY(uint32_t);
}

void nytp_stacktree_clear(nytp_stacktree *tree)
{
    g_free(tree->nodes);
    g_array_free(tree->indexes, TRUE);
    g_array_free(tree->free_indexes, TRUE);
    g_free(tree->merges);
}

void nytp_stacktree_empty(nytp_stacktree *tree)
{
    tree->nodes[0].children = (nytp_children){0, 0};
    tree->used = 1;
    tree->free_node = tree->free_count = 0;
    g_array_set_size(tree->indexes, 0);
    g_array_set_size(tree->free_indexes, 0);
}

uint32_t nytp_stacktree_count(const nytp_stacktree *tree)
{
    return tree->used - 1 - tree->free_count;
}

void nytp_stacktree_reserve(nytp_stacktree *tree, uint32_t count)
{
    if (count > UINT32_MAX - tree->used)
        g_error("more than %u distinct stacks", UINT32_MAX);
    tree->nodes = nytp_grown(tree->nodes, &tree->capacity, (size_t)tree->used + count, sizeof *tree->nodes);
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

static inline uint64_t hash_of(uint32_t sub)
{
    return nytp_hash_mix(0, sub, 0);
}

static child_index *index_of(const nytp_stacktree *tree, nytp_children of)
{
    return &g_array_index(tree->indexes, child_index, of.index - 1);
}

static void resize_index(child_index *index, const nytp_node *nodes, size_t slot_count)
{
    nytp_slots old = index->slots;
    index->slots = (nytp_slots){g_new0(uint32_t, slot_count), slot_count - 1};
    for (size_t i = 0; old.at != NULL && i <= old.mask; i++)
        if (old.at[i] != 0)
            *nytp_slots_free_for(&index->slots, hash_of(nodes[old.at[i]].sub)) = old.at[i];
    g_free(old.at);
}

static void add_to_index(const nytp_stacktree *tree, nytp_children of, uint32_t n)
{
    child_index *index = index_of(tree, of);
    if (nytp_slots_full(&index->slots, ++index->count))
        resize_index(index, tree->nodes, (index->slots.mask + 1) * 2);
    *nytp_slots_free_for(&index->slots, hash_of(tree->nodes[n].sub)) = n;
}

/* What a node is found by. */
typedef struct key {
    const nytp_node *nodes;
    uint32_t sub;
} key;

static inline bool has_sub(const void *context, uint32_t number)
{
    const key *k = context;
    return k->nodes[number + 1].sub == k->sub;
}

static uint32_t find_indexed(const nytp_stacktree *tree, nytp_children of, uint32_t sub)
{
    return *nytp_slots_find(&index_of(tree, of)->slots, hash_of(sub), has_sub, &(key){tree->nodes, sub});
}

static void build_index(nytp_stacktree *tree, nytp_children *of)
{
    GArray *spare = tree->free_indexes;
    if (spare->len > 0) {
        of->index = g_array_index(spare, uint32_t, spare->len - 1) + 1;
        g_array_set_size(spare, spare->len - 1);
    } else {
        g_array_set_size(tree->indexes, tree->indexes->len + 1);
        of->index = tree->indexes->len;
    }
    resize_index(index_of(tree, *of), tree->nodes, LONG_LIST * (size_t)4);
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
    clear_index(index_of(tree, *of));
    g_array_append_val(tree->free_indexes, number);
    of->index = 0;
}

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
        return find_indexed(tree, *of, sub);
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

static void merge_later(nytp_stacktree *tree, uint32_t to, nytp_children from)
{
    tree->merges =
        nytp_grown(tree->merges, &tree->merge_capacity, tree->merge_count + 1, sizeof *tree->merges);
    tree->merges[tree->merge_count++] = (nytp_merge){to, from};
}

/* Adds the counts and children of n to those of `same`, and frees n. */
static inline void absorb_node(nytp_stacktree *tree, uint32_t same, uint32_t n)
{
    nytp_node *into = &tree->nodes[same], *node = &tree->nodes[n];
    into->calls += node->calls;
    into->excl_ticks += node->excl_ticks;
    nytp_waited_add(&into->waited, node->waited);
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

void nytp_stacktree_visit_list(const nytp_stacktree *tree, nytp_children list, nytp_node_fn *visit,
                               void *context)
{
    uint32_t *path = NULL, depth = 0; /* nodes whose children are being visited */
    size_t capacity = 0;
    uint32_t next = list.last != 0 ? tree->nodes[list.last].next : 0;
    while (next != 0 || depth > 0) {
        if (next != 0) {
            visit(context, next, depth);
            path = nytp_grown(path, &capacity, depth + (size_t)1, sizeof *path);
            path[depth++] = next;
            next = nytp_stacktree_first(tree, next);
            continue;
        }
        const uint32_t done = path[--depth];
        const uint32_t last = depth > 0 ? tree->nodes[path[depth - 1]].children.last : list.last;
        next = done != last ? tree->nodes[done].next : 0;
    }
    free(path);
}

void nytp_stacktree_visit(const nytp_stacktree *tree, nytp_node_fn *visit, void *context)
{
    nytp_stacktree_visit_list(tree, tree->nodes[0].children, visit, context);
}

uint32_t nytp_stacktree_add_visited(nytp_stacktree *to, GArray *path, uint32_t depth, uint32_t sub,
                                    const nytp_node *visited, double scale)
{
    const uint32_t caller = depth > 0 ? g_array_index(path, uint32_t, depth - 1) : 0;
    nytp_stacktree_reserve(to, 1);
    const uint32_t node = nytp_stacktree_child(to, &to->nodes[caller].children, sub, 0);
    to->nodes[node].calls += visited->calls;
    to->nodes[node].excl_ticks += visited->excl_ticks * scale;
    nytp_waited_add(&to->nodes[node].waited, nytp_waited_scaled(visited->waited, scale));
    g_array_set_size(path, depth);
    g_array_append_val(path, node);
    return node;
}

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
    nytp_waited_add(&tree->nodes[into].waited, tree->nodes[n].waited);
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
    settling s = {tree, min_ticks, max_depth, other, NYTP_ARRAY(visit)};
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
