/* nytprofcg's graph of profiles at random, which make no sense: inclusive times agree with exclusive ones,
 * and lines belong to the innermost sub. */
#include "test/unit/graph_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUBS = 14, FILES = 6, LINES = 12 };

static void add(nytp_profile *p, nytp_chunk chunk)
{
    nytp_profile_add(p, &chunk);
}

static nytp_str name_of(uint32_t i, char text[static 32])
{
    static const char *const special[] = {"main::RUNTIME", "main::NULL", "main::CORE:sleep"};
    int length =
        i < COUNT(special) ? snprintf(text, 32, "%s", special[i]) : snprintf(text, 32, "main::s%u", i);
    return (nytp_str){text, (size_t)length, false};
}

static uint32_t below(uint64_t *random, uint32_t limit)
{
    return (uint32_t)(random_next(random) >> 16) % limit;
}

static void add_random_files(nytp_profile *p, uint64_t *random)
{
    for (uint32_t fid = 1; fid < FILES; fid++) {
        if (below(random, 4) == 0)
            continue;
        uint32_t outer = below(random, 3) == 0 ? below(random, FILES) : 0;
        char name[32];
        nytp_str s = {
            name, (size_t)snprintf(name, sizeof name, outer != 0 ? "(eval %u)[x:1]" : "f%u.pl", fid), false};
        add(p, (nytp_chunk){.tag = NYTP_NEW_FID, .new_fid = {fid, outer, below(random, LINES), 0, 0, 0, s}});
    }
}

static void add_random_arc(nytp_profile *p, uint64_t *random)
{
    char caller[32], called[32];
    double incl = below(random, 1000) * 1e-7, excl = ((double)below(random, 500) - 20) * 1e-7;
    add(p, (nytp_chunk){.tag = NYTP_SUB_CALLERS,
                        .sub_callers = {below(random, FILES), below(random, LINES),
                                        name_of(below(random, SUBS), caller), below(random, 4), incl, excl, 0,
                                        0, name_of(2 + below(random, SUBS - 2), called)}});
}

/* Any sub calls any sub from any line; times are random. */
static nytp_profile *random_profile(uint64_t seed)
{
    uint64_t random = seed;
    char name[32];
    nytp_profile *p = nytp_profile_new();
    add_random_files(p, &random);
    for (uint32_t n = below(&random, 40); n > 0; n--)
        add(p, (nytp_chunk)TIME((int32_t)below(&random, 300) - 30, below(&random, FILES),
                                below(&random, LINES)));
    for (uint32_t i = 2; i < SUBS; i++) {
        uint32_t first = below(&random, LINES);
        if (below(&random, 4) == 0)
            continue;
        add(p, (nytp_chunk){
                   .tag = NYTP_SUB_INFO,
                   .sub_info = {below(&random, FILES), name_of(i, name), first, first + below(&random, 5)}});
        if (below(&random, 5) == 0)
            add(p, (nytp_chunk){.tag = NYTP_SUB_CALLERS, .sub_callers = {.called = name_of(i, name)}});
    }
    for (uint32_t n = below(&random, 25); n > 0; n--)
        add_random_arc(p, &random);
    return p;
}

/* Any sub has any amount below any other one. */
static nytp_records random_measured(const nytp_profile *p, uint64_t seed)
{
    uint64_t random = seed;
    nytp_records measured;
    nytp_records_init(&measured, sizeof(nytp_arc), offsetof(nytp_arc, count));
    const uint32_t subs = (uint32_t)nytp_profile_sub_count(p);
    for (uint32_t n = subs > 0 ? below(&random, 25) : 0; n > 0; n--) {
        const nytp_arc arc = {.caller = below(&random, subs),
                              .callee = below(&random, subs),
                              .incl_ticks = (int64_t)below(&random, 2000) - 100,
                              .excl_ticks = (int64_t)below(&random, 500) - 50};
        nytp_records_add(&measured, &arc, nytp_arc_add);
    }
    return measured;
}

/* reach[a * n + b]: b can be reached from a; tries every function in between (Warshall). */
static bool *reachable(const cg_graph *g)
{
    uint32_t n = g->functions->len;
    bool *reach = calloc((size_t)n * n, sizeof *reach);
    for (uint32_t i = 0; i < n; i++)
        reach[i * n + i] = true;
    for (uint32_t i = 0; i < g->calls->len; i++)
        reach[cg_graph_call(g, i)->caller * n + cg_graph_call(g, i)->callee] = true;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                reach[i * n + j] |= reach[i * n + k] && reach[k * n + j];
    return reach;
}

static void assert_flow(const cg_graph *g, const bool *reach, enum cg_amount amount)
{
    uint32_t n = g->functions->len, root = g->subs[g->root].function;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t in = 0, out = 0;
        assert_true(reach[root * n + i]);
        for (uint32_t k = 0; k < n; k++)
            if (reach[i * n + k] && reach[k * n + i])
                out += cg_graph_function(g, k)->self[amount];
        for (uint32_t k = 0; k < g->calls->len; k++) {
            const cg_call *c = cg_graph_call(g, k);
            bool from_inside = reach[i * n + c->caller] && reach[c->caller * n + i];
            bool to_inside = reach[i * n + c->callee] && reach[c->callee * n + i];
            in += to_inside && !from_inside ? c->incl[amount] : 0;
            out += from_inside && !to_inside ? c->incl[amount] : 0;
            assert_true(c->count > 0);
            assert_int_not_equal(c->callee, root);
        }
        if (i != root)
            assert_true(in == out);
    }
}

static void assert_sums(const cg_graph *g)
{
    uint64_t statements = 0, statement_ticks = 0, self = 0, work = 0, of_sub[SUBS + 1] = {0},
             calls[SUBS + 1] = {0};
    for (uint32_t i = 0; i < g->costs->len; i++) {
        const cg_cost *c = cg_graph_cost(g, i);
        statements += c->of[CG_STATEMENTS];
        statement_ticks += c->of[CG_STATEMENT_TIME];
        of_sub[cg_graph_function(g, c->function)->sub] += c->of[CG_TIME];
        self += c->of[CG_TIME];
        work += cg_cost_of(g, c, CG_WORK);
        assert_true(cg_cost_of(g, c, CG_WORK) <= c->of[CG_TIME]);
    }
    for (uint32_t i = 0; i < g->functions->len; i++) {
        const uint64_t *ticks = cg_graph_function(g, i)->self;
        self -= ticks[CG_TIME];
        work -= ticks[CG_WORK];
        assert_true(ticks[CG_TIME] == ticks[CG_WORK] + ticks[CG_ASLEEP] + ticks[CG_QUEUED]);
    }
    assert_true(self == 0 && work == 0);
    for (uint32_t i = 0; i < g->calls->len; i++)
        if (cg_graph_call(g, i)->is_measured && !cg_graph_function(g, cg_graph_call(g, i)->callee)->is_way)
            calls[cg_graph_function(g, cg_graph_call(g, i)->callee)->sub] += cg_graph_call(g, i)->count;
    for (size_t i = 0; i < nytp_profile_arc_count(g->profile); i++)
        calls[nytp_profile_arc(g->profile, i)->callee] -= nytp_profile_arc(g->profile, i)->count;
    for (uint32_t i = 0; i < g->root; i++) {
        assert_true(calls[i] == 0 || !g->subs[i].is_counted);
        assert_true(of_sub[i] == (g->subs[i].called ? g->subs[i].excl_ticks : 0));
    }
    nytp_totals totals = nytp_profile_totals(g->profile);
    assert_true(statements == totals.statements);
    assert_true(statement_ticks == (uint64_t)MAX(totals.statement_ticks, 0));
}

/* Any sub calls any other one, as far as the stacks go; the profile need not have an arc for it. */
static nytp_calltree *random_calls(uint64_t seed)
{
    uint64_t random = seed;
    char name[32];
    uint32_t depth = 0;
    nytp_calltree *calls = nytp_calltree_new(NULL, NULL);
    for (uint32_t n = below(&random, 60); n > 0; n--) {
        depth = 1 + below(&random, depth + 2);
        const nytp_chunk chunk = {.tag = NYTP_SUB_RETURN,
                                  .sub_return = {depth, below(&random, 900), below(&random, 300),
                                                 name_of(below(&random, SUBS), name)}};
        nytp_calltree_add(calls, &chunk);
    }
    return calls;
}

static void calls_into_a_cycle_carry_what_it_spends(void **state)
{
    enum { PROFILES = 4000 };
    (void)state;
    for (uint64_t seed = 1; seed <= PROFILES; seed++) {
        nytp_profile *p = random_profile(seed);
        if (seed % 2 == 0)
            nytp_profile_merge_evals(p);
        cg_measured measured[CG_AMOUNTS] = {{{0}, 0}};
        for (int amount = CG_STATEMENTS; amount < CG_AMOUNTS; amount++)
            if (amount != CG_WORK)
                measured[amount].arcs = random_measured(p, seed + (uint64_t)amount);
        nytp_calltree *calls = random_calls(seed);
        const uint32_t beside = seed % 5 == 0 ? 1 + seed % 2 : 0;
        GArray *stacks = stacks_of(p, calls, seed % (beside + 1));
        cg_graph *g = graph_of(p, beside, measured, seed % 3 == 0 ? NULL : stacks);
        bool *reach = reachable(g);
        for (int amount = CG_TIME; amount < g->amounts; amount++)
            if (amount >= CG_BYTES || g->has_waits || amount < CG_WORK)
                assert_flow(g, reach, amount);
        assert_sums(g);
        free(reach);
        g_array_unref(stacks);
        nytp_calltree_free(calls);
        for (int amount = 0; amount < CG_AMOUNTS; amount++)
            nytp_records_clear(&measured[amount].arcs);
        free_graph(g);
        nytp_profile_free(p);
    }
}

/* Whether a sub's range begins later than the best so far, ends earlier, or took more. */
static bool is_further_in(const cg_graph *g, uint32_t sub, nytp_range range, uint32_t best_sub,
                          nytp_range best)
{
    if (range.first_line != best.first_line)
        return range.first_line > best.first_line;
    if (range.last_line != best.last_line)
        return range.last_line < best.last_line;
    return g->subs[sub].excl_ticks > g->subs[best_sub].excl_ticks;
}

/* Looks at every sub. */
static nytp_line_place naive_place(const cg_graph *g, uint32_t file, uint32_t line)
{
    nytp_line_place p = {.sub = CG_NO_SUB};
    nytp_range best = {0};
    nytp_sub sub;
    for (uint32_t i = 0; i < g->root; i++) {
        nytp_profile_sub(g->profile, i, &sub);
        for (size_t k = 0; k < (g->subs[i].called && sub.kind == NYTP_SUB_PERL ? sub.range_count : 0); k++) {
            nytp_range r = sub.ranges[k];
            if (cg_graph_file_number(g, r.fid) != file || line < r.first_line || line > r.last_line)
                continue;
            p.is_inside |= r.first_line < line && line < r.last_line;
            if (p.sub == CG_NO_SUB || is_further_in(g, i, r, p.sub, best)) {
                p.sub = i;
                best = r;
            }
        }
    }
    return p;
}

static void the_line_map_agrees_with_a_search_of_all_subs(void **state)
{
    enum { PROFILES = 2000, BEYOND = 8 };
    (void)state;
    for (uint64_t seed = 1; seed <= PROFILES; seed++) {
        nytp_profile *p = random_profile(seed);
        if (seed % 2 == 0)
            nytp_profile_merge_evals(p);
        cg_graph *g = graph_of(p, 0, none_measured, NULL);
        nytp_line_map *map = cg_subs_lines(g);
        for (uint32_t file = 0; file <= nytp_profile_file_count(p); file++)
            for (uint32_t line = 0; line < LINES + BEYOND; line++) {
                const nytp_line_place expected = naive_place(g, file, line),
                                      got = nytp_line_map_find(map, file, line);
                assert_int_equal(got.sub, expected.sub);
                assert_int_equal(got.is_inside, expected.is_inside);
            }
        nytp_line_map_free(map);
        free_graph(g);
        nytp_profile_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_into_a_cycle_carry_what_it_spends),
        cmocka_unit_test(the_line_map_agrees_with_a_search_of_all_subs),
    };
    return cmocka_run_group_tests_name("cg-random", tests, NULL, NULL);
}
