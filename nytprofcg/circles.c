/* Tarjan's algorithm, "Depth-first search and linear graph algorithms" (1972),
 * with a stack of its own: chains of calls are as deep as the program likes. */
#include "circles.h"

typedef struct visit {
    uint32_t node, next_call;
} visit;

typedef struct search {
    const graph *g;
    circles *result;
    uint32_t *first_call; /* of each node; one more at the end */
    uint32_t *order;      /* of visit, from 1; 0: not yet */
    uint32_t *low;        /* lowest order that can be reached */
    bool *waiting;        /* on path, that is, in no circle yet */
    GArray *path;         /* uint32_t: nodes */
    GArray *visits;
    uint32_t visited;
} search;

static void index_calls(search *s)
{
    uint32_t nodes = s->g->nodes->len;
    s->first_call = g_new0(uint32_t, nodes + 1);
    for (uint32_t i = 0; i < s->g->calls->len; i++)
        s->first_call[graph_call(s->g, i)->from + 1]++;
    for (uint32_t i = 0; i < nodes; i++)
        s->first_call[i + 1] += s->first_call[i];
}

static void enter(search *s, uint32_t at)
{
    visit v = {at, s->first_call[at]};
    s->order[at] = s->low[at] = ++s->visited;
    s->waiting[at] = true;
    g_array_append_val(s->path, at);
    g_array_append_val(s->visits, v);
}

static void close_circle(search *s, uint32_t first)
{
    uint32_t member;
    do {
        member = g_array_index(s->path, uint32_t, s->path->len - 1);
        g_array_set_size(s->path, s->path->len - 1);
        s->waiting[member] = false;
        s->result->of_node[member] = s->result->count;
    } while (member != first);
    s->result->count++;
}

static void leave(search *s, uint32_t at)
{
    if (s->low[at] == s->order[at])
        close_circle(s, at);
    g_array_set_size(s->visits, s->visits->len - 1);
    if (s->visits->len > 0) {
        uint32_t above = g_array_index(s->visits, visit, s->visits->len - 1).node;
        s->low[above] = MIN(s->low[above], s->low[at]);
    }
}

static void visit_from(search *s, uint32_t start)
{
    enter(s, start);
    while (s->visits->len > 0) {
        visit *v = &g_array_index(s->visits, visit, s->visits->len - 1);
        if (v->next_call == s->first_call[v->node + 1]) {
            leave(s, v->node);
            continue;
        }
        uint32_t to = graph_call(s->g, v->next_call++)->to;
        if (s->order[to] == 0)
            enter(s, to);
        else if (s->waiting[to])
            s->low[v->node] = MIN(s->low[v->node], s->order[to]);
    }
}

void circles_find(circles *c, const graph *g)
{
    uint32_t nodes = g->nodes->len;
    c->count = 0;
    c->of_node = g_new0(uint32_t, nodes);
    search s = {.g = g,
                .result = c,
                .order = g_new0(uint32_t, nodes),
                .low = g_new0(uint32_t, nodes),
                .waiting = g_new0(bool, nodes),
                .path = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                .visits = g_array_new(FALSE, FALSE, sizeof(visit))};
    index_calls(&s);
    for (uint32_t i = 0; i < nodes; i++)
        if (s.order[i] == 0)
            visit_from(&s, i);
    g_array_free(s.visits, TRUE);
    g_array_free(s.path, TRUE);
    g_free(s.waiting);
    g_free(s.low);
    g_free(s.order);
    g_free(s.first_call);
}

void circles_clear(circles *c)
{
    g_free(c->of_node);
}
