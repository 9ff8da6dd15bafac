#include "report.h"

#include "base/order.h"
#include "model/grow.h"

typedef struct process {
    guint first, count; /* rows */
} process;

/* A node of the tree of all processes. */
typedef struct known_node {
    uint32_t sub, parent;
} known_node;

struct html_by_process {
    nytp_stacktree all; /* nothing is freed in it, so callers have lower numbers than callees */
    GArray *known;      /* known_node, by the number of the node */
    GArray *processes;  /* process */
    GArray *rows;       /* html_process_stack */
};

html_by_process *html_by_process_new(void)
{
    html_by_process *by = g_new0(html_by_process, 1);
    nytp_stacktree_init(&by->all);
    by->known = NYTP_ZEROED_ARRAY(known_node);
    by->processes = NYTP_ZEROED_ARRAY(process);
    by->rows = NYTP_ARRAY(html_process_stack);
    return by;
}

void html_by_process_free(html_by_process *by)
{
    if (by == NULL)
        return;
    nytp_stacktree_clear(&by->all);
    g_array_free(by->known, TRUE);
    g_array_free(by->processes, TRUE);
    g_array_free(by->rows, TRUE);
    g_free(by);
}

static process *process_at(const html_by_process *by, uint32_t number)
{
    return &g_array_index(by->processes, process, number);
}

typedef struct taking {
    html_by_process *by;
    const nytp_node *nodes; /* of the process */
    GArray *path;           /* uint32_t: nodes of all */
} taking;

/* Adds a node of a process to that of all. */
static void add_node(void *context, uint32_t number, uint32_t depth)
{
    const taking *t = context;
    const nytp_node *node = &t->nodes[number];
    const uint32_t parent = depth > 0 ? g_array_index(t->path, uint32_t, depth - 1) : 0;
    const uint32_t n = nytp_stacktree_add_visited(&t->by->all, t->path, depth, node->sub, node, 1);
    if (n >= t->by->known->len)
        g_array_set_size(t->by->known, n + 1);
    g_array_index(t->by->known, known_node, n) = (known_node){node->sub, parent};
    if (node->calls > 0 || node->excl_ticks != 0) {
        const html_process_stack row = {n, node->calls, node->excl_ticks, node->waited};
        g_array_append_val(t->by->rows, row);
    }
}

/* Moves the nodes of the current process. */
static void take_stacks(html_by_process *by, nytp_stacktree *stacks)
{
    process *p = process_at(by, by->processes->len - 1);
    g_autoptr(GArray) path = NYTP_ARRAY(uint32_t);
    nytp_stacktree_visit(stacks, add_node, &(taking){by, stacks->nodes, path});
    p->count = by->rows->len - p->first;
    nytp_stacktree_empty(stacks);
}

/* Calls before the first process, in a damaged profile, are that one's. */
void html_by_process_begin(html_by_process *by, nytp_stacktree *stacks)
{
    if (by->processes->len > 0)
        take_stacks(by, stacks);
    const process p = {.first = by->rows->len};
    g_array_append_val(by->processes, p);
}

void html_by_process_end(html_by_process *by, nytp_stacktree *stacks)
{
    if (by->processes->len < 2)
        return;
    take_stacks(by, stacks);
    const nytp_stacktree empty = *stacks;
    *stacks = by->all;
    by->all = empty;
}

/* Where the calls went that pruning took from the outermost level: there is one such stack, which was not
 * there before. */
static uint32_t place_of_rest(const html_by_process *by, const nytp_stacktree *stacks, const uint32_t *places)
{
    for (uint32_t n = nytp_stacktree_first(stacks, 0); n != 0; n = nytp_stacktree_next(stacks, 0, n))
        if (n >= by->known->len || g_array_index(by->known, known_node, n).sub != stacks->nodes[n].sub)
            return places[n];
    return HTML_NO_PLACE;
}

/* The index in the report of the node, or of the caller that it was folded into. Numbers of freed nodes may
 * be in use again. */
static uint32_t place_of(const html_by_process *by, const nytp_stacktree *stacks, const uint32_t *places,
                         uint32_t n, uint32_t rest)
{
    for (; n != 0; n = g_array_index(by->known, known_node, n).parent)
        if (places[n] != HTML_NO_PLACE && stacks->nodes[n].sub == g_array_index(by->known, known_node, n).sub)
            return places[n];
    return rest;
}

static gint by_stack(gconstpointer x, gconstpointer y)
{
    const html_process_stack *a = x, *b = y;
    return NYTP_ORDER(a->stack, b->stack);
}

/* Sorts a process's rows, and makes one of those of the same stack. */
static void join(const html_by_process *by, process *p)
{
    if (p->count == 0)
        return;
    html_process_stack *rows = &g_array_index(by->rows, html_process_stack, p->first);
    qsort(rows, p->count, sizeof *rows, by_stack);
    guint used = 0;
    for (guint i = 1; i < p->count; i++) {
        if (rows[i].stack != rows[used].stack) {
            rows[++used] = rows[i];
            continue;
        }
        rows[used].calls += rows[i].calls;
        rows[used].excl_ticks += rows[i].excl_ticks;
        nytp_waited_add(&rows[used].waited, rows[i].waited);
    }
    p->count = used + 1;
    if (rows[used].stack == HTML_NO_PLACE)
        p->count--;
}

void html_by_process_place(html_by_process *by, const nytp_stacktree *stacks, const uint32_t *places,
                           double scale)
{
    const uint32_t rest = place_of_rest(by, stacks, places);
    NYTP_EACH(html_process_stack, row, by->rows) {
        row->stack = place_of(by, stacks, places, row->stack, rest);
        row->excl_ticks *= scale;
        row->waited = nytp_waited_scaled(row->waited, scale);
    }
    NYTP_EACH(process, p, by->processes)
        join(by, p);
}

uint32_t html_by_process_count(const html_by_process *by)
{
    return by->processes->len;
}

const html_process_stack *html_by_process_get(const html_by_process *by, uint32_t number, uint32_t *count)
{
    const process *p = process_at(by, number);
    *count = p->count;
    return p->count > 0 ? &g_array_index(by->rows, html_process_stack, p->first) : NULL;
}
