/* Which sub a line belongs to.
 *
 * The lines of all files are one sequence: a line's number has its file's in the upper half. It is cut into
 * stretches of lines with the same answer, in one pass over the subs. A stretch can begin only on a sub's
 * first line, on the one after that, on its last line, and behind it.
 */
#include "graph.h"

/* Lines from that one up to the next stretch. */
typedef struct stretch {
    uint64_t first;
    uint32_t sub; /* the root: in no sub */
    bool is_inside;
} stretch;

/* Where a sub is. */
typedef struct range {
    uint64_t first, last;
    uint64_t excl_ticks;
    uint32_t sub;
} range;

static uint64_t line_number(uint32_t file, uint32_t line)
{
    return (uint64_t)file << 32 | line;
}

/* Of all called perl subs. */
static GArray *collect_ranges(const graph *g)
{
    GArray *ranges = g_array_new(FALSE, FALSE, sizeof(range));
    for (uint32_t i = 0; i < g->root; i++) {
        nytp_sub sub;
        nytp_profile_sub(g->profile, i, &sub);
        if (!g->owners[i].called || sub.kind != NYTP_SUB_PERL)
            continue;
        for (size_t k = 0; k < sub.range_count; k++) {
            const nytp_range *told = &sub.ranges[k];
            uint32_t file = graph_file_number(g, told->fid);
            range r = {line_number(file, told->first_line), line_number(file, told->last_line),
                       g->owners[i].excl_ticks, i};
            if (file != NO_FILE && r.first <= r.last)
                g_array_append_val(ranges, r);
        }
    }
    return ranges;
}

/* Of the ranges around a line, the last in this order is the innermost. Subs on the same lines cannot be told
 * apart: the one that took most time gets them. */
static int innermost_last(const void *a, const void *b)
{
    const range *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->last != y->last)
        return x->last > y->last ? -1 : 1;
    if (x->excl_ticks != y->excl_ticks)
        return x->excl_ticks < y->excl_ticks ? -1 : 1;
    return (x->sub < y->sub) - (x->sub > y->sub);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The lines where stretches can begin; sorted. */
static GArray *find_edges(const GArray *ranges)
{
    enum { EDGES = 4 }; /* of each range */
    GArray *edges = g_array_sized_new(FALSE, FALSE, sizeof(uint64_t), ranges->len * EDGES);
    for (guint i = 0; i < ranges->len; i++) {
        const range *r = &g_array_index(ranges, range, i);
        uint64_t of_range[EDGES] = {r->first, r->first + 1, r->last, r->last + 1};
        g_array_append_vals(edges, of_range, EDGES);
    }
    graph_sort(edges, by_number);
    return edges;
}

static void begin_stretch(GArray *stretches, stretch s)
{
    const stretch *last = stretches->len > 0 ? &g_array_index(stretches, stretch, stretches->len - 1) : NULL;
    if (last == NULL || last->sub != s.sub || last->is_inside != s.is_inside)
        g_array_append_val(stretches, s);
}

/* Ranges that have begun are on a stack, in their order. Once those that have ended are taken from its top,
 * the top is the innermost one. Ended ones further down do no harm. */
void places_init(places *p, const graph *g)
{
    GArray *ranges = collect_ranges(g);
    GArray *edges = find_edges(ranges);
    GArray *open = g_array_new(FALSE, FALSE, sizeof(range));
    uint64_t furthest = 0; /* the last line of all ranges that began before the line at hand */
    guint next = 0, before = 0;
    *p = (places){g_array_new(FALSE, FALSE, sizeof(stretch)), g->root};
    graph_sort(ranges, innermost_last);
    for (guint i = 0; i < edges->len; i++) {
        uint64_t at = g_array_index(edges, uint64_t, i);
        for (; next < ranges->len && g_array_index(ranges, range, next).first <= at; next++)
            g_array_append_val(open, g_array_index(ranges, range, next));
        for (; before < next && g_array_index(ranges, range, before).first < at; before++)
            furthest = MAX(furthest, g_array_index(ranges, range, before).last);
        while (open->len > 0 && g_array_index(open, range, open->len - 1).last < at)
            g_array_set_size(open, open->len - 1);
        uint32_t sub = open->len > 0 ? g_array_index(open, range, open->len - 1).sub : g->root;
        begin_stretch(p->stretches, (stretch){at, sub, furthest > at});
    }
    g_array_free(open, TRUE);
    g_array_free(edges, TRUE);
    g_array_free(ranges, TRUE);
}

void places_clear(places *p)
{
    g_array_free(p->stretches, TRUE);
}

place places_at(const places *p, uint32_t file, uint32_t line)
{
    const uint64_t number = line_number(file, line);
    guint low = 0, high = p->stretches->len; /* those before low begin there or before */
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(p->stretches, stretch, middle).first <= number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return (place){p->root, false};
    const stretch *s = &g_array_index(p->stretches, stretch, low - 1);
    return (place){s->sub, s->is_inside};
}
