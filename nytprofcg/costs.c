/* Which function a line belongs to, and how a sub's exclusive time is spread over its lines.
 *
 * The subroutine profiler measures how long a sub took, the statement profiler how long its lines took. The
 * time of the sub is spread over its lines in proportion to theirs, less the time of xsubs and built-ins
 * called from a line, which are functions of their own.
 *
 * No profiler measures how long the root took. It gets what the subs leave of the statement time, as the root
 * of a call tree does, so that no time counts twice. It is spread over the root's lines in the same way. Of a
 * line that it shares with subs (`use Foo;`, `sub f { } f();`) the weight is less the time of those subs.
 */
#include "build.h"

#include "base/order.h"
#include "model/group.h"
#include "model/grow.h"
#include "model/split.h"

typedef struct xsub_time {
    uint32_t file, line; /* of the calls */
    uint64_t ticks;
} xsub_time;

static void add_time(void *record, const void *other)
{
    ((xsub_time *)record)->ticks += ((const xsub_time *)other)->ticks;
}

/* Returns the time of xsubs and built-ins for each line that calls any. */
static nytp_records collect_xsub_times(const cg_graph *g)
{
    nytp_records times;
    nytp_records_init(&times, sizeof(xsub_time), offsetof(xsub_time, ticks));
    for (size_t i = 0; i < nytp_profile_arc_count(g->counts); i++) {
        const nytp_arc *arc = nytp_profile_arc(g->counts, i);
        uint32_t file = cg_graph_file_number(g, arc->fid);
        if (g->subs[arc->callee].runs_files || file == CG_NO_FILE || arc->excl_ticks <= 0)
            continue;
        const xsub_time t = {file, arc->line, (uint64_t)arc->excl_ticks};
        nytp_records_add(&times, &t, add_time);
    }
    return times;
}

/* Sets their time to the weights: the statement time of lines, less that of the xsubs and built-ins called
 * there. */
static void weigh_costs(const cg_graph *g)
{
    nytp_records times = collect_xsub_times(g);
    NYTP_EACH(cg_cost, cost, g->costs) {
        const xsub_time here = {cg_graph_function(g, cost->function)->file, cost->line, 0};
        const xsub_time *xsubs = nytp_records_find(&times, &here);
        cost->of[CG_TIME] = cost->of[CG_STATEMENT_TIME];
        if (xsubs != NULL)
            cost->of[CG_TIME] -= MIN(xsubs->ticks, cost->of[CG_TIME]);
    }
    nytp_records_clear(&times);
}

/* A line of a sub that may have code of the root, too. */
typedef struct shared_line {
    uint32_t file, line;
    guint cost; /* index in costs before they are sorted */
    uint64_t weight;
    uint64_t given_ticks; /* time that functions got at this line */
} shared_line;

/* Callgrind has no negative costs. Negative time of a line (the clock stepped back) is carried over and
 * subtracted from the lines that follow, then from the first ones, so that the total is preserved. Returns
 * the time that the line keeps. */
static uint64_t without_carry(uint64_t *carry, int64_t ticks)
{
    if (ticks < 0) {
        *carry += 0 - (uint64_t)ticks;
        return 0;
    }
    uint64_t taken = MIN(*carry, (uint64_t)ticks);
    *carry -= taken;
    return (uint64_t)ticks - taken;
}

static void subtract_carry(const cg_graph *g, uint64_t carry)
{
    for (guint i = 0; i < g->costs->len && carry > 0; i++) {
        cg_cost *cost = cg_graph_cost(g, i);
        cost->of[CG_STATEMENT_TIME] = without_carry(&carry, (int64_t)cost->of[CG_STATEMENT_TIME]);
    }
}

static void collect_file(cg_graph *g, const nytp_line_map *map, uint32_t file, uint64_t *carry,
                         nytp_records *shared)
{
    nytp_line line;
    uint32_t fid = nytp_profile_file(g->profile, file)->fid;
    for (uint64_t from = 0; nytp_profile_next_line(g->counts, fid, &from, &line);) {
        uint32_t scope = g->scope_sub[file];
        nytp_line_place place = nytp_line_map_find(map, file, line.line);
        uint32_t sub = place.sub != CG_NO_SUB ? place.sub : scope;
        shared_line s = {.file = file, .line = line.line, .cost = g->costs->len};
        if (scope == g->root && sub != g->root && !place.is_inside)
            nytp_records_number(shared, &s, NULL);
        cg_cost cost = {.function = cg_graph_function_for(g, sub, file), .line = line.line};
        cost.of[CG_STATEMENTS] = line.count;
        cost.of[CG_STATEMENT_TIME] = without_carry(carry, line.ticks);
        g_array_append_val(g->costs, cost);
    }
}

/* Makes a cost for each line that ran, sorted by file and line, and weighs it. Returns the lines that the
 * root may share. */
static nytp_records collect_lines(cg_graph *g)
{
    nytp_records shared;
    uint64_t carry = 0;
    nytp_line_map *map = cg_subs_lines(g);
    nytp_records_init(&shared, sizeof(shared_line), offsetof(shared_line, cost));
    for (uint32_t i = 0; i < nytp_profile_file_count(g->profile); i++)
        collect_file(g, map, i, &carry, &shared);
    nytp_line_map_free(map);
    subtract_carry(g, carry);
    weigh_costs(g);
    NYTP_EACH_RECORD(shared_line, s, &shared)
        s->weight = cg_graph_cost(g, s->cost)->of[CG_TIME];
    return shared;
}

static int by_function_and_line(const void *a, const void *b)
{
    const cg_cost *x = a, *y = b;
    return nytp_order2(NYTP_ORDER(x->function, y->function), NYTP_ORDER(x->line, y->line));
}

static void add_cost(cg_graph *g, cg_cost *cost, const cg_cost *more)
{
    for (int amount = 0; amount < CG_WORK; amount++)
        cost->of[amount] += more->of[amount];
    for (int amount = CG_QUEUED; amount < g->amounts; amount++)
        cg_cost_add(g, cost, (enum cg_amount)amount, cg_cost_of(g, more, (enum cg_amount)amount));
}

void cg_costs_sort(cg_graph *g)
{
    guint kept = 0;
    nytp_group_sort(g->costs, by_function_and_line);
    NYTP_EACH(const cg_cost, cost, g->costs)
        if (kept > 0 && by_function_and_line(cg_graph_cost(g, kept - 1), cost) == 0)
            add_cost(g, cg_graph_cost(g, kept - 1), cost);
        else
            *cg_graph_cost(g, kept++) = *cost;
    g_array_set_size(g->costs, kept);
}

/* Adds a cost where each sub begins, for exclusive time that belongs to no line. */
static void add_first_lines(cg_graph *g)
{
    for (uint32_t i = 0; i <= g->root; i++) {
        const cg_sub *s = &g->subs[i];
        cg_cost first = {.function = s->function, .line = s->first_line};
        if (s->called || i == g->root)
            g_array_append_val(g->costs, first);
    }
}

/* A cost of a sub's own function or of one of its parts. */
typedef struct cost_of_sub {
    uint32_t sub;
    guint cost;
} cost_of_sub;

static int by_sub(const void *a, const void *b)
{
    const cost_of_sub *x = a, *y = b;
    return nytp_order2(NYTP_ORDER(x->sub, y->sub), NYTP_ORDER(x->cost, y->cost));
}

/* Spreads the exclusive time of a sub over its costs. */
static void spread(const cg_graph *g, const cost_of_sub *costs, size_t count)
{
    const cg_sub *s = &g->subs[costs[0].sub];
    g_autofree uint64_t *weights = g_new(uint64_t, count), *shares = g_new0(uint64_t, count);
    for (size_t i = 0; i < count; i++)
        weights[i] = cg_graph_cost(g, costs[i].cost)->of[CG_TIME];
    if (!nytp_split_by_weight(s->excl_ticks, weights, shares, count)) {
        for (size_t i = 0; i < count; i++) {
            const cg_cost *cost = cg_graph_cost(g, costs[i].cost);
            if (cost->function == s->function && cost->line == s->first_line)
                shares[i] = s->excl_ticks;
        }
    }
    for (size_t i = 0; i < count; i++)
        cg_graph_cost(g, costs[i].cost)->of[CG_TIME] = shares[i];
}

/* Spreads the exclusive time of all subs but the root: the time of its costs stays their weight. */
static void spread_all(const cg_graph *g)
{
    g_autoptr(GArray) costs = NYTP_ARRAY(cost_of_sub);
    for (guint i = 0; i < g->costs->len; i++) {
        cost_of_sub c = {cg_graph_function(g, cg_graph_cost(g, i)->function)->sub, i};
        if (c.sub != g->root)
            g_array_append_val(costs, c);
    }
    nytp_group_sort(costs, by_sub);
    for (guint i = 0, end; i < costs->len; i = end) {
        end = nytp_group_end(costs, i, offsetof(cost_of_sub, sub));
        spread(g, &g_array_index(costs, cost_of_sub, i), end - i);
    }
}

static void sum_given_time(const cg_graph *g, const nytp_records *shared)
{
    NYTP_EACH(const cg_cost, cost, g->costs) {
        const shared_line key = {.file = cg_graph_function(g, cost->function)->file, .line = cost->line};
        shared_line *s = nytp_records_find(shared, &key);
        if (s != NULL)
            s->given_ticks += cost->of[CG_TIME];
    }
}

static void give_rest_to_root(cg_graph *g, const nytp_records *shared)
{
    NYTP_EACH_RECORD(const shared_line, s, shared) {
        if (s->weight <= s->given_ticks)
            continue;
        cg_cost rest = {.function = cg_graph_function_for(g, g->root, s->file), .line = s->line};
        rest.of[CG_TIME] = s->weight - s->given_ticks;
        g_array_append_val(g->costs, rest);
    }
}

/* Returns the time that the subs leave of the statement time. */
static uint64_t left_by_subs(const cg_graph *g)
{
    uint64_t ticks = 0;
    NYTP_EACH(const cg_cost, cost, g->costs)
        ticks += cost->of[CG_STATEMENT_TIME];
    for (uint32_t i = 0; i < g->root && ticks > 0; i++)
        ticks -= MIN(ticks, g->subs[i].excl_ticks);
    return ticks;
}

static bool is_file_scope(const cg_graph *g, const cg_function *f)
{
    return f->is_part && nytp_profile_file(g->profile, f->file)->eval_fid == 0;
}

/* Whether the cost is one of the root: in a file scope, or elsewhere. */
static bool is_of_root(const cg_graph *g, const cg_cost *cost, bool in_scope)
{
    const cg_function *f = cg_graph_function(g, cost->function);
    return f->sub == g->root && is_file_scope(g, f) == in_scope;
}

static uint64_t weight_of_root(const cg_graph *g, bool in_scopes)
{
    uint64_t weight = 0;
    NYTP_EACH(cg_cost, cost, g->costs)
        if (is_of_root(g, cost, in_scopes))
            weight += cost->of[CG_TIME];
    return weight;
}

/* Makes times of weights that add up to weight. */
static void scale_root(const cg_graph *g, bool in_scopes, uint64_t weight, uint64_t ticks)
{
    nytp_scale scale = {weight, ticks, 0, 0};
    NYTP_EACH(cg_cost, cost, g->costs)
        if (is_of_root(g, cost, in_scopes))
            cost->of[CG_TIME] = nytp_scale_next(&scale, cost->of[CG_TIME]);
}

/* If the weights are more than the root's time, subs have the rest. These are most likely BEGIN blocks that
 * ran file scopes: nothing says so if no call was made there. So the file scopes get less first. */
static void spread_root(const cg_graph *g)
{
    uint64_t left = left_by_subs(g), own = weight_of_root(g, false), in_scopes = weight_of_root(g, true);
    uint64_t own_ticks = own + in_scopes < left ? left - in_scopes : MIN(own, left);
    scale_root(g, false, own, own_ticks);
    scale_root(g, true, in_scopes, left - own_ticks);
}

void cg_costs_find(cg_graph *g)
{
    nytp_records shared = collect_lines(g);
    add_first_lines(g);
    cg_costs_sort(g);
    spread_all(g);
    sum_given_time(g, &shared);
    give_rest_to_root(g, &shared);
    nytp_records_clear(&shared);
    cg_costs_sort(g);
    spread_root(g);
    NYTP_EACH(const cg_cost, cost, g->costs) {
        cg_function *function = cg_graph_function(g, cost->function);
        for (int amount = 0; amount < CG_WORK; amount++)
            function->self[amount] += cost->of[amount];
    }
}
