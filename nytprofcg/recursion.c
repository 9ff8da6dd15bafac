/* The stacks are walked to find the functions that recur, and again to find where their calls lead. The
 * second walk collects what is below a function in `reached`, and hands that up when it leaves the function.
 *
 * A function that does not recur is on no stack above itself. So calls that lead to it are within others that
 * lead to it only if both are in one run of functions that have ways. */
#include "recursion.h"

#include "base/order.h"
#include "model/group.h"
#include "model/grow.h"
#include "model/profile.h"

#define NO_FRAME UINT32_MAX

/* Calls that lead to a function, CG_NO_FUNCTION for those that are not told apart. */
typedef struct reached {
    uint32_t to;
    uint64_t calls;
    double ticks;
    nytp_waited waited; /* of the ticks */
} reached;

typedef struct frame {
    uint32_t function;
    uint32_t depth;  /* of its node, counted from 1; for a part that of the node that the part calls */
    bool is_part;    /* which no node stands for */
    uint32_t before; /* index of the frame of the same function around it, or NO_FRAME */
    uint32_t run;    /* index of the first frame of the run; set if the function has ways */
    uint64_t calls;
    double ticks;       /* inclusive, as far as it was walked */
    nytp_waited waited; /* of the ticks */
    GArray *reached;    /* reached, sorted; NULL if the function has no ways */
} frame;

/* From where a sub calls a function if its stack does not say that: its own function, or a part, whichever
 * has the line with the most calls. */
typedef struct calling {
    uint32_t sub, callee;
    uint32_t function;
    uint64_t count;
} calling;

typedef struct walk {
    const cg_graph *g;
    const cg_stacks *stacks; /* which are walked now */
    nytp_records callings;   /* of subs that have parts */
    nytp_pairs made;         /* calls of parts: caller, callee */
    bool *has_parts;         /* by sub */
    const cg_recursion *recursion;
    uint32_t *innermost; /* by function: index of its innermost frame, or NO_FRAME */
    GArray *path;        /* frame, that of the root first */
    nytp_records *ways;  /* NULL in the first walk */
} walk;

static frame *frame_at(const walk *w, uint32_t index)
{
    return &g_array_index(w->path, frame, index);
}

static frame *top_of(const walk *w)
{
    return frame_at(w, w->path->len - 1);
}

static void add_reached(GArray *all, reached r)
{
    uint32_t at = 0;
    NYTP_SEARCH(at, all->len, g_array_index(all, reached, at).to < r.to);
    if (at == all->len || g_array_index(all, reached, at).to != r.to) {
        g_array_insert_val(all, at, r);
        return;
    }
    g_array_index(all, reached, at).calls += r.calls;
    g_array_index(all, reached, at).ticks += r.ticks;
    nytp_waited_add(&g_array_index(all, reached, at).waited, r.waited);
}

static void add_way(void *into, const void *record)
{
    ((cg_way *)into)->count += ((const cg_way *)record)->count;
    for (int view = 0; view < CG_VIEWS; view++)
        ((cg_way *)into)->ticks[view] += ((const cg_way *)record)->ticks[view];
    nytp_waited_add(&((cg_way *)into)->waited, ((const cg_way *)record)->waited);
}

uint32_t cg_recursion_to(const cg_recursion *r, uint32_t function, uint32_t to)
{
    if (!r->has_ways[function] || to == CG_NO_FUNCTION)
        return CG_NO_FUNCTION;
    const bool is_told_apart = (r->recurs[function] && !r->recurs[to]) ||
                               nytp_pairs_find(&r->pairs, (nytp_pair){function, to}) != UINT32_MAX;
    return is_told_apart ? to : CG_NO_FUNCTION;
}

/* Whether a frame that has been left is within one of the same function, and what leads to `to` has the same
 * way in both. */
static bool is_within_same(const walk *w, const frame *left, uint32_t to)
{
    if (left->before == NO_FRAME || left->before < left->run)
        return false;
    uint32_t below = left->function;
    for (uint32_t i = w->path->len; i-- > left->before;) {
        const uint32_t function = frame_at(w, i)->function;
        if (cg_recursion_to(w->recursion, function, to != CG_NO_FUNCTION ? to : below) != to)
            return false;
        below = function;
    }
    return true;
}

/* What a frame has reached, its calls, and the ticks of these as a way from the frame around it. */
static cg_way way_of(const walk *w, const frame *around, const frame *left, const reached *r)
{
    const double scale = is_within_same(w, left, r->to) ? 0 : w->stacks->scale;
    cg_way way = {.caller = around->function, .callee = left->function, .to = r->to};
    way.ticks[w->stacks->view] = r->ticks * scale;
    if (w->stacks->view == 0) {
        way.count = r->calls;
        way.waited = nytp_waited_scaled(r->waited, scale);
    }
    return way;
}

/* Hands what a frame has reached to the one around it. */
static void hand_up(const walk *w, frame *around, const frame *left)
{
    const reached itself = {CG_NO_FUNCTION, left->calls, left->ticks, left->waited};
    const reached *all = left->reached != NULL ? &g_array_index(left->reached, reached, 0) : &itself;
    for (guint i = 0, count = left->reached != NULL ? left->reached->len : 1; i < count; i++) {
        reached r = all[i];
        r.calls = MIN(r.calls, left->calls);
        if (left->reached != NULL && (r.to == CG_NO_FUNCTION || !is_within_same(w, left, r.to))) {
            const cg_way way = way_of(w, around, left, &r);
            nytp_records_add(w->ways, &way, add_way);
        }
        if (around->reached == NULL)
            continue;
        r.to =
            cg_recursion_to(w->recursion, around->function, r.to != CG_NO_FUNCTION ? r.to : left->function);
        add_reached(around->reached, r);
    }
    if (left->reached != NULL)
        g_array_free(left->reached, TRUE);
}

static void leave_top(const walk *w)
{
    const frame left = *top_of(w);
    w->innermost[left.function] = left.before;
    g_array_set_size(w->path, w->path->len - 1);
    if (w->ways == NULL)
        return;
    frame *around = top_of(w);
    around->ticks += left.ticks;
    nytp_waited_add(&around->waited, left.waited);
    if (around->is_part)
        around->calls += left.calls; /* at most; the sub around it limits them */
    hand_up(w, around, &left);
}

static void leave_to(const walk *w, uint32_t depth)
{
    while (top_of(w)->depth > depth || (top_of(w)->depth == depth && !top_of(w)->is_part))
        leave_top(w);
}

/* Enters a frame with the time that it has itself. */
static void enter(const walk *w, frame f)
{
    const uint32_t index = w->path->len;
    f.before = w->innermost[f.function];
    if (w->ways == NULL && f.before != NO_FRAME && f.before + 1 != index)
        w->recursion->recurs[f.function] = true;
    if (w->ways != NULL && w->recursion->has_ways[f.function]) {
        const reached itself = {CG_NO_FUNCTION, f.calls, f.ticks, f.waited};
        f.run = top_of(w)->reached != NULL ? top_of(w)->run : index;
        f.reached = NYTP_ARRAY(reached);
        g_array_append_val(f.reached, itself);
    }
    w->innermost[f.function] = index;
    g_array_append_val(w->path, f);
}

/* Returns the function of the innermost sub that calls the callee. A part goes on: siblings come in the order
 * of the program, and the BEGIN blocks of a file, or whatever else it alone calls, say which one it is. */
static uint32_t calling_function(const walk *w, uint32_t callee)
{
    const uint32_t top = top_of(w)->function, sub = cg_graph_function(w->g, top)->sub;
    if (top_of(w)->is_part && nytp_pairs_find(&w->made, (nytp_pair){top, callee}) != UINT32_MAX)
        return top;
    const calling key = {.sub = sub, .callee = callee};
    const calling *found = w->has_parts[sub] ? nytp_records_find(&w->callings, &key) : NULL;
    return found != NULL ? found->function : w->g->subs[sub].function;
}

static void visit(void *context, uint32_t n, uint32_t depth)
{
    const walk *w = context;
    const nytp_node *node = &w->stacks->tree->nodes[n];
    const uint32_t sub = w->stacks->subs[node->sub];
    depth++;
    leave_to(w, depth);
    if (sub == CG_NO_SUB || w->g->subs[sub].as_caller != sub)
        return;
    const uint32_t callee = w->g->subs[sub].function, caller = calling_function(w, callee);
    if (top_of(w)->is_part && top_of(w)->function != caller)
        leave_top(w);
    if (top_of(w)->function != caller)
        enter(w, (frame){.function = caller, .depth = depth, .is_part = true});
    enter(w, (frame){.function = callee,
                     .depth = depth,
                     .calls = node->calls,
                     .ticks = node->excl_ticks,
                     .waited = node->waited});
}

static void walk_tree(walk *w)
{
    const frame root = {.function = w->g->subs[w->g->root].function, .before = NO_FRAME};
    for (uint32_t i = 0; i < w->g->functions->len; i++)
        w->innermost[i] = NO_FRAME;
    g_array_append_val(w->path, root);
    nytp_stacktree_visit(w->stacks->tree, visit, w);
    while (w->path->len > 1)
        leave_top(w);
    g_array_set_size(w->path, 0);
}

static void choose_more(void *into, const void *record)
{
    if (((const calling *)record)->count > ((const calling *)into)->count)
        *(calling *)into = *(const calling *)record;
}

static void find_callings(walk *w)
{
    NYTP_EACH(cg_function, function, w->g->functions)
        w->has_parts[function->sub] |= function->is_part;
    NYTP_EACH(const cg_call, call, w->g->calls) {
        const cg_function *caller = cg_graph_function(w->g, call->caller);
        const calling c = {caller->sub, call->callee, call->caller, call->count};
        if (!call->is_measured || !w->has_parts[c.sub])
            continue;
        nytp_records_add(&w->callings, &c, choose_more);
        if (caller->is_part)
            nytp_pairs_intern(&w->made, (nytp_pair){c.function, c.callee});
    }
}

/* Walks over the stacks. ways: NULL to find what recurs. */
static void walk_all(const cg_recursion *r, const cg_graph *g, const GArray *stacks, nytp_records *ways)
{
    walk w = {.g = g,
              .has_parts = g_new0(bool, g->root + 1),
              .recursion = r,
              .innermost = g_new(uint32_t, g->functions->len),
              .path = NYTP_ARRAY(frame),
              .ways = ways};
    nytp_records_init(&w.callings, sizeof(calling), offsetof(calling, function));
    nytp_pairs_init(&w.made);
    find_callings(&w);
    NYTP_EACH(const cg_stacks, one, stacks) {
        w.stacks = one;
        walk_tree(&w);
    }
    nytp_pairs_clear(&w.made);
    nytp_records_clear(&w.callings);
    g_array_free(w.path, TRUE);
    g_free(w.innermost);
    g_free(w.has_parts);
}

void cg_recursion_init(cg_recursion *r, const cg_graph *g, const GArray *stacks)
{
    *r = (cg_recursion){.recurs = g_new0(bool, g->functions->len)};
    nytp_pairs_init(&r->pairs);
    walk_all(r, g, stacks, NULL);
    r->has_ways = g_memdup2(r->recurs, g->functions->len * sizeof *r->recurs);
}

void cg_recursion_clear(cg_recursion *r)
{
    nytp_pairs_clear(&r->pairs);
    g_free(r->has_ways);
    g_free(r->recurs);
}

nytp_records cg_recursion_ways(const cg_recursion *r, const cg_graph *g, const GArray *stacks)
{
    nytp_records ways;
    nytp_records_init(&ways, sizeof(cg_way), offsetof(cg_way, to) + sizeof(uint32_t));
    walk_all(r, g, stacks, &ways);
    return ways;
}
