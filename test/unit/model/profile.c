/* The profile: chunks folded into files, lines, subs and arcs. */
#include "model/states.h"
#include "test/unit/in_use.h"
#include "test/unit/profile_support.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_line(const nytp_profile *p, uint32_t fid, uint32_t line, uint64_t count, int64_t ticks)
{
    nytp_line got;
    uint64_t from = line;
    assert_true(nytp_profile_next_line(p, fid, &from, &got));
    assert_true(got.line == line && from == (uint64_t)line + 1);
    assert_true(got.count == count);
    assert_true(got.ticks == ticks);
}

static size_t count_lines(const nytp_profile *p, uint32_t fid)
{
    nytp_line line;
    size_t count = 0;
    for (uint64_t from = 0; nytp_profile_next_line(p, fid, &from, &line);)
        count++;
    return count;
}

static uint32_t sub_named(const nytp_profile *p, const char *name)
{
    nytp_sub sub;
    for (uint32_t i = 0; nytp_profile_sub(p, i, &sub); i++)
        if (sub.name.length == strlen(name) && memcmp(sub.name.bytes, name, sub.name.length) == 0)
            return i;
    return UINT32_MAX;
}

/* ---- lines ---- */

static void statements_are_counted_unless_discounted(void **state)
{
    const nytp_chunk chunks[] = {
        TIME(5, 1, 3),   TIME(7, 1, 3), DISCOUNT,
        TIME(2, 1, 3),   DISCOUNT,      DISCOUNT,
        TIME(1, 1, 4),   TIME(1, 1, 4), {.tag = NYTP_TIME_BLOCK, .time = {10, 1, 4, 2, 1}},
        TIME(-30, 2, 1),
    };
    (void)state;
    nytp_profile *p = PROFILE(chunks);
    assert_line(p, 1, 3, 2, 14);
    assert_line(p, 1, 4, 2, 12);
    assert_line(p, 2, 1, 1, -30);
    assert_int_equal(count_lines(p, 1), 2);
    assert_int_equal(count_lines(p, 3), 0);
    nytp_totals totals = nytp_profile_totals(p);
    assert_true(totals.statements == 5 && totals.statement_ticks == -4);
    nytp_profile_free(p);
}

static void far_lines_cost_nothing(void **state)
{
    static const uint32_t lines[] = {0, 1, 65535, 65536, 5000000, UINT32_MAX};
    (void)state;
    nytp_profile *p = nytp_profile_new();
    size_t before = mallinfo2().uordblks;
    for (size_t i = 0; i < COUNT(lines); i++)
        for (size_t k = 0; k <= i; k++)
            nytp_profile_add(p, &(nytp_chunk)TIME(3, 1, lines[i]));
    nytp_line line;
    uint64_t from = 0;
    for (size_t i = 0; i < COUNT(lines); i++) {
        assert_true(nytp_profile_next_line(p, 1, &from, &line));
        assert_true(line.line == lines[i] && line.count == i + 1 && line.ticks == 3 * ((int64_t)i + 1));
    }
    assert_false(nytp_profile_next_line(p, 1, &from, &line));
    assert_true(mallinfo2().uordblks - before < 128 << 10);
    nytp_profile_free(p);
}

/* Many more places than are kept at hand, looked at in between. */
static void no_statement_is_lost(void **state)
{
    enum { FILES = 40, LINES = 300, CHUNKS = 200000 };
    static uint64_t counts[FILES][LINES];
    static int64_t ticks[FILES][LINES];
    uint64_t random = 1;
    (void)state;
    nytp_profile *p = nytp_profile_new();
    for (int i = 0; i < CHUNKS; i++) {
        uint64_t r = random_next(&random);
        uint32_t fid = (uint32_t)(r % FILES), line = (uint32_t)(r >> 8) % LINES;
        int32_t spent = (int32_t)(r >> 40) % 1000;
        if (r >> 63)
            nytp_profile_add(p, &(nytp_chunk)DISCOUNT);
        nytp_profile_add(p, &(nytp_chunk)TIME(spent, fid, line));
        counts[fid][line] += !(r >> 63);
        ticks[fid][line] += spent;
        if (i % 50000 == 0)
            nytp_profile_totals(p);
    }
    for (uint32_t fid = 0; fid < FILES; fid++)
        for (uint32_t line = 0; line < LINES; line++)
            assert_line(p, fid, line, counts[fid][line], ticks[fid][line]);
    nytp_profile_free(p);
}

/* Every slot of those kept at hand is taken by each place that may have it, when it is fresh and when it was
 * freed: what marks a free one is none of them. */
static void no_first_statement_of_a_line_is_lost(void **state)
{
    enum { LINES = 5000, FILES = 2 };
    (void)state;
    for (uint32_t fid = 0; fid < FILES; fid++) {
        nytp_profile *p = nytp_profile_new();
        for (uint64_t round = 1; round <= 2; round++) {
            for (uint32_t line = 0; line < LINES; line++)
                nytp_profile_add(p, &(nytp_chunk)TIME(1, fid, line));
            for (uint32_t line = LINES; line-- > 0;)
                nytp_profile_add(p, &(nytp_chunk)TIME(1, fid, line));
            assert_true(nytp_profile_totals(p).statements == 2 * round * LINES);
        }
        for (uint32_t line = 0; line < LINES; line++)
            assert_line(p, fid, line, 4, 4);
        nytp_profile_free(p);
    }
}

/* ---- files, settings, processes ---- */

static void files_have_dense_numbers(void **state)
{
    const nytp_chunk chunks[] = {FILE_NAMED(3, "c.pl"), TIME(1, 70000, 1), FILE_NAMED(4000000000, "far.pl"),
                                 EVAL_NAMED(5, 3, 17, "(eval 1)[c.pl:17]")};
    (void)state;
    nytp_profile *p = PROFILE(chunks);
    assert_int_equal(nytp_profile_file_count(p), 4);
    assert_string_equal(nytp_profile_file(p, 0)->name.bytes, "c.pl");
    assert_int_equal(nytp_profile_file(p, 1)->name.length, 0);
    assert_ptr_equal(nytp_profile_file_by_fid(p, 4000000000), nytp_profile_file(p, 2));
    const nytp_file *eval = nytp_profile_file_by_fid(p, 5);
    assert_true(eval->number == 3 && eval->eval_fid == 3 && eval->eval_line == 17);
    assert_null(nytp_profile_file(p, 4));
    assert_null(nytp_profile_file_by_fid(p, 6));
    nytp_profile_free(p);
}

static void settings_have_their_last_value(void **state)
{
    const nytp_chunk chunks[] = {ATTRIBUTE("ticks_per_sec", "1000000"),
                                 ATTRIBUTE("calls", "attribute"),
                                 {.tag = NYTP_OPTION, .attribute = {STR("calls"), STR("1")}},
                                 {.tag = NYTP_OPTION, .attribute = {STR("calls"), STR("2=2")}}};
    (void)state;
    nytp_profile *p = PROFILE(chunks);
    assert_true(nytp_profile_ticks_per_sec(p) == 1e6);
    assert_string_equal(nytp_profile_setting_by_key(p, NYTP_OPTION, "calls")->value.bytes, "2=2");
    assert_string_equal(nytp_profile_setting_by_key(p, NYTP_ATTRIBUTE, "calls")->value.bytes, "attribute");
    assert_null(nytp_profile_setting_by_key(p, NYTP_OPTION, "ticks_per_sec"));
    assert_string_equal(nytp_profile_setting(p, 0)->key.bytes, "ticks_per_sec");
    assert_int_equal(nytp_profile_setting_count(p), 3);
    assert_null(nytp_profile_setting(p, 3));
    nytp_profile_free(p);
}

static nytp_profile *added(const nytp_chunk *chunks, size_t count)
{
    nytp_profile *p = nytp_profile_new();
    for (size_t i = 0; i < count; i++)
        nytp_profile_add(p, &chunks[i]);
    return p;
}

/* Within a process, each value is a sum. A profile of samples has the states of what filters have left. */
static void waiting_for_a_processor_is_added_up(void **state)
{
    const nytp_chunk chunks[] = {
        ATTRIBUTE("ticks_per_sec", "1000"),
        ATTRIBUTE("wait_for_cpu", "50"), /* of no process */
        {.tag = NYTP_PID_START, .pid_start = {7, 1, 1}},
        ATTRIBUTE("wait_for_cpu", "1.5"),
        ATTRIBUTE("wait_for_cpu", "2"),
        TIME(6000, 1, 1),
        {.tag = NYTP_PID_END, .pid_end = {7, 9}},
        {.tag = NYTP_PID_START, .pid_start = {8, 1, 1}},
        TIME(2000, 1, 1),
        {.tag = NYTP_PID_END, .pid_end = {8, 9}},
        {.tag = NYTP_PID_START, .pid_start = {9, 1, 1}},
        ATTRIBUTE("wait_for_cpu", "0.25"),
        ATTRIBUTE("wait_for_cpu", "-1"),
        ATTRIBUTE("wait_for_cpu", "inf"),
        ATTRIBUTE("wait_for_cpu", "nan"),
        TIME(1000, 1, 1),
    };
    const nytp_chunk with_overhead[] = {{.tag = NYTP_PID_START, .pid_start = {7, 1, 1}},
                                        TIME(6000000, 1, 1),
                                        ATTRIBUTE("wait_for_cpu", "0.5"),
                                        ATTRIBUTE("cumulative_overhead_ticks", "4000000")};
    const nytp_chunk of_samples[] = {ATTRIBUTE("state", "0 500000000 1000000000"),
                                     {.tag = NYTP_PID_START, .pid_start = {7, 1, 1}},
                                     ATTRIBUTE("wait_for_cpu", "3"),
                                     {.tag = NYTP_PID_END, .pid_end = {7, 9}}};
    const nytp_chunk of_cpu_time[] = {ATTRIBUTE("clock_id", "2"),
                                      {.tag = NYTP_PID_START, .pid_start = {7, 1, 1}},
                                      ATTRIBUTE("wait_for_cpu", "3"),
                                      {.tag = NYTP_PID_END, .pid_end = {7, 9}}};
    (void)state;
    nytp_profile *p = added(chunks, COUNT(chunks)), *samples = added(of_samples, COUNT(of_samples));
    nytp_profile *cpu_time = added(of_cpu_time, COUNT(of_cpu_time));
    assert_true(nytp_profile_process(p, 0)->wait_s == 2 && nytp_profile_process(p, 1)->wait_s < 0 &&
                nytp_profile_process(p, 2)->wait_s == 0.25);
    assert_true(nytp_profile_waited_for_cpu_s(p) == 2.25);
    assert_true(nytp_profile_busy_share(p) == 0.25);
    assert_null(nytp_profile_setting_by_key(p, NYTP_ATTRIBUTE, "wait_for_cpu"));
    assert_true(nytp_profile_waited_for_cpu_s(samples) == 0.5 && nytp_profile_busy_share(samples) == 0);
    assert_true(nytp_profile_waited_for_cpu_s(cpu_time) == 0);
    nytp_profile *overhead = added(with_overhead, COUNT(with_overhead));
    assert_true(nytp_profile_busy_share(overhead) == 0.5);
    nytp_profile_free(overhead);
    nytp_profile *sum = nytp_profile_new();
    assert_int_equal(nytp_profile_add_profile(sum, p, NULL), 0);
    assert_int_equal(nytp_profile_add_profile(sum, p, NULL), 0);
    assert_true(nytp_profile_waited_for_cpu_s(sum) == 4.5 && nytp_profile_busy_share(sum) == 0.25);
    nytp_profile_free(sum);
    nytp_profile_free(cpu_time);
    nytp_profile_free(samples);
    nytp_profile_free(p);
}

static void states_of_samples_are_added_up(void **state)
{
    enum { SAMPLES = 20000 };
    char value[64];
    (void)state;
    nytp_profile *p = nytp_profile_new();
    in_use u = in_use_begin();
    for (int n = 0; n < SAMPLES; n++) {
        snprintf(value, sizeof value, "%d %d 7%09d", 3000000, 2000000, n);
        nytp_chunk chunk = ATTRIBUTE("state", "");
        chunk.attribute.value = (nytp_str){value, strlen(value), false};
        nytp_profile_add(p, &chunk);
        in_use_measure(&u);
    }
    nytp_states states = nytp_profile_states(p);
    assert_true(fabs(states.run_s - 60) < 1e-3 && fabs(states.wait_s - 40) < 1e-3 &&
                states.sleep_s > 7 * SAMPLES);
    assert_int_equal(nytp_profile_setting_count(p), 0);
    assert_true(u.more < 10000); /* each is other text */
    const nytp_chunk odd[] = {ATTRIBUTE("state", ""), ATTRIBUTE("state", "1e9"),
                              ATTRIBUTE("state", "-5 inf 1000000000 4"), ATTRIBUTE("state", "nan x  ")};
    nytp_profile *q = PROFILE(odd);
    states = nytp_profile_states(q);
    assert_true(states.run_s == 1 && states.wait_s == 0 && states.sleep_s == 0); /* of "1e9" alone */
    nytp_profile *sum = nytp_profile_new();
    assert_int_equal(nytp_profile_add_profile(sum, p, NULL), 0);
    assert_int_equal(nytp_profile_add_profile(sum, q, NULL), 0);
    assert_true(fabs(nytp_profile_states(sum).run_s - 61) < 1e-3);
    nytp_profile_free(sum);
    nytp_profile_free(q);
    nytp_profile_free(p);
}

static void processes_end_or_do_not(void **state)
{
    const nytp_chunk chunks[] = {{.tag = NYTP_PID_START, .pid_start = {8, 7, 1.75}},
                                 {.tag = NYTP_PID_END, .pid_end = {8, 2.0}},
                                 {.tag = NYTP_PID_END, .pid_end = {99, 2.0}}};
    (void)state;
    nytp_profile *p = PROFILE(chunks);
    assert_int_equal(nytp_profile_process_count(p), 2);
    const nytp_process *first = nytp_profile_process(p, 0), *second = nytp_profile_process(p, 1);
    assert_true(second->pid == 8 && second->parent == 7 && second->ended && second->end_s == 2.0);
    assert_true(first->pid == 7 && first->start_s == 1.5 && first->ended);
    assert_null(nytp_profile_process(p, 2));
    nytp_profile_free(p);
}

/* ---- subs and arcs ---- */

static void arcs_are_in_whole_ticks_and_added_up(void **state)
{
    const nytp_chunk chunks[] = {
        ARC("main::a", 1, 5, 2, 100.4e0, 33, "main::b"), ARC("main::a", 1, 5, 3, 11, -5, "main::b"),
        ARC("main::a", 1, 6, 1, 1, 1, "main::b"),        ARC("main::c", 1, 5, 1, 1, 1, "main::b"),
        ARC("main::c", 1, 5, 1, NAN, 1e300, "main::d"),  ARC("main::c", 2, 5, 1, 1, 1, "main::d"),
    };
    (void)state;
    nytp_profile *p = PROFILE(chunks);
    assert_int_equal(nytp_profile_arc_count(p), 5);
    const nytp_arc *arc = nytp_profile_arc(p, 0);
    assert_int_equal(arc->caller, sub_named(p, "main::a"));
    assert_int_equal(arc->callee, sub_named(p, "main::b"));
    assert_true(arc->fid == 1 && arc->line == 5 && arc->count == 5);
    assert_true(arc->incl_ticks == 111 && arc->excl_ticks == 28);
    arc = nytp_profile_arc(p, 3);
    assert_true(arc->incl_ticks == 0 && arc->excl_ticks == 0);
    assert_null(nytp_profile_arc(p, 5));
    nytp_totals totals = nytp_profile_totals(p);
    assert_true(totals.calls == 9 && totals.excl_ticks == 31);
    nytp_profile_free(p);
}

static void subs_are_of_three_kinds(void **state)
{
    static const struct {
        const char *name;
        enum nytp_sub_kind kind;
    } cases[] = {{"main::f", NYTP_SUB_PERL},
                 {"List::Util::sum", NYTP_SUB_XSUB},
                 {"main::CORE:print", NYTP_SUB_OPCODE},
                 {"CORE::print", NYTP_SUB_OPCODE},
                 {"my dir/x.pl::CORE:dofile", NYTP_SUB_OPCODE},
                 {"main::CORE:match /::CORE:/", NYTP_SUB_OPCODE},
                 {"CORE::GLOBAL::glob", NYTP_SUB_XSUB},
                 {"A::f ::CORE:x y", NYTP_SUB_XSUB},
                 {"CORE::GLOBAL::die", NYTP_SUB_PERL},
                 {"main::CORE:sleep", NYTP_SUB_OPCODE}, /* of which no SUB_INFO says what it is */
                 {"main::RUNTIME", NYTP_SUB_PERL}};
    const nytp_chunk chunks[] = {
        SUB("main::f", 1, 1, 2),           XSUB("List::Util::sum"),
        XSUB("main::CORE:print"),          XSUB("CORE::print"),
        XSUB("my dir/x.pl::CORE:dofile"),  XSUB("main::CORE:match /::CORE:/"),
        XSUB("CORE::GLOBAL::glob"),        XSUB("A::f ::CORE:x y"),
        SUB("CORE::GLOBAL::die", 1, 3, 3), ARC("main::RUNTIME", 1, 5, 1, 1, 1, "main::CORE:sleep")};
    nytp_sub sub;
    (void)state;
    nytp_profile *p = PROFILE(chunks);
    assert_int_equal(nytp_profile_sub_count(p), COUNT(cases));
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_true(nytp_profile_sub(p, sub_named(p, cases[i].name), &sub));
        assert_int_equal(sub.kind, cases[i].kind);
    }
    assert_int_equal(nytp_profile_arc_count(p), 1);
    nytp_profile_free(p);
}

static void ranges_are_sorted_and_there_once(void **state)
{
    const nytp_chunk chunks[] = {SUB("main::f", 2, 1, 9), SUB("main::f", 1, 8, 9), SUB("main::f", 2, 1, 9),
                                 SUB("main::f", 1, 3, 4)};
    nytp_sub sub;
    (void)state;
    nytp_profile *p = PROFILE(chunks);
    assert_true(nytp_profile_sub(p, 0, &sub));
    assert_int_equal(sub.range_count, 3);
    assert_true(sub.ranges[0].fid == 1 && sub.ranges[0].first_line == 3);
    assert_true(sub.ranges[1].fid == 1 && sub.ranges[1].first_line == 8);
    assert_true(sub.ranges[2].fid == 2 && sub.ranges[2].last_line == 9);
    assert_false(nytp_profile_sub(p, 1, &sub));
    nytp_profile_free(p);
}

/* Ranges of one sub in any order, each of them twice. */
static void ranges_come_in_any_order(void **state)
{
    enum { COUNT_MAX = 70, FACTOR = 31, MODULO = 71 /* a prime: each number from 1 to 70 comes once */ };
    (void)state;
    for (uint32_t count = 1; count <= COUNT_MAX; count++) {
        nytp_profile *p = nytp_profile_new();
        nytp_sub sub;
        for (uint32_t i = 0; i < 2 * count; i++) {
            const uint32_t fid = (i % count + 1) * FACTOR % MODULO;
            nytp_profile_add(p, &(nytp_chunk)SUB("main::f", fid, fid % 3 == 0 ? 0 : 7, fid % 3 == 0 ? 0 : 9));
            if (i % 5 == 0) /* sorts them meanwhile */
                assert_true(nytp_profile_sub(p, 0, &sub));
        }
        assert_true(nytp_profile_sub(p, 0, &sub));
        assert_int_equal(sub.range_count, count);
        for (size_t r = 1; r < count; r++) {
            const nytp_range *a = &sub.ranges[r - 1], *b = a + 1;
            assert_true(a->last_line == b->last_line ? a->fid < b->fid : a->last_line > 0);
        }
        assert_ptr_equal(nytp_sub_main_range(&sub), sub.ranges);
        nytp_profile_free(p);
    }
}

static void assert_refused(nytp_profile *sum, const nytp_profile *added, const char *why)
{
    nytp_error error;
    assert_int_equal(nytp_profile_add_profile(sum, added, &error), NYTP_ERR_STATE);
    assert_int_equal(error.code, NYTP_ERR_STATE);
    assert_non_null(strstr(error.message, why));
    assert_int_equal(nytp_profile_add_profile(sum, added, NULL), NYTP_ERR_STATE);
}

static void a_profile_that_cannot_be_added_is_refused_with_a_reason(void **state)
{
    const nytp_chunk chunks[] = {TIME(1, 3, 1)};
    nytp_profile *sum = nytp_profile_new(), *empty = nytp_profile_new(), *one = PROFILE(chunks);
    nytp_error error;
    (void)state;
    assert_refused(sum, sum, "it is the sum itself");
    assert_int_equal(nytp_profile_add_profile(sum, empty, &error), 0);
    assert_int_equal(error.code, NYTP_OK);
    assert_refused(sum, sum, "it is the sum itself");
    assert_refused(one, empty, "one by one");
    nytp_profile_merge_evals(one);
    assert_refused(sum, one, "its evals are merged");
    nytp_profile_merge_evals(sum);
    assert_refused(sum, empty, "the evals of the sum are merged");
    nytp_profile_free(one);
    nytp_profile_free(empty);
    nytp_profile_free(sum);
}

static void ignore_line(void *context, uint32_t fid, uint32_t line, nytp_str text)
{
    (void)context, (void)fid, (void)line, (void)text;
}

static void assert_zeros(const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_true(words[i] == 0);
}

static void reserved_members_are_set_to_zero(void **state)
{
    const nytp_chunk chunks[] = {TIME(1, 3, 1), ARC("main::a", 3, 5, 2, 1, 1, "main::b")};
    nytp_profile *p = PROFILE(chunks);
    nytp_sub sub;
    nytp_line line;
    nytp_error error;
    uint64_t from = 0;
    (void)state;
    memset(&sub, 0xFF, sizeof sub);
    memset(&line, 0xFF, sizeof line);
    memset(&error, 0xFF, sizeof error);
    assert_true(nytp_profile_sub(p, 0, &sub));
    assert_true(nytp_profile_next_line(p, 3, &from, &line));
    assert_int_equal(nytp_profile_add_profile(p, p, &error), NYTP_ERR_STATE);
    nytp_totals totals = nytp_profile_totals(p);
    assert_zeros(sub.reserved, sizeof sub.reserved / sizeof *sub.reserved);
    assert_zeros(line.reserved, sizeof line.reserved / sizeof *line.reserved);
    assert_zeros(error.reserved, sizeof error.reserved / sizeof *error.reserved);
    assert_zeros(totals.reserved, sizeof totals.reserved / sizeof *totals.reserved);
    nytp_profile_free(p);
}

static void what_to_keep_is_said_before_the_first_chunk(void **state)
{
    nytp_profile *p = nytp_profile_new();
    (void)state;
    assert_int_equal(nytp_profile_keep_levels(p), 0);
    assert_int_equal(nytp_profile_keep_levels(p), 0);
    assert_int_equal(nytp_profile_on_source(p, ignore_line, NULL), 0);
    nytp_profile_add(p, &(nytp_chunk){.tag = NYTP_PID_START, .pid_start = {7, 1, 1.5}});
    assert_int_equal(nytp_profile_keep_levels(p), NYTP_ERR_STATE);
    assert_int_equal(nytp_profile_on_source(p, NULL, NULL), NYTP_ERR_STATE);
    nytp_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statements_are_counted_unless_discounted),
        cmocka_unit_test(far_lines_cost_nothing),
        cmocka_unit_test(no_statement_is_lost),
        cmocka_unit_test(no_first_statement_of_a_line_is_lost),
        cmocka_unit_test(files_have_dense_numbers),
        cmocka_unit_test(settings_have_their_last_value),
        cmocka_unit_test(waiting_for_a_processor_is_added_up),
        cmocka_unit_test(states_of_samples_are_added_up),
        cmocka_unit_test(processes_end_or_do_not),
        cmocka_unit_test(arcs_are_in_whole_ticks_and_added_up),
        cmocka_unit_test(subs_are_of_three_kinds),
        cmocka_unit_test(ranges_are_sorted_and_there_once),
        cmocka_unit_test(ranges_come_in_any_order),
        cmocka_unit_test(a_profile_that_cannot_be_added_is_refused_with_a_reason),
        cmocka_unit_test(reserved_members_are_set_to_zero),
        cmocka_unit_test(what_to_keep_is_said_before_the_first_chunk),
    };
    return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
