/* The lines of spans, where a report of a recorded profile (test/nytprofhtml/request-lines.t) cannot see
 * them. */
#include "calls/span_trees.h"
#include "test/unit/profile_support.h"

#include <string.h>

static const char module[] = "lib/NYTProf/Span.pm";

static void put(GArray *chunks, nytp_chunk chunk)
{
    g_array_append_val(chunks, chunk);
}

static GArray *stream_with(const char *file)
{
    GArray *chunks = g_array_new(FALSE, TRUE, sizeof(nytp_chunk));
    put(chunks, (nytp_chunk){.tag = NYTP_VERSION, .version = {5, 0}});
    put(chunks, (nytp_chunk)ATTRIBUTE("ticks_per_sec", "10000000"));
    put(chunks, (nytp_chunk){.tag = NYTP_PID_START, .pid_start = {7, 1, 1000}});
    put(chunks, (nytp_chunk)FILE_NAMED(1, "x.pl"));
    put(chunks,
        (nytp_chunk){.tag = NYTP_NEW_FID, .new_fid = {.fid = 2, .name = {file, strlen(file), false}}});
    return chunks;
}

static void put_statement(GArray *chunks, uint32_t line, int32_t ticks)
{
    put(chunks, (nytp_chunk)TIME(ticks, 1, line));
}

static void put_span(GArray *chunks, uint32_t depth, double ticks)
{
    put(chunks,
        (nytp_chunk){.tag = NYTP_SUB_RETURN, .sub_return = {depth, ticks, ticks, STR("NYTProf::span x")}});
}

/* ---- reading ---- */

typedef struct reading_spans {
    nytp_names *names;
    nytp_span_lines *lines;
    GPtrArray *found; /* nytp_lines_of_span */
} reading_spans;

static void on_call(void *sink, const nytp_call_event *call)
{
    const reading_spans *r = sink;
    if (call->sub == nytp_names_intern(r->names, &STR("NYTProf::span x"), NULL))
        g_ptr_array_add(r->found, nytp_span_lines_add(r->lines, call));
}

/* Frees the chunks. */
static reading_spans read_spans(GArray *chunks, uint32_t most, bool by_chunk)
{
    static const nytp_sink sink = {.on_call = on_call, .needs_clock = true};
    reading_spans r = {.names = nytp_names_new(),
                       .found = g_ptr_array_new_with_free_func((GDestroyNotify)nytp_lines_of_span_unref)};
    nytp_calltree *tree = nytp_calltree_new_of(r.names, NULL, NULL);
    nytp_events *events = nytp_events_new(r.names);
    nytp_profile *profile = nytp_profile_new();
    r.lines = nytp_span_lines_new(tree, most);
    nytp_events_add_sink(events, &sink, &r);
    nytp_calltree_take(tree, events);
    nytp_span_lines_take(r.lines, events);
    nytp_events_set_profile(events, profile);
    const nytp_chunk *first = &g_array_index(chunks, nytp_chunk, 0);
    memory stream = stream_of(first, chunks->len);
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(stream.data, stream.size, "made"));
    nytp_reader_set_tags(reader, nytp_events_tags(events));
    int rc = NYTP_OK;
    for (guint i = 0; by_chunk && i < chunks->len; i++)
        nytp_events_add(events, &first[i]);
    while (!by_chunk && (rc = nytp_events_read(events, reader)) == NYTP_OK) {
    }
    assert_int_equal(rc, by_chunk ? NYTP_OK : NYTP_CUT);
    nytp_calltree_end_profile(tree);
    nytp_span_lines_place_files(r.lines, NULL, NULL);
    nytp_span_lines_end(r.lines);
    nytp_reader_free(reader);
    memory_free(&stream);
    nytp_profile_free(profile);
    nytp_events_free(events);
    nytp_calltree_free(tree);
    g_array_unref(chunks);
    return r;
}

static void reading_spans_free(reading_spans *r)
{
    g_ptr_array_unref(r->found);
    nytp_span_lines_free(r->lines);
    nytp_names_free(r->names);
}

static const nytp_lines_of_span *found_at(const reading_spans *r, guint i)
{
    return r->found->pdata[i];
}

/* Expected are LINE:TICKSxRUNS of each line. */
static void assert_lines(const reading_spans *r, guint i, const char *expected)
{
    const nytp_lines_of_span *got = found_at(r, i);
    g_autoptr(GString) text = g_string_new(NULL);
    assert_int_equal(got->known, NYTP_LINES_KNOWN);
    for (guint k = 0; k < got->most->len; k++) {
        const nytp_span_line *line = &g_array_index(got->most, nytp_span_line, k);
        g_string_append_printf(text, "%u:%gx%u ", nytp_span_lines_place(r->lines, line->place).line,
                               line->ticks, (unsigned)line->runs);
    }
    assert_string_equal(text->str, expected);
}

/* ---- the tests ---- */

static void assert_most(const nytp_lines_of_span *got, bool is_known, guint lines, double ticks,
                        uint64_t runs)
{
    assert_int_equal(got->known, is_known ? NYTP_LINES_KNOWN : NYTP_LINES_OLD);
    if (!is_known) {
        assert_null(got->most);
        return;
    }
    assert_int_equal(got->most->len, lines);
    assert_float_equal(g_array_index(got->most, nytp_span_line, 0).ticks, ticks, 0);
    assert_int_equal(g_array_index(got->most, nytp_span_line, 0).runs, runs);
}

/* Two spans: the outer one begins half-way through 100 statements of a line, which are one entry, and the
 * inner one ends with the statement that is next, since its caller has returned. What does not fit has no
 * lines, rather than some of them. */
static void a_ring_that_is_too_short_says_so(void **state)
{
    enum { MOST = 64 };
    (void)state;
    for (uint32_t count = 1; count < 2 * MOST; count++) {
        GArray *chunks = stream_with(module);
        for (uint32_t i = 0; i < 200; i++)
            put_statement(chunks, 1 + i % 2, 10);
        for (uint32_t i = 0; i < 100; i++) {
            if (i % 2 == 0)
                put(chunks, (nytp_chunk)DISCOUNT);
            put_statement(chunks, 3, 20);
        }
        for (uint32_t i = 0; i < count; i++)
            put_statement(chunks, 4 + i, 10);
        put_span(chunks, 4, 10 * count + 15);
        put_span(chunks, 2, 10 * count + 1000);
        put_statement(chunks, 1, 15);
        reading_spans r = read_spans(chunks, MOST, count % 2);
        assert_most(found_at(&r, 0), count + 1 <= MOST, count + 1, 15, 1);
        assert_most(found_at(&r, 1), count + 1 < MOST, count + 1, 1000, 25);
        reading_spans_free(&r);
    }
}

/* Two spans of 3 statements each after 200 others. */
static reading_spans late_spans(const char *file, const char *attribute)
{
    GArray *chunks = stream_with(file);
    for (uint32_t i = 0; i < 200; i++)
        put_statement(chunks, 1 + i % 2, 10);
    if (attribute != NULL)
        put(chunks, (nytp_chunk){.tag = NYTP_ATTRIBUTE,
                                 .attribute = {{attribute, strlen(attribute), false}, STR("2000 0 500 1")}});
    for (int spans = 0; spans < 2; spans++) {
        for (uint32_t line = 3; line < 6; line++)
            put_statement(chunks, line, 10);
        put_span(chunks, 2, 30);
        put_statement(chunks, 1, 10);
    }
    return read_spans(chunks, 64, true);
}

/* In a ring that is full before anything says that there will be spans, statements are kept from the first
 * span on. */
static void nothing_is_kept_that_nobody_wants(void **state)
{
    reading_spans r = late_spans(module, NULL);
    (void)state;
    assert_lines(&r, 0, "5:10x1 4:10x1 3:10x1 ");
    assert_lines(&r, 1, "5:10x1 4:10x1 3:10x1 ");
    reading_spans_free(&r);
    r = late_spans("lib/Other.pm", NULL);
    assert_int_equal(found_at(&r, 0)->known, NYTP_LINES_OLD);
    assert_lines(&r, 1, "5:10x1 4:10x1 3:10x1 ");
    reading_spans_free(&r);
}

static void coroutines_have_no_lines(void **state)
{
    reading_spans r = late_spans(module, "coroutine");
    (void)state;
    assert_int_equal(found_at(&r, 1)->known, NYTP_LINES_COROUTINES);
    reading_spans_free(&r);
}

/* Inclusive times have the time in which recording was off, and no line has. The span ends in the last
 * statement, since its caller returns, too. */
static void time_without_recording_has_no_line(void **state)
{
    GArray *chunks = stream_with(module);
    (void)state;
    put_statement(chunks, 1, 100);
    put_statement(chunks, 2, 20);
    put(chunks, (nytp_chunk)ATTRIBUTE("clock", "620 0 500 1"));
    put_statement(chunks, 3, 30);
    put_span(chunks, 2, 555);
    put(chunks, (nytp_chunk){.tag = NYTP_SUB_RETURN, .sub_return = {1, 555, 5, STR("main::f")}});
    put_statement(chunks, 4, 5);
    reading_spans r = read_spans(chunks, 64, false);
    assert_lines(&r, 0, "3:30x1 2:20x1 4:5x1 ");
    reading_spans_free(&r);
}

/* Of 1,000 lines those with most time are kept. */
static void others_are_added_up(void **state)
{
    GArray *chunks = stream_with(module);
    double rest = 0;
    (void)state;
    for (uint32_t line = 1; line <= 1000; line++) {
        put_statement(chunks, line, (int32_t)line);
        rest += line <= 900 ? line : 0;
    }
    put_span(chunks, 1, 500500);
    reading_spans r = read_spans(chunks, 1 << 12, false);
    const nytp_lines_of_span *got = found_at(&r, 0);
    assert_int_equal(got->most->len, 100);
    assert_float_equal(g_array_index(got->most, nytp_span_line, 0).ticks, 1000, 0);
    assert_float_equal(g_array_index(got->most, nytp_span_line, 99).ticks, 901, 0);
    assert_int_equal(got->others, 900);
    assert_float_equal(got->other_ticks, rest, 0);
    reading_spans_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_that_is_too_short_says_so),
        cmocka_unit_test(nothing_is_kept_that_nobody_wants),
        cmocka_unit_test(coroutines_have_no_lines),
        cmocka_unit_test(time_without_recording_has_no_line),
        cmocka_unit_test(others_are_added_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
