/* Chains of calls: subs that call one another in a row, and have nearly the same time, share a box. So a page
 * has room for more. */
#include "graph.h"

#include "model/grow.h"

#include <string.h>

/* How many arrows are drawn from a node and to it, those to itself too. */
typedef struct arrows {
    uint32_t out, in;
} arrows;

static arrows *count_arrows(const dot_graph *g)
{
    arrows *of = g_new0(arrows, g->nodes->len);
    dot_edge detour;
    uint32_t passed;
    NYTP_EACH(const dot_edge, e, g->edges) {
        of[e->from].out += e->shown;
        of[e->to].in += e->shown;
    }
    for (uint32_t i = 0; i < g->nodes->len; i++)
        if (dot_choose_detour(g, i, &detour, &passed)) {
            of[detour.from].out++;
            of[i].in++;
        }
    return of;
}

/* Built-ins are grey, and BEGIN blocks are several subs already. */
static bool may_join(const dot_graph *g, const dot_node *n)
{
    enum { LONGEST_NAME = 200 }; /* a box has the names of all that are joined */
    return n->hidden == DOT_SHOWN && n->kind != NYTP_SUB_OPCODE && (g->packages || n->subs == 0) &&
           strlen(n->name) <= LONGEST_NAME;
}

/* Whether the edge leads back to the begin of the chain that it would go on. */
static bool closes(const dot_graph *g, const dot_edge *e)
{
    const dot_node *from = dot_graph_node(g, e->from), *n = dot_graph_node(g, e->to);
    while (n != from && n->next != 0)
        n = dot_chain_next(g, n);
    return n == from;
}

/* Whether the edge is all that leads from the one and to the other, which has nearly all of its time, and
 * none from subs that are not drawn. */
static bool joins(const dot_graph *g, const dot_edge *e, const arrows *of)
{
    const double nearly_all = 0.95, rounding = 1 + 1e-9;
    const dot_node *from = dot_graph_node(g, e->from), *to = dot_graph_node(g, e->to);
    return e->shown && !dot_edge_is_inner(e) && of[e->from].out == 1 && of[e->to].in == 1 &&
           may_join(g, from) && may_join(g, to) && to->incl_ticks <= from->incl_ticks &&
           to->incl_ticks <= e->incl_ticks * rounding && to->incl_ticks >= nearly_all * from->incl_ticks &&
           !closes(g, e);
}

void dot_chains_join(dot_graph *g)
{
    g_autofree arrows *of = count_arrows(g);
    NYTP_EACH(const dot_edge, e, g->edges)
        if (joins(g, e, of)) {
            dot_graph_node(g, e->from)->next = e->to;
            dot_graph_node(g, e->to)->is_joined = true;
        }
}

double dot_chain_self_ticks(const dot_graph *g, const dot_node *first)
{
    double sum = 0;
    for (const dot_node *n = first; n != NULL; n = dot_chain_next(g, n))
        sum += n->excl_ticks;
    return sum;
}
