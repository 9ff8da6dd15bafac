/* nytp-dot's graph of absurd and dense profiles, and its detours. That sums are right,
 * test/nytp-dot/drawings.t tests. */
#include "test/unit/profile_support.h"

#include "converters/nytp-dot/graph.h"

#include <string.h>

static const dot_graph_options by_sub;

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

static const dot_choose_options everything;

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
        cmocka_unit_test(absurd_times_give_shares_between_0_and_1),
        cmocka_unit_test(detours_follow_the_heaviest_calls),
        cmocka_unit_test(dense_graphs_are_thinned),
    };
    return cmocka_run_group_tests_name("dot-graph", tests, NULL, NULL);
}
