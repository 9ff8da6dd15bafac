/* Self costs: which function a line belongs to, and a sub's exclusive time spread over its lines.
 *
 * The subroutine profiler tells how long a sub took, the statement profiler how
 * long its lines did. The former is spread over the lines by the latter, less what
 * xsubs and built-ins called from a line took, which are functions of their own.
 * Nothing tells how long the root took: it gets what its lines took, and of a line
 * that it shares with one-line subs (`use Foo;`, `sub f { } f();`) what these leave.
 */
#include "graph.h"

#include <stdlib.h>

/* A line of a sub where there may be code of the root, too. */
typedef struct shared_line {
    uint32_t file, line;
    guint row; /* before they are sorted */
    uint64_t weight;
    uint64_t given_ticks; /* to functions, so far */
} shared_line;

typedef struct xsub_time {
    uint32_t file, line;
    uint64_t ticks;
} xsub_time;

static int compare_places(uint32_t file_a, uint32_t line_a, uint32_t file_b, uint32_t line_b)
{
    if (file_a != file_b)
        return file_a < file_b ? -1 : 1;
    return (line_a > line_b) - (line_a < line_b);
}

/* ---- lines ---- */

static int by_xsub_place(const void *a, const void *b)
{
    const xsub_time *x = a, *y = b;
    return compare_places(x->file, x->line, y->file, y->line);
}

/* What xsubs and built-ins took, by the line they were called from; sorted. */
static GArray *collect_xsub_times(const graph *g)
{
    GArray *times = g_array_new(FALSE, FALSE, sizeof(xsub_time));
    for (size_t i = 0; i < nytp_profile_arc_count(g->profile); i++) {
        const nytp_arc *arc = nytp_profile_arc(g->profile, i);
        uint32_t file = graph_file_number(g, arc->fid);
        if (g->owners[arc->callee].kind == NYTP_SUB_PERL || file == NO_FILE || arc->excl_ticks <= 0)
            continue;
        xsub_time t = {file, arc->line, (uint64_t)arc->excl_ticks};
        g_array_append_val(times, t);
    }
    graph_sort(times, by_xsub_place);
    return times;
}

/* What those called from that line took. Lines must be asked for in order: *next moves on. */
static uint64_t xsub_ticks_at(const GArray *times, guint *next, uint32_t file, uint32_t line)
{
    uint64_t ticks = 0;
    for (; *next < times->len; (*next)++) {
        const xsub_time *t = &g_array_index(times, xsub_time, *next);
        int order = compare_places(t->file, t->line, file, line);
        if (order > 0)
            break;
        if (order == 0)
            ticks += t->ticks;
    }
    return ticks;
}

/* Callgrind has no negative costs. Where the clock stepped back in a line, that is a debt; the lines that
 * follow pay it, and what is left in the end the first ones: so sums stay. Returns what the line keeps. */
static uint64_t pay_debt(uint64_t *debt, int64_t ticks)
{
    if (ticks < 0) {
        *debt += 0 - (uint64_t)ticks;
        return 0;
    }
    uint64_t paid = MIN(*debt, (uint64_t)ticks);
    *debt -= paid;
    return (uint64_t)ticks - paid;
}

static void pay_rest(const graph *g, uint64_t debt)
{
    for (guint i = 0; i < g->rows->len && debt > 0; i++) {
        row *r = graph_row(g, i);
        r->statement_ticks = pay_debt(&debt, (int64_t)r->statement_ticks);
    }
}

static void collect_file(graph *g, const places *p, uint32_t file, uint64_t *debt, GArray *shared)
{
    nytp_line line;
    uint32_t fid = nytp_profile_file(g->profile, file)->fid;
    for (uint64_t from = 0; nytp_profile_next_line(g->profile, fid, &from, &line);) {
        uint32_t scope = g->scope_owner[file];
        place at = places_at(p, file, line.line);
        uint32_t whose = at.sub != g->root ? at.sub : scope;
        if (scope == g->root && whose != g->root && !at.is_inside)
            g_array_append_val(shared, ((shared_line){.file = file, .line = line.line, .row = g->rows->len}));
        row r = {.node = graph_node_for(g, whose, file),
                 .line = line.line,
                 .statements = line.count,
                 .statement_ticks = pay_debt(debt, line.ticks)};
        g_array_append_val(g->rows, r);
    }
}

static void weigh_rows(const graph *g)
{
    GArray *xsubs = collect_xsub_times(g);
    guint next = 0;
    for (guint i = 0; i < g->rows->len; i++) {
        row *r = graph_row(g, i);
        uint64_t elsewhere = xsub_ticks_at(xsubs, &next, graph_node(g, r->node)->file, r->line);
        r->time_ticks = r->statement_ticks > elsewhere ? r->statement_ticks - elsewhere : 0;
    }
    g_array_free(xsubs, TRUE);
}

/* A row for each line that ran, by file and line. Returns those that the root may share. */
static GArray *collect_rows(graph *g)
{
    GArray *shared = g_array_new(FALSE, FALSE, sizeof(shared_line));
    uint64_t debt = 0;
    places p;
    places_init(&p, g);
    for (uint32_t i = 0; i < nytp_profile_file_count(g->profile); i++)
        collect_file(g, &p, i, &debt, shared);
    places_clear(&p);
    pay_rest(g, debt);
    weigh_rows(g);
    for (guint i = 0; i < shared->len; i++) {
        shared_line *l = &g_array_index(shared, shared_line, i);
        l->weight = graph_row(g, l->row)->time_ticks;
    }
    return shared;
}

/* ---- rows ---- */

static int by_node_and_line(const void *a, const void *b)
{
    const row *x = a, *y = b;
    return compare_places(x->node, x->line, y->node, y->line);
}

/* One where each function begins, for time that goes nowhere else. */
static void add_first_rows(graph *g)
{
    for (uint32_t i = 0; i <= g->root; i++) {
        const owner *o = &g->owners[i];
        row r = {.node = o->node, .line = o->first_line};
        if (o->called || i == g->root)
            g_array_append_val(g->rows, r);
    }
}

static void add_row(row *to, const row *r)
{
    to->time_ticks += r->time_ticks;
    to->statements += r->statements;
    to->statement_ticks += r->statement_ticks;
}

/* Sorted, each line of a function once. */
static void sort_rows(graph *g)
{
    graph_sort(g->rows, by_node_and_line);
    guint kept = 0;
    for (guint i = 0; i < g->rows->len; i++) {
        const row *r = graph_row(g, i);
        row *last = kept > 0 ? graph_row(g, kept - 1) : NULL;
        if (last != NULL && by_node_and_line(last, r) == 0)
            add_row(last, r);
        else
            *graph_row(g, kept++) = *r;
    }
    g_array_set_size(g->rows, kept);
}

/* ---- exclusive time ---- */

/* A row of a family. */
typedef struct member {
    uint32_t owner;
    guint row;
} member;

static int by_owner(const void *a, const void *b)
{
    const member *x = a, *y = b;
    return compare_places(x->owner, x->row, y->owner, y->row);
}

/* Spreads the exclusive time of an owner over all rows of its family. */
static void spread(graph *g, const member *members, size_t count)
{
    const owner *o = &g->owners[members[0].owner];
    uint64_t *weights = g_new(uint64_t, count), *shares = g_new0(uint64_t, count);
    for (size_t i = 0; i < count; i++)
        weights[i] = graph_row(g, members[i].row)->time_ticks;
    if (!split_by_weight(o->excl_ticks, weights, shares, count)) {
        for (size_t i = 0; i < count; i++) {
            const row *r = graph_row(g, members[i].row);
            if (r->node == o->node && r->line == o->first_line)
                shares[i] = o->excl_ticks;
        }
    }
    for (size_t i = 0; i < count; i++)
        graph_row(g, members[i].row)->time_ticks = shares[i];
    g_free(weights);
    g_free(shares);
}

/* The root keeps what its rows weigh. */
static void spread_all(graph *g)
{
    GArray *members = g_array_new(FALSE, FALSE, sizeof(member));
    for (guint i = 0; i < g->rows->len; i++) {
        member m = {graph_node(g, graph_row(g, i)->node)->owner, i};
        if (m.owner != g->root)
            g_array_append_val(members, m);
    }
    graph_sort(members, by_owner);
    member *all = (member *)(void *)members->data;
    for (guint i = 0, end; i < members->len; i = end) {
        for (end = i + 1; end < members->len && all[end].owner == all[i].owner;)
            end++;
        spread(g, all + i, end - i);
    }
    g_array_free(members, TRUE);
}

/* ---- what is left for the root ---- */

static int find_line(const void *key, const void *element)
{
    const shared_line *x = key, *y = element;
    return compare_places(x->file, x->line, y->file, y->line);
}

static void note_given(const graph *g, GArray *shared)
{
    for (guint i = 0; shared->len > 0 && i < g->rows->len; i++) {
        const row *r = graph_row(g, i);
        shared_line key = {.file = graph_node(g, r->node)->file, .line = r->line};
        shared_line *l = bsearch(&key, shared->data, shared->len, sizeof key, find_line);
        if (l != NULL)
            l->given_ticks += r->time_ticks;
    }
}

static void give_rest_to_root(graph *g, const GArray *shared)
{
    for (guint i = 0; i < shared->len; i++) {
        const shared_line *l = &g_array_index(shared, shared_line, i);
        if (l->weight <= l->given_ticks)
            continue;
        row r = {.node = graph_node_for(g, g->root, l->file), .line = l->line};
        r.time_ticks = l->weight - l->given_ticks;
        g_array_append_val(g->rows, r);
    }
}

void costs_find(graph *g)
{
    GArray *shared = collect_rows(g);
    add_first_rows(g);
    sort_rows(g);
    spread_all(g);
    note_given(g, shared);
    give_rest_to_root(g, shared);
    sort_rows(g);
    g_array_free(shared, TRUE);
    for (guint i = 0; i < g->rows->len; i++) {
        const row *r = graph_row(g, i);
        graph_node(g, r->node)->self_ticks += r->time_ticks;
    }
}
