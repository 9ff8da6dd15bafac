#include "report.h"

#include "calls/calltree.h"
#include "model/grow.h"

#include <string.h>

typedef struct renumbering {
    nytp_stacktree to;
    const uint32_t *numbers; /* number in the report, indexed by that of the name in the tree */
    double scale;
    const nytp_node *from;
    GArray *path;     /* uint32_t: nodes in to */
    uint32_t *places; /* node in to, by its number in from; NULL: nobody asks */
} renumbering;

static void renumber(void *context, uint32_t number, uint32_t depth)
{
    renumbering *r = context;
    const nytp_node *node = &r->from[number];
    const uint32_t n =
        nytp_stacktree_add_visited(&r->to, r->path, depth, r->numbers[node->sub], node, r->scale);
    if (r->places != NULL)
        r->places[number] = n;
}

typedef struct listing {
    GArray *all; /* html_stack */
    const nytp_node *nodes;
    uint32_t *indexes; /* in all, by the number of the node */
} listing;

static void append(void *context, uint32_t number, uint32_t depth)
{
    const listing *l = context;
    const nytp_node *node = &l->nodes[number];
    html_stack s = {node->sub, depth, node->calls, node->excl_ticks, node->excl_ticks, 0, node->waited};
    l->indexes[number] = l->all->len;
    g_array_append_val(l->all, s);
}

/* Fills incl_ticks and end. Backwards, the nodes below one come before it, its last child first. */
static void sum_up(GArray *all)
{
    html_stack *nodes = (html_stack *)(void *)all->data;
    for (uint32_t i = all->len; i-- > 0;) {
        uint32_t next = i + 1;
        while (next < all->len && nodes[next].depth > nodes[i].depth) {
            nodes[i].incl_ticks += nodes[next].incl_ticks;
            next = nodes[next].end;
        }
        nodes[i].end = next;
    }
}

uint32_t *html_stacks_numbers(nytp_calltree *tree, html_number_fn *number_of, void *context)
{
    const nytp_names *names = nytp_calltree_names(tree);
    uint32_t count = nytp_names_count(names);
    uint32_t *numbers = g_new(uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = number_of(context, nytp_names_get(names, i));
    return numbers;
}

static void place_processes(html_by_process *by, const nytp_stacktree *stacks, const renumbering *r,
                            const uint32_t *indexes)
{
    for (uint32_t i = 0; i < stacks->used; i++)
        if (r->places[i] != HTML_NO_PLACE)
            r->places[i] = indexes[r->places[i]];
    html_by_process_place(by, stacks, r->places, r->scale);
}

GArray *html_stacks_new(nytp_calltree *tree, const uint32_t *numbers, double scale, html_by_process *by)
{
    const nytp_stacktree *stacks = nytp_calltree_stacks(tree);
    g_autoptr(GArray) path = NYTP_ARRAY(uint32_t);
    renumbering r = {.numbers = numbers, .scale = scale, .from = stacks->nodes, .path = path};
    if (by != NULL) {
        r.places = g_new(uint32_t, stacks->used);
        memset(r.places, 0xFF, stacks->used * sizeof *r.places); /* HTML_NO_PLACE */
    }
    nytp_stacktree_init(&r.to);
    nytp_stacktree_visit(stacks, renumber, &r);
    listing l = {g_array_sized_new(FALSE, FALSE, sizeof(html_stack), nytp_stacktree_count(&r.to)), r.to.nodes,
                 g_new(uint32_t, r.to.used)};
    nytp_stacktree_visit(&r.to, append, &l);
    if (by != NULL)
        place_processes(by, stacks, &r, l.indexes);
    nytp_stacktree_clear(&r.to);
    g_free(r.places);
    g_free(l.indexes);
    sum_up(l.all);
    return l.all;
}
