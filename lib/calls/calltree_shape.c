/* The root of a call tree, pruning, and what is asked when all calls have been added. */
#include "calls/calltree.h"
#include "model/whole.h"

#include <math.h>
#include <string.h>

double nytp_calltree_whole_ticks(const nytp_calltree *tree)
{
    return nytp_whole(tree->statement_ticks, tree->excl_ticks);
}

/* The time of the code outside of all subs; 0 if the tree shows no root. */
static double outside_ticks(const nytp_calltree *t)
{
    const double ticks = t->shows_root ? nytp_outside(t->statement_ticks, t->excl_ticks) : 0;
    return t->limits_root ? fmax(ticks, 0) : ticks;
}

static nytp_waited outside_waited(const nytp_calltree *t)
{
    return (nytp_waited){fmax(t->waited.asleep_ticks - t->calls_waited.asleep_ticks, 0),
                         fmax(t->waited.queued_ticks - t->calls_waited.queued_ticks, 0)};
}

void nytp_calltree_totals(const nytp_calltree *tree, uint64_t *calls, double *whole_ticks)
{
    *calls = tree->calls;
    *whole_ticks = nytp_calltree_whole_ticks(tree);
}

/* Puts the node of the root between node 0 and its children. */
static void add_root(nytp_calltree *t)
{
    nytp_stacktree *stacks = &t->stacks;
    nytp_children children = stacks->nodes[0].children;
    stacks->nodes[0].children = (nytp_children){0, 0};
    nytp_stacktree_reserve(stacks, 1);
    t->root_node = nytp_stacktree_child(stacks, &stacks->nodes[0].children, t->root_sub, 0);
    stacks->nodes[t->root_node].children = children;
}

/* Gives the root what has been added since the last time. Calls may have been folded into it meanwhile. */
static void update_root(nytp_calltree *t)
{
    if (t->root_node == 0)
        add_root(t);
    nytp_node *root = &t->stacks.nodes[t->root_node];
    const double ticks = outside_ticks(t);
    root->calls += t->root_calls - t->given_calls;
    root->excl_ticks += ticks - t->given_ticks;
    t->counted += t->root_calls - t->given_calls;
    t->given_calls = t->root_calls;
    t->given_ticks = ticks;
    const nytp_waited waited = outside_waited(t);
    root->waited.asleep_ticks += waited.asleep_ticks - t->given_waited.asleep_ticks;
    root->waited.queued_ticks += waited.queued_ticks - t->given_waited.queued_ticks;
    t->given_waited = waited;
}

/* Finds the root again after nodes were folded, which may have been its fate. */
static void find_root(nytp_calltree *t)
{
    uint32_t n = nytp_stacktree_first(&t->stacks, 0);
    while (n != 0 && t->stacks.nodes[n].sub != t->root_sub)
        n = nytp_stacktree_next(&t->stacks, 0, n);
    t->root_node = n;
}

static void finish(nytp_calltree *t)
{
    nytp_calltree_end_stack(t);
    if (t->shows_root && t->processes > 0)
        update_root(t);
}

void nytp_calltree_prune(nytp_calltree *tree, double min_ticks, uint32_t max_depth, const char *other)
{
    finish(tree);
    nytp_str name = {other, strlen(other), false};
    nytp_stacktree_settle(&tree->stacks, min_ticks, max_depth, nytp_names_intern(tree->shown, &name, NULL));
    if (tree->root_node != 0)
        find_root(tree);
}

nytp_stacktree *nytp_calltree_stacks(nytp_calltree *tree)
{
    finish(tree);
    nytp_stacktree_settle(&tree->stacks, -HUGE_VAL, UINT32_MAX, 0);
    return &tree->stacks;
}

uint32_t nytp_calltree_depth(const nytp_calltree *tree)
{
    return tree->max_depth;
}

nytp_names *nytp_calltree_names(nytp_calltree *tree)
{
    return tree->shown;
}
