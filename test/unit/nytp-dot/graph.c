/* nytp-dot's graph: its total, packages, and which subs are shown. That sums are right, drawings.t tests. */
#include "test/unit/profile_support.h"

#include "converters/nytp-dot/graph.h"

#include <string.h>

#define RETURN(depth_, excl_, name_)                                                                         \
    {                                                                                                        \
        .tag = NYTP_SUB_RETURN, .sub_return = {                                                              \
            .depth = (depth_),                                                                               \
            .excl_ticks = (excl_),                                                                           \
            .name = STR(name_)                                                                               \
        }                                                                                                    \
    }

static const dot_graph_options by_sub, by_package = {.packages = true};

typedef struct made {
    nytp_profile *profile;
    dot_graph *g;
} made;

/* The chunk that marks xsubs marks built-ins, too. */
static made make(int32_t statement_ticks)
{
    const nytp_chunk small[] = {
        FILE_NAMED(1, "t.pl"),
        TIME(statement_ticks, 1, 1),
        SUB("A::f", 1, 3, 9),
        XSUB("A::CORE:match"),
        XSUB("A::CORE:sort"),
        ARC("main::RUNTIME", 1, 1, 1, 800, 100, "A::f"),
        ARC("main::RUNTIME", 1, 2, 2, 100, 50, "A::f"),
        ARC("A::f", 1, 4, 10, 600, 200, "B::g"),
        ARC("B::g", 1, 5, 4, 0, 40, "A::f"),
        ARC("B::g", 1, 6, 100, 60, 60, "A::CORE:match"),
        ARC("A::f", 1, 7, 1, 90, 70, "A::CORE:sort"),
        ARC("A::CORE:sort", 1, 7, 9, 20, 20, "A::cmp"),
        ARC("never::called", 1, 8, 3, 30, 30, "A::late"),
        ARC("A::f", 1, 9, 0, 0, 0, "A::unused"),
    };
    made m = {.profile = PROFILE(small)};
    m.g = dot_build(m.profile, NULL, &by_sub);
    return m;
}

static void unmake(made *m)
{
    dot_graph_free(m->g);
    nytp_profile_free(m->profile);
}

static const dot_node *named(const made *m, const char *name)
{
    int64_t i = dot_graph_find(m->g, name);
    assert_true(i >= 0);
    return dot_graph_node(m->g, (uint32_t)i);
}

static void assert_node(const made *m, const char *name, uint64_t calls, double incl, double excl)
{
    const dot_node *n = named(m, name);
    assert_int_equal(n->calls, calls);
    assert_true(n->incl_ticks == incl);
    assert_true(n->excl_ticks == excl);
}

static const dot_edge *between(const made *m, const char *from, const char *to)
{
    for (uint32_t i = 0; i < m->g->edges->len; i++) {
        const dot_edge *e = dot_graph_edge(m->g, i);
        if (strcmp(dot_graph_node(m->g, e->from)->name, from) == 0 &&
            strcmp(dot_graph_node(m->g, e->to)->name, to) == 0)
            return e;
    }
    return NULL;
}

static void the_total_is_the_time_of_statements_or_of_subs(void **state)
{
    const int32_t statements[] = {-5, 0, 100, 570, 571};
    (void)state;
    for (size_t i = 0; i < COUNT(statements); i++) {
        made m = make(statements[i]);
        double sum = 0;
        for (uint32_t k = 0; k < m.g->nodes->len; k++)
            sum += dot_graph_node(m.g, k)->excl_ticks;
        assert_true(m.g->total_ticks == MAX(statements[i], 570));
        assert_true(sum == m.g->total_ticks);
        assert_true(named(&m, "A::f")->incl_ticks <= m.g->total_ticks);
        unmake(&m);
    }
}

/* Times that no clock can have, from a thousand places. */
static void absurd_times_give_shares_between_0_and_1(void **state)
{
    enum { MANY = 3000 };
    static nytp_chunk chunks[MANY];
    (void)state;
    for (uint32_t i = 0; i < MANY; i++) {
        nytp_chunk arc = ARC("main::RUNTIME", 1, i, UINT32_MAX, 9e15, i % 2 ? 9e15 : -9e15, "A::f");
        chunks[i] = arc;
    }
    nytp_profile *profile = PROFILE(chunks);
    dot_graph *g = dot_build(profile, NULL, &by_sub);
    for (uint32_t i = 0; i < g->nodes->len; i++) {
        double share = dot_graph_share(g, dot_graph_node(g, i)->incl_ticks);
        assert_true(share >= 0 && share <= 1);
    }
    dot_graph_free(g);
    nytp_profile_free(profile);
}

/* main: A::a 100 -> B::b 20 -> A::x 5 -> B::y 1; C::c 7. The time of A below B counts once in A. */
static void packages_are_measured_from_the_stacks(void **state)
{
    const nytp_chunk arcs[] = {
        TIME(133, 1, 1),
        ARC("main::RUNTIME", 1, 1, 1, 126, 100, "A::a"),
        ARC("A::a", 1, 2, 1, 26, 20, "B::b"),
        ARC("B::b", 1, 3, 1, 6, 5, "A::x"),
        ARC("A::x", 1, 4, 1, 1, 1, "B::y"),
        ARC("main::RUNTIME", 1, 5, 1, 7, 7, "C::c"),
    };
    const nytp_chunk returns[] = {RETURN(4, 1, "B::y"), RETURN(3, 5, "A::x"), RETURN(2, 20, "B::b"),
                                  RETURN(1, 100, "A::a"), RETURN(1, 7, "C::c")};
    nytp_calltree *stacks = nytp_calltree_new(dot_package_rename, NULL);
    (void)state;
    for (size_t i = 0; i < COUNT(returns); i++)
        nytp_calltree_add(stacks, &returns[i]);
    made m = {.profile = PROFILE(arcs)};
    m.g = dot_build(m.profile, stacks, &by_package);
    assert_node(&m, "main", 0, 133, 0);
    assert_node(&m, "A", 2, 126, 105);
    assert_node(&m, "B", 2, 26, 21);
    assert_node(&m, "C", 1, 7, 7);
    assert_true(between(&m, "main", "A")->incl_ticks == 126);
    assert_true(between(&m, "A", "B")->incl_ticks == 26);
    assert_true(between(&m, "B", "A")->incl_ticks == 0);
    nytp_calltree_free(stacks);
    unmake(&m);
}

/* One of the profiles in a merged profile can lack single calls. The packages that only that one has must not
 * lose time. */
static void packages_are_measured_only_from_stacks_of_all_calls(void **state)
{
    const nytp_chunk arcs[] = {
        TIME(13, 1, 1),
        ARC("main::RUNTIME", 1, 1, 1, 6, 6, "A::a"),
        ARC("main::RUNTIME", 1, 2, 1, 7, 7, "B::b"),
    };
    const nytp_chunk only_a = RETURN(1, 6, "A::a");
    nytp_calltree *stacks = nytp_calltree_new(dot_package_rename, NULL);
    (void)state;
    nytp_calltree_add(stacks, &only_a);
    made m = {.profile = PROFILE(arcs)};
    m.g = dot_build(m.profile, stacks, &by_package);
    assert_node(&m, "A", 1, 6, 6);
    assert_node(&m, "B", 1, 7, 7);
    assert_true(between(&m, "main", "B")->incl_ticks == 7);
    nytp_calltree_free(stacks);
    unmake(&m);
}

/* ---- what is shown ---- */

static const dot_choose_options everything;

static void a_profile_without_calls_has_the_root_alone(void **state)
{
    const nytp_chunk none[] = {FILE_NAMED(1, "t.pl")};
    nytp_profile *profile = PROFILE(none);
    dot_graph *g = dot_build(profile, NULL, &by_sub);
    dot_choose_sum sums[DOT_HIDDEN_REASONS];
    (void)state;
    assert_int_equal(g->nodes->len, 1);
    assert_null(dot_choose(g, &everything));
    dot_choose_sums(g, sums);
    assert_int_equal(sums[DOT_SHOWN].count, 0);
    assert_true(dot_graph_share(g, 0) == 0);
    dot_graph_free(g);
    nytp_profile_free(profile);
}

static void detours_follow_the_heaviest_calls(void **state)
{
    const nytp_chunk chunks[] = {
        TIME(1000, 1, 1),
        ARC("main::RUNTIME", 1, 1, 1, 900, 0, "A::top"),
        ARC("A::top", 1, 2, 1, 2, 1, "B::x"),
        ARC("A::top", 1, 3, 1, 3, 1, "B::y"),
        ARC("B::x", 1, 4, 5, 300, 300, "C::leaf"),
        ARC("B::y", 1, 5, 6, 400, 400, "C::leaf"),
        ARC("C::leaf", 1, 6, 1, 0, 1, "C::leaf"),
        ARC("B::y", 1, 7, 1, 0, 1, "B::x"),
        ARC("B::x", 1, 8, 1, 0, 1, "B::y"),
    };
    nytp_profile *profile = PROFILE(chunks);
    dot_graph *g = dot_build(profile, NULL, &by_sub);
    const dot_choose_options choice = {.min = {.percent = 1}};
    uint32_t passed;
    dot_edge detour;
    (void)state;
    assert_null(dot_choose(g, &choice));
    assert_true(dot_choose_detour(g, (uint32_t)dot_graph_find(g, "C::leaf"), &detour, &passed));
    assert_string_equal(dot_graph_node(g, detour.from)->name, "A::top");
    assert_int_equal(detour.calls, 11);
    assert_int_equal(passed, 1);
    dot_graph_node(g, 0)->hidden = DOT_HIDDEN_IGNORED;
    assert_false(dot_choose_detour(g, (uint32_t)dot_graph_find(g, "A::top"), &detour, &passed));
    dot_graph_free(g);
    nytp_profile_free(profile);
}

/* Each of 60 subs calls each: every node is connected, and there are no more edges than can be drawn. */
static void dense_graphs_are_thinned(void **state)
{
    enum { SUBS = 60 };
    static nytp_chunk chunks[SUBS * SUBS];
    static char names[SUBS][16];
    (void)state;
    for (int i = 0; i < SUBS; i++)
        snprintf(names[i], sizeof names[i], "A::s%d", i);
    for (int i = 0; i < SUBS * SUBS; i++) {
        nytp_chunk arc = ARC("main::RUNTIME", 1, 1, 1, 10, 5, "");
        arc.sub_callers.line = (uint32_t)i;
        arc.sub_callers.called = (nytp_str){names[i % SUBS], strlen(names[i % SUBS]), false};
        if (i >= SUBS)
            arc.sub_callers.caller = (nytp_str){names[i / SUBS], strlen(names[i / SUBS]), false};
        chunks[i] = arc;
    }
    nytp_profile *profile = PROFILE(chunks);
    dot_graph *g = dot_build(profile, NULL, &by_sub);
    uint32_t shown = 0, loops = 0, led_to = 0;
    assert_null(dot_choose(g, &everything));
    for (uint32_t i = 0; i < g->edges->len; i++) {
        const dot_edge *e = dot_graph_edge(g, i);
        shown += e->shown;
        loops += e->shown && e->from == e->to;
    }
    for (uint32_t i = 0; i < g->nodes->len; i++) {
        bool any = false;
        for (uint32_t k = g->first_in[i]; k < g->first_in[i + 1]; k++)
            any |= dot_graph_edge(g, g->in[k])->shown && dot_graph_edge(g, g->in[k])->from != i;
        led_to += any;
    }
    assert_int_equal(led_to, SUBS);
    assert_int_equal(loops, SUBS - 1);
    assert_int_equal(shown, 2 * (SUBS + 1));
    dot_graph_free(g);
    nytp_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_total_is_the_time_of_statements_or_of_subs),
        cmocka_unit_test(packages_are_measured_from_the_stacks),
        cmocka_unit_test(packages_are_measured_only_from_stacks_of_all_calls),
        cmocka_unit_test(absurd_times_give_shares_between_0_and_1),
        cmocka_unit_test(a_profile_without_calls_has_the_root_alone),
        cmocka_unit_test(detours_follow_the_heaviest_calls),
        cmocka_unit_test(dense_graphs_are_thinned),
    };
    return cmocka_run_group_tests_name("dot-graph", tests, NULL, NULL);
}
