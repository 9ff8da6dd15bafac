/* Tarjan's algorithm, "Depth-first search and linear graph algorithms" (1972). It uses an explicit stack
 * instead of recursion, because chains of calls can have any length. */
#include "model/group.h"

#include "model/grow.h"

#include <stdbool.h>

typedef struct visit {
    uint32_t function, next_call;
} visit;

typedef struct search {
    const GArray *calls;
    size_t callee; /* offset */
    nytp_cycles *result;
    guint *first_call; /* by function */
    uint32_t *order;   /* by function: when it was visited, counted from 1; 0: not yet */
    uint32_t *low;     /* by function: lowest order that it can reach */
    bool *on_path;     /* by function: it is on path */
    GArray *path;      /* uint32_t: visited functions whose cycle is not known yet */
    GArray *visits;
    uint32_t visited;
} search;

static void enter(search *s, uint32_t function)
{
    visit v = {function, s->first_call[function]};
    s->order[function] = s->low[function] = ++s->visited;
    s->on_path[function] = true;
    g_array_append_val(s->path, function);
    g_array_append_val(s->visits, v);
}

static void close_cycle(search *s, uint32_t first)
{
    uint32_t member;
    do {
        member = g_array_index(s->path, uint32_t, s->path->len - 1);
        g_array_set_size(s->path, s->path->len - 1);
        s->on_path[member] = false;
        s->result->of_function[member] = s->result->count;
    } while (member != first);
    s->result->count++;
}

static void leave(search *s, uint32_t function)
{
    if (s->low[function] == s->order[function])
        close_cycle(s, function);
    g_array_set_size(s->visits, s->visits->len - 1);
    if (s->visits->len > 0) {
        uint32_t above = g_array_index(s->visits, visit, s->visits->len - 1).function;
        s->low[above] = MIN(s->low[above], s->low[function]);
    }
}

static void visit_from(search *s, uint32_t start)
{
    enter(s, start);
    while (s->visits->len > 0) {
        visit *v = &g_array_index(s->visits, visit, s->visits->len - 1);
        if (v->next_call == s->first_call[v->function + 1]) {
            leave(s, v->function);
            continue;
        }
        uint32_t callee = nytp_group_key(s->calls, v->next_call++, s->callee);
        if (s->order[callee] == 0)
            enter(s, callee);
        else if (s->on_path[callee])
            s->low[v->function] = MIN(s->low[v->function], s->order[callee]);
    }
}

void nytp_cycles_find(nytp_cycles *cycles, const GArray *calls, size_t caller, size_t callee, uint32_t count)
{
    cycles->count = 0;
    cycles->of_function = g_new0(uint32_t, count);
    search s = {.calls = calls,
                .callee = callee,
                .result = cycles,
                .first_call = nytp_group_starts(calls, caller, count),
                .order = g_new0(uint32_t, count),
                .low = g_new0(uint32_t, count),
                .on_path = g_new0(bool, count),
                .path = NYTP_ARRAY(uint32_t),
                .visits = NYTP_ARRAY(visit)};
    for (uint32_t i = 0; i < count; i++)
        if (s.order[i] == 0)
            visit_from(&s, i);
    g_array_free(s.visits, TRUE);
    g_array_free(s.path, TRUE);
    g_free(s.on_path);
    g_free(s.low);
    g_free(s.order);
    g_free(s.first_call);
}

void nytp_cycles_clear(nytp_cycles *cycles)
{
    g_free(cycles->of_function);
}
