/* The sums of a recording's end: calls by caller, callee and line, and where subs are. */
#include "nytp-record/fold.h"

#include "test/unit/support.h"

#include <string.h>

typedef struct fixture {
    nytp_strings *strings;
    record_arcs *arcs;
    memory profile;
    nytp_writer *writer;
} fixture;

static sampler_label label(const fixture *f, const char *name)
{
    return (sampler_label){.name = sampler_intern(f->strings, name, strlen(name))};
}

static int set_up(void **state)
{
    static fixture f;
    f = (fixture){.strings = nytp_strings_new()};
    f.arcs = record_arcs_new(f.strings);
    f.writer = nytp_writer_new(nytp_sink_callback(memory_write, &f.profile, "memory"), 0);
    nytp_writer_chunk(f.writer, &(nytp_chunk){.tag = NYTP_VERSION, .version.major = 5});
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    record_arcs_free(f->arcs);
    nytp_writer_free(f->writer);
    nytp_strings_free(f->strings);
    memory_free(&f->profile);
    return 0;
}

/* Eight ticks a second. */
static void add(fixture *f, const char *caller, const char *callee, uint32_t line, uint32_t depth,
                double incl)
{
    record_arcs_add(f->arcs, &(record_ended_call){.caller = label(f, caller),
                                                  .callee = label(f, callee),
                                                  .fid = 1,
                                                  .line = line,
                                                  .depth = depth,
                                                  .incl_ticks = incl,
                                                  .excl_ticks = 1});
}

static void assert_written(fixture *f, const char *chunks)
{
    assert_int_equal(nytp_writer_finish(f->writer), 0);
    reading r = read_bytes(f->profile.data, f->profile.size, plainly);
    assert_string_equal(strchr(r.text, '\n') + 1, chunks); /* after the version */
    reading_free(&r);
}

static void calls_add_up_by_caller_callee_and_line(void **state)
{
    fixture *f = *state;
    add(f, "main::a", "main::b", 3, 0, 8);
    add(f, "main::a", "main::b", 3, 0, 16);
    add(f, "main::a", "main::b", 4, 0, 32);
    add(f, "main::c", "main::b", 3, 0, 64);
    assert_int_equal(record_arcs_count(f->arcs), 3);
    record_arcs_write(f->arcs, f->writer, 8);
    assert_written(f, "SUB_CALLERS\t1\t3\t2\t3\t0.25\t0\t0\t'main::b\t'main::a\n"
                      "SUB_CALLERS\t1\t4\t1\t4\t0.125\t0\t0\t'main::b\t'main::a\n"
                      "SUB_CALLERS\t1\t3\t1\t8\t0.125\t0\t0\t'main::b\t'main::c\n");
}

/* As the collector has it: time of a call within another one of the same sub is not inclusive. */
static void recursive_calls_are_apart(void **state)
{
    fixture *f = *state;
    add(f, "main::a", "main::a", 3, 2, 8);
    add(f, "main::a", "main::a", 3, 1, 16);
    record_arcs_write(f->arcs, f->writer, 8);
    assert_written(f, "SUB_CALLERS\t1\t3\t2\t0\t0.25\t3\t2\t'main::a\t'main::a\n");
}

static void sums_are_of_what_is_new(void **state)
{
    fixture *f = *state;
    add(f, "main::a", "main::b", 3, 0, 8);
    record_arcs_write(f->arcs, f->writer, 8);
    record_arcs_write(f->arcs, f->writer, 8);
    add(f, "main::a", "main::b", 3, 0, 16);
    record_arcs_write(f->arcs, f->writer, 8);
    assert_written(f, "SUB_CALLERS\t1\t3\t1\t1\t0.125\t0\t0\t'main::b\t'main::a\n"
                      "SUB_CALLERS\t1\t3\t1\t2\t0.125\t0\t0\t'main::b\t'main::a\n");
}

static void a_sub_is_written_once_and_reaches_to_its_last_line(void **state)
{
    fixture *f = *state;
    record_arcs_seen(f->arcs, label(f, "main::b"), 1, 5, 7);
    record_arcs_seen(f->arcs, label(f, "main::b"), 1, 5, 9);
    record_arcs_seen(f->arcs, label(f, "main::b"), 1, 5, 6);
    record_arcs_seen(f->arcs, label(f, "main::b"), 2, 1, 1);
    record_arcs_write(f->arcs, f->writer, 8);
    record_arcs_write(f->arcs, f->writer, 8);
    assert_written(f, "SUB_INFO\t1\t5\t9\t'main::b\nSUB_INFO\t2\t1\t1\t'main::b\n");
}

/* An empty SUB_CALLERS is the mark of what has no lines. */
static void built_ins_are_marked(void **state)
{
    fixture *f = *state;
    record_arcs_seen(f->arcs, label(f, "main::CORE:sleep"), 1, 0, 4);
    record_arcs_write(f->arcs, f->writer, 8);
    assert_written(
        f, "SUB_INFO\t1\t0\t0\t'main::CORE:sleep\nSUB_CALLERS\t0\t0\t0\t0\t0\t0\t0\t'main::CORE:sleep\t'\n");
}

#define of_arcs(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        of_arcs(calls_add_up_by_caller_callee_and_line),
        of_arcs(recursive_calls_are_apart),
        of_arcs(sums_are_of_what_is_new),
        of_arcs(a_sub_is_written_once_and_reaches_to_its_last_line),
        of_arcs(built_ins_are_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
