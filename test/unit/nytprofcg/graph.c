/* nytprofcg's graph: which sub a line belongs to, and inclusive times that agree with exclusive ones,
 * for profiles that make no sense as well. */
#include "nytprofcg/build.h"
#include "base/str.h"
#include "calls/calltree.h"
#include "model/subs.h"
#include "test/unit/profile_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cg_measured none_measured[CG_AMOUNTS];

/* ---- profiles at random ---- */

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
        statements += c->statements;
        statement_ticks += c->statement_ticks;
        of_sub[cg_graph_function(g, c->function)->sub] += c->time_ticks;
        self += c->time_ticks;
        work += cg_graph_cost_of(g, i, CG_WORK);
        assert_true(cg_graph_cost_of(g, i, CG_WORK) <= c->time_ticks);
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

static uint32_t number_of(const nytp_profile *p, const char *name)
{
    nytp_sub sub;
    uint32_t i = 0;
    while (nytp_profile_sub(p, i, &sub) && !nytp_str_is(sub.name, name))
        i++;
    return i;
}

#define RETURN(depth, incl, excl, name)                                                                      \
    {                                                                                                        \
        .tag = NYTP_SUB_RETURN, .sub_return = { depth, incl, excl, STR(name) }                               \
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

/* The numbers of subs, by those of the tree's names. The caller must free() them. */
static uint32_t *subs_of_tree(const nytp_profile *p, nytp_calltree *calls)
{
    const nytp_names *names = nytp_calltree_names(calls);
    uint32_t *subs = calloc((size_t)nytp_names_count(names) + 1, sizeof *subs);
    for (uint32_t i = 0; i < nytp_names_count(names); i++) {
        const nytp_str name = nytp_names_get(names, i);
        char text[32];
        snprintf(text, sizeof text, "%.*s", (int)name.length, name.bytes);
        const uint32_t sub = number_of(p, text);
        subs[i] = sub < nytp_profile_sub_count(p) ? sub : CG_NO_SUB;
    }
    return subs;
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
        uint32_t *subs = subs_of_tree(p, calls);
        const cg_stacks stacks = {nytp_calltree_stacks(calls), subs, 1};
        cg_graph *g = cg_build(p, measured, seed % 3 == 0 ? NULL : &stacks);
        bool *reach = reachable(g);
        for (int amount = CG_TIME; amount < (g->has_waits ? CG_AMOUNTS : CG_WORK); amount++)
            assert_flow(g, reach, amount);
        assert_sums(g);
        free(reach);
        free(subs);
        nytp_calltree_free(calls);
        for (int amount = 0; amount < CG_AMOUNTS; amount++)
            nytp_records_clear(&measured[amount].arcs);
        cg_graph_free(g);
        nytp_profile_free(p);
    }
}

/* Measured times that add up are left as they are. */
static void consistent_times_are_kept(void **state)
{
    const nytp_chunk chunks[] = {
        FILE_NAMED(1, "t.pl"),
        SUB("main::a", 1, 1, 3),
        SUB("main::b", 1, 4, 6),
        ARC("main::RUNTIME", 1, 9, 1, 100, 30, "main::a"),
        ARC("main::RUNTIME", 1, 10, 2, 40, 40, "main::b"),
        ARC("main::a", 1, 2, 5, 70, 50, "main::b"),
        ARC("main::b", 1, 5, 1, 20, 20, "main::c"),
    };
    (void)state;
    nytp_profile *p = PROFILE(chunks);
    cg_graph *g = cg_build(p, none_measured, NULL);
    assert_int_equal(g->calls->len, 4);
    for (uint32_t i = 0; i < g->calls->len; i++) {
        const cg_call *c = cg_graph_call(g, i);
        assert_true(c->incl[CG_TIME] == (c->line == 9 ? 100 : c->line == 10 ? 40 : c->line == 2 ? 70 : 20));
    }
    cg_graph_free(g);
    nytp_profile_free(p);
}

/* main::get waits 60 of 90 ticks; it is called from two lines of main::a. */
static void lines_share_waiting_by_time(void **state)
{
    const nytp_chunk chunks[] = {
        FILE_NAMED(1, "t.pl"),
        SUB("main::a", 1, 1, 3),
        SUB("main::get", 1, 4, 6),
        ARC("main::RUNTIME", 1, 9, 1, 100, 10, "main::a"),
        ARC("main::a", 1, 2, 1, 30, 20, "main::get"),
        ARC("main::a", 1, 3, 1, 60, 10, "main::get"),
        ARC("main::get", 1, 5, 1, 60, 60, "main::CORE:sleep"),
    };
    (void)state;
    nytp_profile *p = PROFILE(chunks);
    const uint32_t root = number_of(p, "main::RUNTIME"), a = number_of(p, "main::a"),
                   get = number_of(p, "main::get"), sleep = number_of(p, "main::CORE:sleep");
    const nytp_arc arcs[] = {{.caller = root, .callee = a, .incl_ticks = 60},
                             {.caller = a, .callee = get, .incl_ticks = 60},
                             {.caller = get, .callee = sleep, .incl_ticks = 60, .excl_ticks = 60}};
    cg_measured measured[CG_AMOUNTS] = {{{0}, 0}};
    nytp_records_init(&measured[CG_ASLEEP].arcs, sizeof(nytp_arc), offsetof(nytp_arc, count));
    for (size_t i = 0; i < COUNT(arcs); i++)
        nytp_records_number(&measured[CG_ASLEEP].arcs, &arcs[i], NULL);
    cg_graph *g = cg_build(p, measured, NULL);
    assert_true(g->has_waits);
    for (uint32_t i = 0; i < g->calls->len; i++) {
        const cg_call *c = cg_graph_call(g, i);
        assert_true(c->incl[CG_ASLEEP] == (c->line == 2 ? 20 : c->line == 3 ? 40 : 60));
    }
    cg_graph_free(g);
    nytp_records_clear(&measured[CG_ASLEEP].arcs);
    nytp_profile_free(p);
}

/* ---- which sub a line belongs to ---- */

static const char *sub_at(const cg_graph *g, uint32_t fid, uint32_t line)
{
    static char name[64];
    nytp_sub sub;
    for (uint32_t i = 0; i < g->costs->len; i++) {
        const cg_cost *c = cg_graph_cost(g, i);
        const cg_function *n = cg_graph_function(g, c->function);
        if (c->line != line || c->statements == 0 || nytp_profile_file(g->profile, n->file)->fid != fid)
            continue;
        if (n->sub == g->root)
            return "the root";
        nytp_profile_sub(g->profile, n->sub, &sub);
        snprintf(name, sizeof name, "%.*s", (int)sub.name.length, sub.name.bytes);
        return name;
    }
    return "none";
}

static void a_line_belongs_to_the_innermost_called_sub(void **state)
{
    static const char *const expected[] = {
        [1] = "the root", [2] = "outer", [3] = "tiny",  [4] = "inner",    [5] = "outer",
        [6] = "outer",    [7] = "busy",  [8] = "outer", [9] = "the root",
    };
    const nytp_chunk chunks[] = {
        FILE_NAMED(1, "t.pl"),
        SUB("outer", 1, 2, 8),
        SUB("inner", 1, 3, 4),
        SUB("tiny", 1, 3, 3),
        SUB("uncalled", 1, 6, 6),
        SUB("busy", 1, 7, 7),
        SUB("idle", 1, 7, 7),
        TIME(1, 1, 1),
        TIME(1, 1, 2),
        TIME(1, 1, 3),
        TIME(1, 1, 4),
        TIME(1, 1, 5),
        TIME(1, 1, 6),
        TIME(1, 1, 7),
        TIME(1, 1, 8),
        TIME(1, 1, 9),
        ARC("main::RUNTIME", 1, 9, 1, 9, 9, "outer"),
        ARC("outer", 1, 2, 1, 9, 9, "inner"),
        ARC("outer", 1, 2, 1, 1, 1, "idle"),
        ARC("outer", 1, 2, 1, 1, 1, "tiny"),
        ARC("outer", 1, 2, 1, 2, 2, "busy"),
    };
    (void)state;
    nytp_profile *p = PROFILE(chunks);
    cg_graph *g = cg_build(p, none_measured, NULL);
    for (uint32_t line = 1; line < COUNT(expected); line++)
        assert_string_equal(sub_at(g, 1, line), expected[line]);
    cg_graph_free(g);
    nytp_profile_free(p);
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
        cg_graph *g = cg_build(p, none_measured, NULL);
        nytp_line_map *map = cg_subs_lines(g);
        for (uint32_t file = 0; file <= nytp_profile_file_count(p); file++)
            for (uint32_t line = 0; line < LINES + BEYOND; line++) {
                const nytp_line_place expected = naive_place(g, file, line),
                                      got = nytp_line_map_find(map, file, line);
                assert_int_equal(got.sub, expected.sub);
                assert_int_equal(got.is_inside, expected.is_inside);
            }
        nytp_line_map_free(map);
        cg_graph_free(g);
        nytp_profile_free(p);
    }
}

static void file_scope_belongs_to_the_sub_that_calls_most_from_it(void **state)
{
    const nytp_chunk chunks[] = {
        FILE_NAMED(1, "t.pl"),
        FILE_NAMED(2, "X.pm"),
        FILE_NAMED(3, "Y.pm"),
        FILE_NAMED(4, "Z.pm"),
        EVAL_NAMED(5, 4, 3, "(eval 1)[Z.pm:3]"),
        EVAL_NAMED(6, 3, 9, "(eval 2)[Y.pm:9]"),
        SUB("X::x", 2, 1, 2),
        SUB("Z::z", 4, 2, 4),
        TIME(1, 1, 5),
        TIME(1, 2, 9),
        TIME(1, 3, 8),
        TIME(1, 5, 1),
        TIME(1, 6, 1),
        TIME(1, 4, 7),
        ARC("main::RUNTIME", 1, 5, 1, 9, 9, "X::x"),
        ARC("X::x", 1, 6, 7, 1, 1, "Z::z"),
        ARC("Z::z", 3, 7, 2, 1, 1, "X::x"),
        ARC("X::x", 3, 8, 3, 1, 1, "Z::z"),
    };
    (void)state;
    nytp_profile *p = PROFILE(chunks);
    cg_graph *g = cg_build(p, none_measured, NULL);
    assert_string_equal(sub_at(g, 1, 5), "the root"); /* the program's own, whichever sub calls from it */
    assert_string_equal(sub_at(g, 2, 9), "the root"); /* no calls from there */
    assert_string_equal(sub_at(g, 3, 8), "X::x");     /* the sub that calls most from there */
    assert_string_equal(sub_at(g, 5, 1), "Z::z");     /* an eval that makes no calls: the sub around it */
    assert_string_equal(sub_at(g, 6, 1), "X::x");     /* or the sub that runs the file scope around it */
    assert_string_equal(sub_at(g, 4, 7), "the root");
    cg_graph_free(g);
    nytp_profile_free(p);
}

static uint32_t function_named(const cg_graph *g, const char *name)
{
    uint32_t i = 0;
    while (i < g->functions->len && strcmp(cg_graph_function(g, i)->name, name) != 0)
        i++;
    return i;
}

/* Returns the call between the functions of these names; NULL if there is none. */
static const cg_call *call_between(const cg_graph *g, const char *caller, const char *callee)
{
    const uint32_t from = function_named(g, caller), to = function_named(g, callee);
    for (uint32_t i = 0; i < g->calls->len; i++)
        if (cg_graph_call(g, i)->caller == from && cg_graph_call(g, i)->callee == to)
            return cg_graph_call(g, i);
    return NULL;
}

static void assert_call(const cg_graph *g, const char *caller, const char *callee, uint64_t count,
                        uint64_t ticks)
{
    const cg_call *c = call_between(g, caller, callee);
    assert_non_null(c);
    assert_true(c->count == count && c->incl[CG_TIME] == ticks);
}

/* main::a calls emit, which calls main::read; that calls emit, which calls main::log. */
static void a_sub_that_recurs_is_split_by_what_it_leads_to(void **state)
{
    const nytp_chunk chunks[] = {
        FILE_NAMED(1, "t.pl"),
        SUB("main::emit", 1, 1, 3),
        SUB("main::read", 1, 4, 6),
        SUB("main::log", 1, 7, 9),
        ARC("main::RUNTIME", 1, 20, 2, 100, 3, "main::emit"),
        ARC("main::emit", 1, 2, 2, 97, 10, "main::read"),
        ARC("main::read", 1, 5, 3, 0, 7, "main::emit"),
        ARC("main::emit", 1, 2, 3, 80, 80, "main::log"),
    };
    const nytp_chunk returns[] = {
        RETURN(4, 80, 80, "main::log"),
        RETURN(3, 87, 7, "main::emit"),
        RETURN(2, 97, 10, "main::read"),
        RETURN(1, 100, 3, "main::emit"),
    };
    (void)state;
    nytp_profile *p = PROFILE(chunks);
    nytp_calltree *calls = nytp_calltree_new(NULL, NULL);
    for (size_t i = 0; i < COUNT(returns); i++)
        nytp_calltree_add(calls, &returns[i]);
    uint32_t *subs = subs_of_tree(p, calls);
    const cg_stacks stacks = {nytp_calltree_stacks(calls), subs, 1};
    cg_graph *g = cg_build(p, none_measured, &stacks);
    assert_call(g, "main::RUNTIME", "main::emit", 2, 3);
    assert_call(g, "main::read", "main::emit", 3, 7);
    assert_call(g, "main::RUNTIME", "main::emit (to main::read)", 1, 97);
    assert_call(g, "main::emit (to main::read)", "main::read", 2, 97);
    assert_call(g, "main::read", "main::emit (to main::log)", 1, 80);
    assert_call(g, "main::emit (to main::log)", "main::log", 3, 80);
    assert_int_equal(g->calls->len, 6);
    cg_graph_free(g);
    free(subs);
    nytp_calltree_free(calls);
    nytp_profile_free(p);
}

/* Functions have names of their own. File scopes are told apart by their paths if that is needed. */
static void names_that_are_alike_or_not_printable(void **state)
{
    static const char *const expected[] = {"main::RUNTIME",
                                           "main::RUNTIME (2)",
                                           "(unnamed)",
                                           "main::x\\ny",
                                           "main::x\\ny (2)",
                                           "main::(file scope of X.pm)",
                                           "main::(file scope of /a/X.pm)",
                                           "main::(file scope of /b/X.pm)",
                                           "main::(file scope of unknown file)"};
    const nytp_chunk chunks[] = {
        FILE_NAMED(1, "t.pl"),
        FILE_NAMED(2, "/a/X.pm"),
        FILE_NAMED(3, "/b/X.pm"),
        SUB("main::(file scope of X.pm)", 1, 3, 3),
        SUB("main::x\ny", 1, 4, 4),
        SUB("main::x\\ny", 1, 5, 5),
        TIME(1, 2, 1),
        TIME(2, 3, 1),
        TIME(3, 70, 1),
        ARC("main::RUNTIME", 1, 9, 1, 10, 10, "main::(file scope of X.pm)"),
        ARC("main::RUNTIME", 1, 9, 1, 20, 20, "main::x\ny"),
        ARC("main::RUNTIME", 1, 9, 1, 30, 30, "main::x\\ny"),
        ARC("main::x\ny", 1, 4, 1, 5, 5, "main::RUNTIME"),
        ARC("main::RUNTIME", 1, 4, 1, 5, 5, ""),
    };
    (void)state;
    nytp_profile *p = PROFILE(chunks);
    cg_graph *g = cg_build(p, none_measured, NULL);
    assert_int_equal(g->functions->len, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++)
        assert_true(function_named(g, expected[i]) < g->functions->len);
    cg_graph_free(g);
    nytp_profile_free(p);
}

/* A chain of calls can be of any length. */
static void long_chains_of_calls_do_not_recurse(void **state)
{
    enum { DEEP = 300000 };
    char caller[32], called[32];
    (void)state;
    nytp_profile *p = nytp_profile_new();
    for (uint32_t i = 0; i < DEEP; i++)
        add(p, (nytp_chunk){
                   .tag = NYTP_SUB_CALLERS,
                   .sub_callers = {1, i, name_of(i, caller), 1, 0, 1e-7, 0, 0, name_of(i + 2, called)}});
    cg_graph *g = cg_build(p, none_measured, NULL);
    assert_int_equal(g->functions->len, DEEP + 1);
    uint64_t from_root = 0;
    for (uint32_t i = 0; i < g->calls->len; i++)
        if (cg_graph_call(g, i)->caller == g->subs[g->root].function)
            from_root += cg_graph_call(g, i)->incl[CG_TIME];
    assert_true(from_root == DEEP);
    cg_graph_free(g);
    nytp_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_into_a_cycle_carry_what_it_spends),
        cmocka_unit_test(consistent_times_are_kept),
        cmocka_unit_test(lines_share_waiting_by_time),
        cmocka_unit_test(a_line_belongs_to_the_innermost_called_sub),
        cmocka_unit_test(the_line_map_agrees_with_a_search_of_all_subs),
        cmocka_unit_test(file_scope_belongs_to_the_sub_that_calls_most_from_it),
        cmocka_unit_test(a_sub_that_recurs_is_split_by_what_it_leads_to),
        cmocka_unit_test(names_that_are_alike_or_not_printable),
        cmocka_unit_test(long_chains_of_calls_do_not_recurse),
    };
    return cmocka_run_group_tests_name("cg-graph", tests, NULL, NULL);
}
