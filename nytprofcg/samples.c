/* Samples, and blocks of memory, are at lines, and a line belongs to one sub. How many each sub has itself is
 * measured, so subs that have too few take them from those that have too many: xsubs and built-ins where they
 * are called, other subs in their lines, the innermost first, and file scopes in their files. Where nothing
 * says which sub ran a file, and so has its lines, what the sub lacks is on its own first line. */
#include "build.h"

#include "base/order.h"
#include "model/group.h"
#include "model/grow.h"
#include "model/measure.h"

/* Where a cost with samples is. */
typedef struct place {
    uint32_t file, line;
    guint cost;
} place;

typedef struct moving {
    cg_graph *g;
    GArray *places; /* place, sorted */
    int64_t *lacks; /* by sub: how many it has too few */
} moving;

static int by_file_and_line(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return nytp_order2(NYTP_ORDER(x->file, y->file), NYTP_ORDER(x->line, y->line));
}

/* The root has what all others leave. */
static void find_lacks(const moving *m, const nytp_records *arcs)
{
    const cg_graph *g = m->g;
    int64_t of_subs = 0;
    NYTP_EACH_RECORD(const nytp_arc, arc, arcs)
        if (g->subs[arc->callee].called)
            m->lacks[arc->callee] += MAX(arc->excl_ticks, 0);
    for (guint i = 0; i < g->costs->len; i++) {
        const cg_cost *cost = cg_graph_cost(g, i);
        const cg_function *f = cg_graph_function(g, cost->function);
        const place at = {f->file, cost->line, i};
        m->lacks[f->sub] -= (int64_t)cost->of[CG_STATEMENTS];
        if (cost->of[CG_STATEMENTS] > 0)
            g_array_append_val(m->places, at);
    }
    for (uint32_t i = 0; i < g->root; i++)
        of_subs += m->lacks[i];
    m->lacks[g->root] = -of_subs;
    nytp_group_sort(m->places, by_file_and_line);
}

/* Gives a sub what it lacks of a cost that another one has too much of. */
static void give(const moving *m, guint from, uint32_t sub, bool at_line)
{
    const cg_cost *cost = cg_graph_cost(m->g, from);
    const uint32_t function = cost->function, giver = cg_graph_function(m->g, function)->sub,
                   file = cg_graph_function(m->g, function)->file;
    const int64_t count = MIN(MIN(m->lacks[sub], -m->lacks[giver]), (int64_t)cost->of[CG_STATEMENTS]);
    if (count <= 0)
        return;
    cg_cost moved = {.line = cost->line, .of[CG_STATEMENTS] = (uint64_t)count};
    moved.function = cg_graph_function_for(m->g, sub, at_line ? file : CG_NO_FILE);
    if (!at_line)
        moved.line = cg_graph_function(m->g, moved.function)->first_line;
    cg_graph_cost(m->g, from)->of[CG_STATEMENTS] -= (uint64_t)count;
    cg_graph_function(m->g, function)->self[CG_STATEMENTS] -= (uint64_t)count;
    cg_graph_function(m->g, moved.function)->self[CG_STATEMENTS] += (uint64_t)count;
    m->lacks[sub] -= count;
    m->lacks[giver] += count;
    g_array_append_val(m->g->costs, moved);
}

/* Gives a sub what it lacks of the costs from `first` to the last line of that file. */
static void take(const moving *m, uint32_t sub, place first, uint32_t last_line, bool at_line)
{
    guint at = 0;
    NYTP_SEARCH(at, m->places->len, by_file_and_line(&g_array_index(m->places, place, at), &first) < 0);
    for (; at < m->places->len && m->lacks[sub] > 0; at++) {
        const place *p = &g_array_index(m->places, place, at);
        if (p->file != first.file || p->line > last_line)
            return;
        give(m, p->cost, sub, at_line);
    }
}

static void take_at_calls(const moving *m)
{
    for (size_t i = 0; i < nytp_profile_arc_count(m->g->counts); i++) {
        const nytp_arc *arc = nytp_profile_arc(m->g->counts, i);
        const place at = {cg_graph_file_number(m->g, arc->fid), arc->line, 0};
        if (m->g->subs[arc->callee].kind != NYTP_SUB_PERL)
            take(m, arc->callee, at, arc->line, false);
    }
}

typedef struct range_of_sub {
    uint32_t sub;
    nytp_range range;
} range_of_sub;

static int by_length(const void *a, const void *b)
{
    const range_of_sub *x = a, *y = b;
    return nytp_order2(
        NYTP_ORDER(x->range.last_line - x->range.first_line, y->range.last_line - y->range.first_line),
        NYTP_ORDER(x->sub, y->sub));
}

static void take_in_ranges(const moving *m)
{
    g_autoptr(GArray) ranges = NYTP_ARRAY(range_of_sub);
    nytp_sub sub;
    for (uint32_t i = 0; nytp_profile_sub(m->g->profile, i, &sub); i++)
        for (size_t r = 0; m->lacks[i] > 0 && sub.kind == NYTP_SUB_PERL && r < sub.range_count; r++) {
            const range_of_sub one = {i, sub.ranges[r]};
            g_array_append_val(ranges, one);
        }
    nytp_group_sort(ranges, by_length);
    NYTP_EACH(const range_of_sub, one, ranges) {
        const place first = {cg_graph_file_number(m->g, one->range.fid), one->range.first_line, 0};
        take(m, one->sub, first, one->range.last_line, true);
    }
}

static void take_rest(const moving *m)
{
    guint at = 0;
    for (uint32_t i = 0; i <= m->g->root; i++)
        while (m->lacks[i] > 0 && at < m->places->len) {
            give(m, g_array_index(m->places, place, at).cost, i, false);
            at += m->lacks[i] > 0;
        }
}

void cg_samples_move(cg_graph *g, const nytp_records *arcs)
{
    const nytp_measure measure = nytp_profile_measure(g->counts);
    if (!nytp_measure_is_sampled(&measure) || arcs->count == 0)
        return;
    g_autoptr(GArray) places = NYTP_ARRAY(place);
    g_autofree int64_t *lacks = g_new0(int64_t, g->root + 1);
    const moving m = {g, places, lacks};
    find_lacks(&m, arcs);
    take_at_calls(&m);
    take_in_ranges(&m);
    for (uint32_t file = 0; file < nytp_profile_file_count(g->profile); file++)
        take(&m, g->scope_sub[file], (place){file, 0, 0}, UINT32_MAX, true);
    take_rest(&m);
    cg_costs_sort(g);
}
