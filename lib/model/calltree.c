/* The call tree: returns, innermost first, folded into a tree of stacks.
 *
 * Nothing in the stream tells who called. A return at depth d adopts the calls
 * that have finished at depth d+1 and wait for their parent; then it waits
 * itself. So what is kept is the tree so far and, for each depth at which calls
 * wait, those calls merged into a family of their own.
 */
#include "model/calltree.h"

#include "base/ticks.h"
#include "format/runs.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Finished calls that wait for the return at depth - 1. */
typedef struct level {
    uint32_t depth;
    uint32_t hint; /* the child found last */
    nytp_children children;
} level;

struct nytp_calltree {
    nytp_stacktree stacks;
    nytp_names *raw;   /* as in the stream */
    nytp_names *shown; /* as renamed; without rename the same object as raw */
    GArray *shown_of;  /* uint32_t: by number of a raw name that of the shown one; see show_new() */
    nytp_rename_fn *rename;
    void *rename_context;
    level *levels; /* those where calls wait, up to top, the deepest; the first is that of depth 0 */
    uint32_t top, level_room;
    double scale, most_ticks;
    uint64_t calls;
    double excl_ticks;
};

nytp_calltree *nytp_calltree_new(nytp_rename_fn *rename, void *context)
{
    enum { FIRST_LEVELS = 16 };
    nytp_calltree *t = g_new0(nytp_calltree, 1);
    nytp_stacktree_init(&t->stacks);
    t->raw = nytp_names_new();
    t->shown = rename != NULL ? nytp_names_new() : t->raw;
    t->shown_of = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    t->rename = rename;
    t->rename_context = context;
    t->levels = g_new(level, FIRST_LEVELS);
    t->levels[0] = (level){0};
    t->level_room = FIRST_LEVELS;
    nytp_calltree_set_scale(t, 1);
    return t;
}

void nytp_calltree_free(nytp_calltree *tree)
{
    if (tree == NULL)
        return;
    nytp_stacktree_clear(&tree->stacks);
    if (tree->shown != tree->raw)
        nytp_names_free(tree->shown);
    nytp_names_free(tree->raw);
    g_array_free(tree->shown_of, TRUE);
    g_free(tree->levels);
    g_free(tree);
}

uint32_t nytp_calltree_wanted(void)
{
    return nytp_tag_bits[NYTP_SUB_RETURN] | nytp_tag_bits[NYTP_PID_START];
}

/* Times that are none, or none once they are scaled, are only in damaged profiles; one must not make every
 * sum useless. */
void nytp_calltree_set_scale(nytp_calltree *tree, double scale)
{
    tree->scale = isfinite(scale) ? scale : 0;
    tree->most_ticks = fmin(NYTP_MOST_TICKS, nextafter(DBL_MAX / fabs(tree->scale), 0)); /* not rounded up */
}

void nytp_calltree_totals(const nytp_calltree *tree, uint64_t *calls, double *excl_ticks)
{
    *calls = tree->calls;
    *excl_ticks = tree->excl_ticks;
}

void nytp_calltree_size(const nytp_calltree *tree, size_t *stacks, size_t *subs)
{
    *stacks = nytp_stacktree_count(&tree->stacks);
    *subs = nytp_names_count(tree->shown);
}

/* ---- subs ---- */

static uint32_t rename_new(nytp_calltree *t, const nytp_str *raw)
{
    size_t length;
    char *bytes = t->rename(t->rename_context, *raw, &length);
    uint32_t shown = nytp_names_intern(t->shown, &(nytp_str){bytes, length, raw->utf8}, NULL);
    free(bytes);
    return shown;
}

/* Fills shown_of up to the raw name with that number. It may lack others: without rename the names of a tree
 * that was reversed, and what nytp_calltree_prune() folds into, came past it. */
static __attribute__((noinline)) uint32_t show_new(nytp_calltree *t, uint32_t number, const nytp_str *raw)
{
    for (uint32_t n = t->shown_of->len; n <= number; n++) {
        uint32_t shown = t->rename != NULL ? rename_new(t, raw) : n;
        g_array_append_val(t->shown_of, shown);
    }
    return g_array_index(t->shown_of, uint32_t, number);
}

static inline uint32_t sub_of(nytp_calltree *t, const nytp_str *name)
{
    uint32_t raw = nytp_names_intern(t->raw, name, NULL);
    return raw < t->shown_of->len ? g_array_index(t->shown_of, uint32_t, raw) : show_new(t, raw, name);
}

uint32_t nytp_calltree_sub(nytp_calltree *tree, const nytp_str *raw)
{
    return sub_of(tree, raw);
}

/* ---- folding ---- */

/* The caller of those who wait there will not return: they count as called from outside. */
static void orphan(nytp_calltree *t, level *waiting)
{
    nytp_stacktree_absorb(&t->stacks, &t->stacks.nodes[0].children, &waiting->children);
    waiting->hint = 0;
}

void nytp_calltree_end_stack(nytp_calltree *tree)
{
    for (; tree->top > 0; tree->top--)
        orphan(tree, &tree->levels[tree->top]);
    orphan(tree, &tree->levels[0]);
}

static __attribute__((noinline)) level *push_level(nytp_calltree *t, uint32_t depth)
{
    if (++t->top == t->level_room) {
        t->level_room *= 2;
        t->levels = g_renew(level, t->levels, t->level_room);
    }
    t->levels[t->top] = (level){.depth = depth};
    return &t->levels[t->top];
}

/* The level at depth, a new one if need be, with none deeper. *adopted: who waited at depth + 1, if any did;
 * who waited deeper is orphaned. */
static inline level *descend_to(nytp_calltree *t, uint32_t depth, nytp_children *adopted)
{
    level *top = &t->levels[t->top];
    for (; top->depth > depth; top--, t->top--) {
        if (top->depth - depth > 1)
            orphan(t, top);
        else
            *adopted = top->children;
    }
    return top->depth == depth ? top : push_level(t, depth);
}

static inline void add_return(nytp_calltree *t, uint32_t sub, uint32_t depth, double scaled_ticks)
{
    nytp_children adopted = {0, 0};
    level *here = descend_to(t, depth, &adopted);
    uint32_t n = nytp_stacktree_child(&t->stacks, &here->children, sub, here->hint);
    nytp_node *node = &t->stacks.nodes[n];
    here->hint = n;
    node->calls++;
    node->excl_ticks += scaled_ticks;
    if (adopted.last == 0)
        return;
    if (node->children.last == 0)
        node->children = adopted;
    else
        nytp_stacktree_absorb(&t->stacks, &node->children, &adopted);
}

static inline double scaled(const nytp_calltree *t, double ticks)
{
    return fabs(ticks) <= t->most_ticks ? ticks * t->scale : 0; /* NaN is not */
}

void nytp_calltree_add_return(nytp_calltree *tree, uint32_t sub, uint32_t depth, double excl_ticks)
{
    excl_ticks = scaled(tree, excl_ticks);
    tree->calls++;
    tree->excl_ticks += excl_ticks;
    add_return(tree, sub, depth, excl_ticks);
}

static inline void take_return(void *context, const nytp_return *returned)
{
    nytp_calltree *t = context;
    nytp_calltree_add_return(t, sub_of(t, &returned->name), returned->depth, returned->excl_ticks);
}

size_t nytp_calltree_take_returns(nytp_calltree *tree, nytp_reader *reader)
{
    uint64_t before = tree->calls;
    nytp_read_returns(reader, take_return, tree);
    return tree->calls - before;
}

void nytp_calltree_add(nytp_calltree *tree, const nytp_chunk *chunk)
{
    if (chunk->tag == NYTP_SUB_RETURN)
        nytp_calltree_add_return(tree, sub_of(tree, &chunk->sub_return.name), chunk->sub_return.depth,
                                 chunk->sub_return.excl_ticks);
    else if (chunk->tag == NYTP_PID_START)
        nytp_calltree_end_stack(tree);
}

/* ---- after the fold ---- */

void nytp_calltree_prune(nytp_calltree *tree, double min_ticks, uint32_t max_depth, const char *other)
{
    nytp_calltree_end_stack(tree);
    nytp_str name = {other, strlen(other), false};
    nytp_stacktree_settle(&tree->stacks, min_ticks, max_depth, nytp_names_intern(tree->shown, &name, NULL));
}

nytp_stacktree *nytp_calltree_stacks(nytp_calltree *tree)
{
    nytp_calltree_end_stack(tree);
    nytp_stacktree_settle(&tree->stacks, -HUGE_VAL, UINT32_MAX, 0);
    return &tree->stacks;
}

nytp_names *nytp_calltree_names(nytp_calltree *tree)
{
    return tree->shown;
}

/* A node that is to be shown, and how deep. */
typedef struct pending {
    uint32_t node, depth;
} pending;

typedef struct walk {
    const nytp_calltree *tree;
    const uint32_t *ranks;
    GArray *stack; /* pending, the next one last */
} walk;

/* The byte order of names, last name first, as a stack wants it. */
static gint compare_pending(gconstpointer a, gconstpointer b, gpointer context)
{
    const walk *w = context;
    uint32_t x = w->ranks[w->tree->stacks.nodes[((const pending *)a)->node].sub];
    uint32_t y = w->ranks[w->tree->stacks.nodes[((const pending *)b)->node].sub];
    return (x < y) - (x > y);
}

static void push_children(walk *w, uint32_t node, uint32_t depth)
{
    const nytp_stacktree *stacks = &w->tree->stacks;
    guint from = w->stack->len;
    for (uint32_t n = nytp_stacktree_first(stacks, node); n != 0; n = nytp_stacktree_next(stacks, node, n))
        g_array_append_val(w->stack, ((pending){n, depth}));
    if (w->stack->len == from)
        return;
    g_qsort_with_data(&g_array_index(w->stack, pending, from), (gint)(w->stack->len - from), sizeof(pending),
                      compare_pending, w);
}

static nytp_call call_of(const nytp_calltree *t, pending p)
{
    const nytp_node *node = &t->stacks.nodes[p.node];
    return (nytp_call){node->sub,
                       p.depth,
                       nytp_names_get(t->shown, node->sub),
                       node->calls,
                       node->excl_ticks,
                       node->incl_ticks,
                       node->children.last != 0};
}

static void walk_settled(const nytp_calltree *tree, nytp_call_fn *visit, void *context)
{
    uint32_t *ranks = nytp_names_ranks(tree->shown);
    walk w = {tree, ranks, g_array_new(FALSE, FALSE, sizeof(pending))};
    push_children(&w, 0, 0);
    while (w.stack->len > 0) {
        pending p = g_array_index(w.stack, pending, w.stack->len - 1);
        g_array_set_size(w.stack, w.stack->len - 1);
        nytp_call call = call_of(tree, p);
        if (visit(context, &call))
            push_children(&w, p.node, p.depth + 1);
    }
    g_array_free(w.stack, TRUE);
    g_free(ranks);
}

void nytp_calltree_walk(nytp_calltree *tree, nytp_call_fn *visit, void *context)
{
    nytp_calltree_stacks(tree);
    walk_settled(tree, visit, context);
}

/* ---- turning over ---- */

typedef struct reversal {
    nytp_calltree *to;
    GArray *path; /* uint32_t: subs, outermost first */
    uint32_t max_depth;
} reversal;

static bool add_reversed(void *context, const nytp_call *call)
{
    reversal *r = context;
    nytp_stacktree *stacks = &r->to->stacks;
    g_array_set_size(r->path, call->depth);
    g_array_append_val(r->path, call->sub);
    if (call->calls == 0) /* in a tree that was reversed before: no stack ends here */
        return true;
    uint32_t n = 0, from = r->path->len, to = from > r->max_depth ? from - r->max_depth : 0;
    while (from-- > to) {
        uint32_t sub = g_array_index(r->path, uint32_t, from);
        nytp_stacktree_reserve(stacks, 1);
        n = nytp_stacktree_child(stacks, &stacks->nodes[n].children, sub, 0);
    }
    stacks->nodes[n].calls += call->calls;
    stacks->nodes[n].excl_ticks += call->excl_ticks;
    return true;
}

/* The same names with the same numbers. */
static void copy_names(nytp_names *to, const nytp_names *from)
{
    for (uint32_t i = 0; i < nytp_names_count(from); i++) {
        nytp_str name = nytp_names_get(from, i);
        nytp_names_intern(to, &name, NULL);
    }
}

nytp_calltree *nytp_calltree_reverse(nytp_calltree *tree, uint32_t max_depth)
{
    reversal r = {nytp_calltree_new(NULL, NULL), g_array_new(FALSE, FALSE, sizeof(uint32_t)), max_depth};
    copy_names(r.to->shown, tree->shown);
    nytp_calltree_walk(tree, add_reversed, &r);
    g_array_free(r.path, TRUE);
    r.to->calls = tree->calls;
    r.to->excl_ticks = tree->excl_ticks;
    return r.to;
}
