/* The lines of spans: against sums of the statements that were made while each span went on. */
#include "calls/span_trees.h"
#include "test/unit/support.h"

#include <string.h>

enum { LINES = 30, FILES = 2, PLACES = LINES * FILES, DEEPEST = 6 };

typedef struct statement {
    uint32_t place; /* below PLACES */
    int32_t ticks;
    bool is_counted;
} statement;

/* A span that has ended, and the statements from its first one on, and before another. */
typedef struct made_span {
    guint first, end;
} made_span;

/* A stream, and what is in it. */
typedef struct made {
    GArray *chunks, *statements, *spans; /* nytp_chunk; statement; made_span, in the order of their ends */
    guint begins[DEEPEST];               /* of those that go on */
    uint32_t depth;
    uint64_t random;
} made;

static made made_new(uint64_t seed)
{
    made m = {.chunks = g_array_new(FALSE, TRUE, sizeof(nytp_chunk)),
              .statements = g_array_new(FALSE, FALSE, sizeof(statement)),
              .spans = g_array_new(FALSE, FALSE, sizeof(made_span)),
              .random = seed};
    return m;
}

static void made_free(made *m)
{
    g_array_unref(m->chunks);
    g_array_unref(m->statements);
    g_array_unref(m->spans);
}

static void put(made *m, nytp_chunk chunk)
{
    g_array_append_val(m->chunks, chunk);
}

static void begin_stream(made *m, const char *module)
{
    put(m, (nytp_chunk){.tag = NYTP_VERSION, .version = {5, 0}});
    put(m, (nytp_chunk){.tag = NYTP_ATTRIBUTE, .attribute = {STR("ticks_per_sec"), STR("10000000")}});
    put(m, (nytp_chunk){.tag = NYTP_PID_START, .pid_start = {7, 1, 1000}});
    for (uint32_t fid = 1; fid <= FILES; fid++)
        put(m, (nytp_chunk){.tag = NYTP_NEW_FID, .new_fid = {.fid = fid, .name = STR("x.pl")}});
    put(m, (nytp_chunk){.tag = NYTP_NEW_FID,
                        .new_fid = {.fid = FILES + 1, .name = {module, strlen(module), false}}});
}

static const statement *statement_at(const made *m, guint i)
{
    return &g_array_index(m->statements, statement, i);
}

static void put_statement(made *m, uint32_t place, int32_t ticks, bool is_counted)
{
    const statement s = {place, ticks, is_counted};
    if (!is_counted)
        put(m, (nytp_chunk){.tag = NYTP_DISCOUNT});
    put(m, (nytp_chunk){.tag = NYTP_TIME_LINE, .time = {ticks, 1 + place / LINES, 1 + place % LINES, 0, 0}});
    g_array_append_val(m->statements, s);
}

/* One of the line before makes one entry with it, and one of ticks that need more bytes is read in another
 * way. Where a span begins, the line is another one. */
static void put_random_statement(made *m)
{
    const guint count = m->statements->len;
    const bool begins = m->depth > 0 && m->begins[m->depth - 1] == count;
    uint32_t place = (uint32_t)random_below(&m->random, PLACES);
    if (count > 0 && random_below(&m->random, 3) == 0)
        place = statement_at(m, count - 1)->place;
    if (count > 0 && begins && place == statement_at(m, count - 1)->place)
        place = (place + 1) % PLACES;
    put_statement(m, place, 1 + (int32_t)random_below(&m->random, random_below(&m->random, 9) ? 100 : 100000),
                  random_below(&m->random, 4) > 0);
}

static uint32_t depth_of_span(const made *m)
{
    return 2 * m->depth;
}

/* Each span is in a sub of its own, which may return with it. The span ends with the statement that comes
 * next if that has any ticks. */
static void end_span(made *m, int32_t next_ticks)
{
    const uint32_t depth = depth_of_span(m);
    const made_span span = {m->begins[--m->depth], m->statements->len + (next_ticks > 0)};
    double ticks = next_ticks;
    for (guint i = span.first; i < m->statements->len; i++)
        ticks += statement_at(m, i)->ticks;
    put(m, (nytp_chunk){.tag = NYTP_SUB_RETURN, .sub_return = {depth, ticks, ticks, STR("NYTProf::span x")}});
    g_array_append_val(m->spans, span);
}

static void put_random(made *m, guint count)
{
    while (m->statements->len < count) {
        const uint64_t what = random_below(&m->random, 12);
        if (what == 0 && m->depth < DEEPEST) {
            m->begins[m->depth++] = m->statements->len;
            put_random_statement(m);
        } else if (what == 1 && m->depth > 0) {
            const int32_t ticks = 1 + (int32_t)random_below(&m->random, 50);
            const bool is_left = random_below(&m->random, 2) > 0;
            if (m->depth > 1 && random_below(&m->random, 2) > 0)
                end_span(m, ticks);
            end_span(m, is_left ? ticks : 0);
            if (is_left)
                put(m, (nytp_chunk){.tag = NYTP_SUB_RETURN,
                                    .sub_return = {depth_of_span(m) + 1, 9e5, 9, STR("main::f")}});
            put_statement(m, (uint32_t)random_below(&m->random, PLACES), ticks, true);
        } else {
            put_random_statement(m);
        }
    }
    while (m->depth > 0)
        end_span(m, 0);
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

static reading_spans read_made(const made *m, uint32_t most, bool by_chunk)
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
    const nytp_chunk *chunks = &g_array_index(m->chunks, nytp_chunk, 0);
    memory stream = stream_of(chunks, m->chunks->len);
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(stream.data, stream.size, "made"));
    nytp_reader_set_tags(reader, nytp_events_tags(events));
    int rc = NYTP_OK;
    for (guint i = 0; by_chunk && i < m->chunks->len; i++)
        nytp_events_add(events, &chunks[i]);
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

/* ---- what is expected ---- */

static void has_its_lines(const made *m, made_span span, const reading_spans *r,
                          const nytp_lines_of_span *got)
{
    double ticks[PLACES] = {0}, last = INFINITY;
    uint64_t runs[PLACES] = {0};
    guint places = 0;
    for (guint i = span.first; i < span.end; i++) {
        const statement *s = statement_at(m, i);
        places += ticks[s->place] == 0;
        ticks[s->place] += s->ticks;
        runs[s->place] += s->is_counted;
    }
    assert_int_equal(got->most->len, places);
    for (guint i = 0; i < places; i++) {
        const nytp_span_line *line = &g_array_index(got->most, nytp_span_line, i);
        const nytp_slice_place at = nytp_span_lines_place(r->lines, line->place);
        const uint32_t place = (at.fid - 1) * LINES + at.line - 1;
        assert_true(line->ticks <= last);
        last = line->ticks;
        assert_float_equal(line->ticks, ticks[place], 0);
        assert_int_equal(line->runs, runs[place]);
    }
    assert_int_equal(got->others, 0);
}

/* How many entries the statements of a span are at least: those of one line in a row are one. */
static guint fewest_entries(const made *m, made_span span)
{
    guint count = 0;
    for (guint i = span.first; i < span.end; i++)
        count += i == span.first || statement_at(m, i)->place != statement_at(m, i - 1)->place;
    return count;
}

static void lines_are_those_of_the_span(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        made m = made_new(seed);
        begin_stream(&m, "lib/NYTProf/Span.pm");
        put_random(&m, 3000);
        assert_true(m.spans->len > 50);
        for (int by_chunk = 0; by_chunk < 2; by_chunk++) {
            reading_spans r = read_made(&m, 1 << 14, by_chunk);
            assert_int_equal(r.found->len, m.spans->len);
            for (guint i = 0; i < m.spans->len; i++) {
                assert_int_equal(found_at(&r, i)->known, NYTP_LINES_KNOWN);
                has_its_lines(&m, g_array_index(m.spans, made_span, i), &r, found_at(&r, i));
            }
            reading_spans_free(&r);
        }
        made_free(&m);
    }
}

/* What does not fit has no lines, rather than some of them. */
static void a_ring_that_is_too_short_says_so(void **state)
{
    enum { MOST = 64 };
    guint known = 0, old = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        made m = made_new(seed);
        begin_stream(&m, "lib/NYTProf/Span.pm");
        put_random(&m, 3000);
        reading_spans r = read_made(&m, MOST, seed % 2);
        for (guint i = 0; i < m.spans->len; i++) {
            const made_span span = g_array_index(m.spans, made_span, i);
            const nytp_lines_of_span *got = found_at(&r, i);
            if (span.end - span.first <= MOST - 2)
                assert_int_equal(got->known, NYTP_LINES_KNOWN);
            if (fewest_entries(&m, span) > MOST)
                assert_int_equal(got->known, NYTP_LINES_OLD);
            if (got->known == NYTP_LINES_KNOWN)
                has_its_lines(&m, span, &r, got);
            else
                assert_null(got->most);
            *(got->known == NYTP_LINES_KNOWN ? &known : &old) += 1;
        }
        reading_spans_free(&r);
        made_free(&m);
    }
    assert_true(known > 100 && old > 100);
}

/* A span of 10 statements after 200 others. */
static reading_spans late_span(made *m, const char *module, const char *attribute)
{
    *m = made_new(1);
    begin_stream(m, module);
    for (uint32_t i = 0; i < 200; i++)
        put_statement(m, i % 2, 10, true);
    if (attribute != NULL)
        put(m, (nytp_chunk){.tag = NYTP_ATTRIBUTE,
                            .attribute = {{attribute, strlen(attribute), false}, STR("2000 0 500 1")}});
    for (int spans = 0; spans < 2; spans++) {
        m->begins[m->depth++] = m->statements->len;
        for (uint32_t i = 2; i < 12; i++)
            put_statement(m, i, 10, true);
        end_span(m, 0);
        put_statement(m, 1, 10, true);
    }
    return read_made(m, 64, true);
}

/* In a ring that is full before anything says that there will be spans, statements are kept from the first
 * span on. */
static void nothing_is_kept_that_nobody_wants(void **state)
{
    made m;
    reading_spans r = late_span(&m, "lib/NYTProf/Span.pm", NULL);
    (void)state;
    for (guint i = 0; i < 2; i++)
        has_its_lines(&m, g_array_index(m.spans, made_span, i), &r, found_at(&r, i));
    reading_spans_free(&r);
    made_free(&m);
    r = late_span(&m, "lib/Other.pm", NULL);
    assert_int_equal(found_at(&r, 0)->known, NYTP_LINES_OLD);
    has_its_lines(&m, g_array_index(m.spans, made_span, 1), &r, found_at(&r, 1));
    reading_spans_free(&r);
    made_free(&m);
}

static void coroutines_have_no_lines(void **state)
{
    made m;
    reading_spans r = late_span(&m, "lib/NYTProf/Span.pm", "coroutine");
    (void)state;
    assert_int_equal(found_at(&r, 1)->known, NYTP_LINES_COROUTINES);
    reading_spans_free(&r);
    made_free(&m);
}

/* Inclusive times have the time in which recording was off, and no line has. */
static void time_without_recording_has_no_line(void **state)
{
    made m = made_new(1);
    (void)state;
    begin_stream(&m, "lib/NYTProf/Span.pm");
    put_statement(&m, 0, 100, true);
    put_statement(&m, 1, 20, true);
    put(&m, (nytp_chunk){.tag = NYTP_ATTRIBUTE, .attribute = {STR("clock"), STR("620 0 500 1")}});
    put_statement(&m, 2, 30, true);
    put(&m, (nytp_chunk){.tag = NYTP_SUB_RETURN, .sub_return = {2, 555, 555, STR("NYTProf::span x")}});
    put(&m, (nytp_chunk){.tag = NYTP_SUB_RETURN, .sub_return = {1, 555, 5, STR("main::f")}});
    put_statement(&m, 3, 5, true);
    const made_span span = {1, 4};
    reading_spans r = read_made(&m, 64, false);
    has_its_lines(&m, span, &r, found_at(&r, 0));
    reading_spans_free(&r);
    made_free(&m);
}

/* Of 1,000 lines those with most time are kept. */
static void others_are_added_up(void **state)
{
    made m = made_new(1);
    double rest = 0;
    (void)state;
    begin_stream(&m, "lib/NYTProf/Span.pm");
    for (uint32_t line = 1; line <= 1000; line++) {
        put(&m, (nytp_chunk){.tag = NYTP_TIME_LINE, .time = {(int32_t)line, 1, line, 0, 0}});
        rest += line <= 900 ? line : 0;
    }
    put(&m, (nytp_chunk){.tag = NYTP_SUB_RETURN, .sub_return = {1, 500500, 500500, STR("NYTProf::span x")}});
    reading_spans r = read_made(&m, 1 << 12, false);
    const nytp_lines_of_span *got = found_at(&r, 0);
    assert_int_equal(got->most->len, 100);
    assert_float_equal(g_array_index(got->most, nytp_span_line, 0).ticks, 1000, 0);
    assert_float_equal(g_array_index(got->most, nytp_span_line, 99).ticks, 901, 0);
    assert_int_equal(got->others, 900);
    assert_float_equal(got->other_ticks, rest, 0);
    reading_spans_free(&r);
    made_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_those_of_the_span),
        cmocka_unit_test(a_ring_that_is_too_short_says_so),
        cmocka_unit_test(nothing_is_kept_that_nobody_wants),
        cmocka_unit_test(coroutines_have_no_lines),
        cmocka_unit_test(time_without_recording_has_no_line),
        cmocka_unit_test(others_are_added_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
