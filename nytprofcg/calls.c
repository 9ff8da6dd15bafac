/* Calls: one for each arc of the profile, one from each owner to each of its
 * pieces, and those without which functions could not be reached from the root. */
#include "graph.h"

#include "circles.h"

static void add_arc(graph *g, const nytp_arc *arc)
{
    if (arc->count == 0)
        return;
    uint32_t caller = g->owners[arc->caller].as_caller;
    uint32_t file = graph_file_number(g, arc->fid);
    bool has_pieces = g->owners[caller].kind == NYTP_SUB_PERL;
    call c = {.to = g->owners[arc->callee].node, .is_real = true, .count = arc->count};
    c.from = graph_node_for(g, caller, has_pieces ? file : NO_FILE);
    const node *from = graph_node(g, c.from);
    c.line = from->file == file ? arc->line : from->first_line;
    c.incl_ticks = arc->incl_ticks > 0 ? (uint64_t)arc->incl_ticks : 0;
    g_array_append_val(g->calls, c);
}

/* The line of an owner's own file that leads to a piece: where the eval was done, or the eval around it. */
static uint32_t line_towards(const graph *g, const node *piece, const node *owners)
{
    const nytp_file *file = nytp_profile_file(g->profile, piece->file), *outer;
    for (int depth = 0; depth < GRAPH_DEEPEST_NEST && (outer = graph_file_around(g, file)) != NULL; depth++) {
        if (outer->number == owners->file)
            return file->eval_line;
        file = outer;
    }
    return owners->first_line;
}

static void add_pieces(graph *g)
{
    for (uint32_t i = 0; i < g->nodes->len; i++) {
        const node *piece = graph_node(g, i);
        if (!piece->is_piece)
            continue;
        call c = {.from = g->owners[piece->owner].node, .to = i, .count = 1};
        c.line = line_towards(g, piece, graph_node(g, c.from));
        g_array_append_val(g->calls, c);
    }
}

static int by_place(const void *a, const void *b)
{
    const call *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Sorted; calls of one function from one line are one. */
static void sort_calls(graph *g)
{
    graph_sort(g->calls, by_place);
    guint kept = 0;
    for (guint i = 0; i < g->calls->len; i++) {
        const call *c = graph_call(g, i);
        call *last = kept > 0 ? graph_call(g, kept - 1) : NULL;
        if (last != NULL && by_place(last, c) == 0) {
            last->count += c->count;
            last->incl_ticks += c->incl_ticks;
        } else {
            *graph_call(g, kept++) = *c;
        }
    }
    g_array_set_size(g->calls, kept);
}

/* ---- circles that nothing leads into ---- */

/* For each circle the number of a call: of one that nothing leads into the call within it that most probably
 * was made from outside, the one with most inclusive time, for recursive calls have none. UINT32_MAX:
 * something leads into it. */
static uint32_t *choose_entries(const graph *g, const circles *c)
{
    uint32_t *entries = g_new(uint32_t, c->count);
    bool *reached = g_new0(bool, c->count);
    for (uint32_t i = 0; i < c->count; i++)
        entries[i] = UINT32_MAX;
    reached[c->of_node[g->owners[g->root].node]] = true;
    for (uint32_t i = 0; i < g->calls->len; i++) {
        const call *k = graph_call(g, i);
        uint32_t circle = c->of_node[k->to];
        if (c->of_node[k->from] != circle)
            reached[circle] = true;
        else if (k->is_real && (entries[circle] == UINT32_MAX ||
                                k->incl_ticks > graph_call(g, entries[circle])->incl_ticks))
            entries[circle] = i;
    }
    for (uint32_t i = 0; i < c->count; i++)
        if (reached[i])
            entries[i] = UINT32_MAX;
    g_free(reached);
    return entries;
}

/* The outermost calls of a recursion may be missing: they were going on when the
 * profile ended. One of the calls is taken for having come from the root, so that
 * their number stays what it was. */
static void enter_circles(graph *g)
{
    circles c;
    circles_find(&c, g);
    uint32_t *entries = choose_entries(g, &c);
    uint32_t root = g->owners[g->root].node;
    for (uint32_t i = 0; i < c.count; i++) {
        if (entries[i] == UINT32_MAX)
            continue;
        call *inner = graph_call(g, entries[i]);
        call outer = *inner;
        outer.from = root;
        outer.line = g->owners[g->root].first_line;
        outer.count = 1;
        inner->incl_ticks = 0;
        if (--inner->count == 0)
            *inner = outer;
        else
            g_array_append_val(g->calls, outer);
    }
    g_free(entries);
    circles_clear(&c);
    sort_calls(g);
}

void calls_find(graph *g)
{
    for (size_t i = 0; i < nytp_profile_arc_count(g->profile); i++)
        add_arc(g, nytp_profile_arc(g->profile, i));
    add_pieces(g);
    sort_calls(g);
    enter_circles(g);
}
