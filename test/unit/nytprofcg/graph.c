/* nytprofcg's graph: which sub a line belongs to, how amounts are divided among calls, and names. */
#include "test/unit/graph_support.h"

#include <stdio.h>
#include <string.h>

#define RETURN(depth, incl, excl, name)                                                                      \
    {                                                                                                        \
        .tag = NYTP_SUB_RETURN, .sub_return = { depth, incl, excl, STR(name) }                               \
    }

static uint32_t number_of(const nytp_profile *p, const char *name)
{
    nytp_sub sub;
    uint32_t i = 0;
    while (nytp_profile_sub(p, i, &sub) && !nytp_str_is(sub.name, name))
        i++;
    return i;
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
    cg_graph *g = graph_of(p, 0, none_measured, NULL);
    assert_int_equal(g->calls->len, 4);
    for (uint32_t i = 0; i < g->calls->len; i++) {
        const cg_call *c = cg_graph_call(g, i);
        assert_true(c->incl[CG_TIME] == (c->line == 9 ? 100 : c->line == 10 ? 40 : c->line == 2 ? 70 : 20));
    }
    free_graph(g);
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
    cg_graph *g = graph_of(p, 0, measured, NULL);
    assert_true(g->has_waits);
    for (uint32_t i = 0; i < g->calls->len; i++) {
        const cg_call *c = cg_graph_call(g, i);
        assert_true(c->incl[CG_ASLEEP] == (c->line == 2 ? 20 : c->line == 3 ? 40 : 60));
    }
    free_graph(g);
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
        if (c->line != line || c->of[CG_STATEMENTS] == 0 ||
            nytp_profile_file(g->profile, n->file)->fid != fid)
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
    cg_graph *g = graph_of(p, 0, none_measured, NULL);
    for (uint32_t line = 1; line < COUNT(expected); line++)
        assert_string_equal(sub_at(g, 1, line), expected[line]);
    free_graph(g);
    nytp_profile_free(p);
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
    cg_graph *g = graph_of(p, 0, none_measured, NULL);
    assert_string_equal(sub_at(g, 1, 5), "the root"); /* the program's own, whichever sub calls from it */
    assert_string_equal(sub_at(g, 2, 9), "the root"); /* no calls from there */
    assert_string_equal(sub_at(g, 3, 8), "X::x");     /* the sub that calls most from there */
    assert_string_equal(sub_at(g, 5, 1), "Z::z");     /* an eval that makes no calls: the sub around it */
    assert_string_equal(sub_at(g, 6, 1), "X::x");     /* or the sub that runs the file scope around it */
    assert_string_equal(sub_at(g, 4, 7), "the root");
    free_graph(g);
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
    GArray *stacks = stacks_of(p, calls, 0);
    cg_graph *g = graph_of(p, 0, none_measured, stacks);
    assert_call(g, "main::RUNTIME", "main::emit", 2, 3);
    assert_call(g, "main::read", "main::emit", 3, 7);
    assert_call(g, "main::RUNTIME", "main::emit (to main::read)", 1, 97);
    assert_call(g, "main::emit (to main::read)", "main::read", 2, 97);
    assert_call(g, "main::read", "main::emit (to main::log)", 1, 80);
    assert_call(g, "main::emit (to main::log)", "main::log", 3, 80);
    assert_int_equal(g->calls->len, 6);
    free_graph(g);
    g_array_unref(stacks);
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
    cg_graph *g = graph_of(p, 0, none_measured, NULL);
    assert_int_equal(g->functions->len, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++)
        assert_true(function_named(g, expected[i]) < g->functions->len);
    free_graph(g);
    nytp_profile_free(p);
}

static nytp_str name_of(uint32_t i, char text[static 32])
{
    return (nytp_str){text, (size_t)snprintf(text, 32, "main::s%u", i), false};
}

/* A chain of calls can be of any length. */
static void long_chains_of_calls_do_not_recurse(void **state)
{
    enum { DEEP = 300000 };
    char caller[32], called[32];
    (void)state;
    nytp_profile *p = nytp_profile_new();
    for (uint32_t i = 0; i < DEEP; i++)
        nytp_profile_add(p, &(nytp_chunk){.tag = NYTP_SUB_CALLERS,
                                          .sub_callers = {1, i, name_of(i, caller), 1, 0, 1e-7, 0, 0,
                                                          name_of(i + 1, called)}});
    cg_graph *g = graph_of(p, 0, none_measured, NULL);
    assert_int_equal(g->functions->len, DEEP + 1);
    uint64_t from_root = 0;
    for (uint32_t i = 0; i < g->calls->len; i++)
        if (cg_graph_call(g, i)->caller == g->subs[g->root].function)
            from_root += cg_graph_call(g, i)->incl[CG_TIME];
    assert_true(from_root == DEEP);
    free_graph(g);
    nytp_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(consistent_times_are_kept),
        cmocka_unit_test(lines_share_waiting_by_time),
        cmocka_unit_test(a_line_belongs_to_the_innermost_called_sub),
        cmocka_unit_test(file_scope_belongs_to_the_sub_that_calls_most_from_it),
        cmocka_unit_test(a_sub_that_recurs_is_split_by_what_it_leads_to),
        cmocka_unit_test(names_that_are_alike_or_not_printable),
        cmocka_unit_test(long_chains_of_calls_do_not_recurse),
    };
    return cmocka_run_group_tests_name("cg-graph", tests, NULL, NULL);
}
