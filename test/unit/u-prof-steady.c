/* Times that are made steady: how far they may be from what was measured, and that nothing else changes. */
#include "test/unit/prof_support.h"
#include "xs/outsteady.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- streams ---- */

enum { LONGEST_CHUNK = 400, SUBS = 20 };

static unsigned below(uint64_t *random, unsigned limit)
{
    return (unsigned)(random_next(random) % limit);
}

static size_t encode(unsigned char bytes[LONGEST_CHUNK], const nytp_chunk *chunk)
{
    assert_in_range(nytp_chunk_room(chunk), 1, LONGEST_CHUNK);
    bytes[0] = (unsigned char)chunk->tag;
    return (size_t)(nytp_put_fields(bytes + 1, chunk) - bytes);
}

static void add_chunk(memory *m, const nytp_chunk *chunk)
{
    unsigned char bytes[LONGEST_CHUNK];
    const size_t size = encode(bytes, chunk);
    memory_add(m, (char *)bytes, size);
}

/* Now and then some more, and once in a while much more. */
static int32_t some_ticks(uint64_t *random, unsigned usual)
{
    const unsigned chance = below(random, 100);
    return (int32_t)(usual + below(random, 3) + (chance == 0 ? 100000 : chance < 3 ? below(random, 300) : 0));
}

static void add_statement(memory *m, uint64_t *random, unsigned places)
{
    const unsigned place = below(random, places);
    nytp_chunk chunk = {.tag = place % 10 == 0 ? NYTP_TIME_BLOCK : NYTP_TIME_LINE};
    chunk.time.fid = 1 + place % 300;
    chunk.time.line = 1 + place;
    chunk.time.ticks = some_ticks(random, place % 9 * 15);
    chunk.time.block_line = chunk.time.sub_line = chunk.time.line;
    add_chunk(m, &chunk);
}

static void add_return(memory *m, uint64_t *random)
{
    char name[LONGEST_CHUNK];
    nytp_chunk chunk = {.tag = NYTP_SUB_RETURN};
    const unsigned sub = below(random, SUBS);
    memset(name, '+', sizeof name);
    chunk.sub_return.depth = 1 + sub % 3 * 100;
    chunk.sub_return.name = (nytp_str){name, 4 + sub * 13, sub % 2 != 0};
    chunk.sub_return.incl_ticks = some_ticks(random, sub * 8);
    chunk.sub_return.excl_ticks = chunk.sub_return.incl_ticks - (below(random, 3) == 0);
    add_chunk(m, &chunk);
}

/* Statements and calls among chunks that could be taken for them. */
static memory some_chunks(uint64_t seed, unsigned count, unsigned places)
{
    static const char text[] = "+\1\1\1+\2\1\1-<\1++++";
    memory m = {0};
    for (uint32_t n = 0; n < count; n++) {
        const unsigned kind = below(&seed, 100);
        if (kind < 70)
            add_statement(&m, &seed, places);
        else if (kind < 85)
            add_return(&m, &seed);
        else if (kind < 99)
            add_chunk(&m, &(nytp_chunk){.tag = NYTP_DISCOUNT});
        else
            add_chunk(&m, &(nytp_chunk){.tag = NYTP_SRC_LINE,
                                        .src_line = {1, n, {text, below(&seed, sizeof text), false}}});
    }
    return m;
}

static memory copy_of(const memory *m)
{
    memory copy = {0};
    memory_add(&copy, (const char *)m->data, m->size);
    return copy;
}

/* In pieces of any size, each from where the one before stopped. */
static void make_steady(memory *m, uint64_t seed, unsigned most)
{
    prof_steady *steady = prof_steady_new();
    unsigned char *at = m->data, *end = m->data + m->size;
    assert_non_null(steady);
    while (at < end) {
        const size_t left = (size_t)(end - at), size = 1 + below(&seed, most);
        unsigned char *enough = size < left ? at + size : end;
        at = prof_steady_run(steady, at, enough, end);
        assert_true(at >= enough && at <= end);
    }
    prof_steady_free(steady);
}

/* ---- what was measured, and what is written ---- */

typedef struct sums {
    double measured, written;
} sums;

enum { PLACES = 30000 };

typedef struct comparison {
    sums places[PLACES + 1], subs[SUBS]; /* of the short times, by line and by name */
    size_t changed;
} comparison;

static nytp_chunk take_chunk(nytp_cursor *c)
{
    nytp_chunk chunk = {.tag = *c->at++};
    assert_true(nytp_get_fields(c, &chunk));
    assert_true(c->at <= c->end);
    return chunk;
}

static void compare_times(comparison *c, sums *s, double measured, double written, double near)
{
    assert_true(fabs(written - measured) <= near);
    c->changed += written != measured;
    if (measured < PROF_STEADY_BELOW && written < PROF_STEADY_BELOW) {
        s->measured += measured;
        s->written += written;
    } else {
        assert_true(written == measured);
    }
}

/* Makes the times of both equal where they may differ. */
static void compare_chunks(comparison *c, const nytp_chunk *was, nytp_chunk *is)
{
    assert_int_equal(was->tag, is->tag);
    if (was->tag == NYTP_TIME_LINE || was->tag == NYTP_TIME_BLOCK) {
        compare_times(c, &c->places[was->time.line], was->time.ticks, is->time.ticks, PROF_STEADY_NEAR);
        is->time.ticks = was->time.ticks;
    } else if (was->tag == NYTP_SUB_RETURN && was->sub_return.incl_ticks == was->sub_return.excl_ticks) {
        sums *s = &c->subs[(was->sub_return.name.length - 4) / 13];
        assert_true(is->sub_return.incl_ticks == is->sub_return.excl_ticks);
        compare_times(c, s, was->sub_return.incl_ticks, is->sub_return.incl_ticks, PROF_STEADY_NEAR_CALL);
        is->sub_return.incl_ticks = is->sub_return.excl_ticks = was->sub_return.incl_ticks;
    }
}

/* most_ticks: by which sums may differ, beside the part. Those of subs consist of others, each of which may.
 */
static void assert_sums_near(const sums *all, size_t count, double most_ticks)
{
    for (size_t i = 0; i < count; i++) {
        const double off = fabs(all[i].written - all[i].measured);
        if (off > all[i].measured / PROF_STEADY_PART || off > most_ticks)
            fail_msg("%.0f ticks written for %.0f", all[i].written, all[i].measured);
    }
}

/* Returns how many times differ. */
static size_t compare(const memory *measured, const memory *written, double most_ticks)
{
    comparison *c = calloc(1, sizeof *c);
    nytp_cursor a = {.at = measured->data, .end = measured->data + measured->size};
    nytp_cursor b = {.at = written->data, .end = written->data + written->size};
    unsigned char was_bytes[LONGEST_CHUNK], is_bytes[LONGEST_CHUNK];
    assert_non_null(c);
    assert_int_equal(measured->size, written->size);
    while (a.at < a.end) {
        const nytp_chunk was = take_chunk(&a);
        nytp_chunk is = take_chunk(&b);
        compare_chunks(c, &was, &is);
        const size_t size = encode(was_bytes, &was);
        assert_int_equal(encode(is_bytes, &is), size);
        assert_memory_equal(is_bytes, was_bytes, size);
    }
    assert_sums_near(c->places, COUNT(c->places), most_ticks);
    assert_sums_near(c->subs, COUNT(c->subs), INFINITY);
    const size_t changed = c->changed;
    free(c);
    return changed;
}

/* Few enough that each keeps what is known of it, and too many for that. */
static void sums_stay_near_what_was_measured(void **state)
{
    static const unsigned places[] = {1, 2, 40, PLACES};
    (void)state;
    for (uint64_t i = 0; i < COUNT(places); i++) {
        const unsigned count = 300000;
        memory measured = some_chunks(i, count, places[i]), written = copy_of(&measured);
        make_steady(&written, i, i % 2 == 0 ? 100 : 100000);
        const size_t changed =
            compare(&measured, &written, places[i] == PLACES ? INFINITY : PROF_STEADY_TICKS);
        assert_in_range(changed, count / (places[i] == PLACES ? 200 : 10), count);
        memory_free(&measured);
        memory_free(&written);
    }
}

/* As long as the part of their sum is no tick. */
static void few_times_are_as_measured(void **state)
{
    memory measured = {0};
    uint64_t random = 7;
    (void)state;
    for (uint32_t n = 0; n < 5 * PLACES; n++) {
        const int32_t ticks = 1 + (int32_t)below(&random, PROF_STEADY_PART / 5);
        add_chunk(&measured, &(nytp_chunk){.tag = NYTP_TIME_LINE, .time = {ticks, 1, n % PLACES}});
    }
    memory written = copy_of(&measured);
    make_steady(&written, 7, 1000);
    assert_memory_equal(written.data, measured.data, measured.size);
    memory_free(&measured);
    memory_free(&written);
}

static size_t deflated_size(const memory *m)
{
    memory z = {0};
    memory_deflate(&z, m->data, m->size, NYTP_DEFLATE_END);
    const size_t size = z.size;
    memory_free(&z);
    return size;
}

/* That is what it is for: a loop, whose times change by a tick. */
static void what_is_steady_is_small(void **state)
{
    memory measured = {0};
    uint64_t random = 1;
    (void)state;
    for (uint32_t n = 0; n < 500000; n++) {
        const nytp_chunk chunk = {.tag = NYTP_TIME_LINE,
                                  .time = {1 + (int32_t)below(&random, 2), 1, 10 + n % 20}};
        add_chunk(&measured, &chunk);
    }
    memory written = copy_of(&measured);
    make_steady(&written, 1, 100000);
    compare(&measured, &written, PROF_STEADY_TICKS);
    assert_in_range(deflated_size(&written), 1, deflated_size(&measured) / 3);
    memory_free(&measured);
    memory_free(&written);
}

/* ---- what is not chunks, or not all of one ---- */

static void cut_anywhere_the_rest_stays(void **state)
{
    memory whole = some_chunks(9, 400, 1);
    (void)state;
    for (size_t size = 0; size <= whole.size; size++) {
        memory cut = {0}, is = {0};
        memory_add(&cut, (const char *)whole.data, size);
        memory_add(&is, (const char *)whole.data, size);
        make_steady(&is, size, 5000);
        assert_int_equal(is.size, size);
        for (size_t at = 0; at < size; at++)
            if (is.data[at] != cut.data[at])
                assert_true(size - at > NYTP_NV_SIZE); /* no time of a chunk that is cut */
        memory_free(&cut);
        memory_free(&is);
    }
    memory_free(&whole);
}

static void noise_does_no_harm(void **state)
{
    uint64_t random = 3;
    (void)state;
    for (int round = 0; round < 2000; round++) {
        memory noise = {0};
        for (unsigned n = below(&random, 3000); n > 0; n--)
            memory_add(&noise, below(&random, 2) != 0 ? "+" : (const char *)&random, 1);
        if (noise.size > 0)
            make_steady(&noise, random, 200);
        memory_free(&noise);
    }
}

static void behind_a_text_all_stays(void **state)
{
    memory measured = {0}, more = some_chunks(5, 20000, 1);
    (void)state;
    memory_add(&measured, "#+\1\1\1\n", 6);
    memory_add(&measured, (const char *)more.data, more.size);
    memory written = copy_of(&measured);
    make_steady(&written, 5, 1000);
    assert_memory_equal(written.data, measured.data, measured.size);
    memory_free(&more);
    memory_free(&measured);
    memory_free(&written);
}

/* ---- in the collector's output ---- */

enum { TURNS = 60000, TEXT_BYTES = 600000 };

/* Ticks of 1 and 2 at random, and between them lines of source that span blocks. */
static void write_turns(const char *path, bool steady)
{
    static char text[TEXT_BYTES];
    static const nytp_chunk version = {.tag = NYTP_VERSION, .version = {5, 0}};
    const char *why = "";
    uint64_t random = 1;
    memset(text, '+', sizeof text);
    prof_output *output = prof_output_open(path, 1, &why);
    assert_non_null(output);
    prof_output_chunk(output, &version);
    prof_output_begin(output, steady);
    prof_output_chunk(output, &(nytp_chunk){.tag = NYTP_PID_START, .pid_start = {7, 1, 1.5}});
    for (uint32_t n = 0; n < TURNS; n++) {
        unsigned char *at = prof_output_room(output);
        *at++ = NYTP_TIME_LINE;
        *at++ = (unsigned char)(1 + below(&random, 2));
        *at++ = 1;
        *at++ = 1;
        prof_output_publish(output, at);
        if (n % 10000 == 5000)
            prof_output_chunk(output, &(nytp_chunk){.tag = NYTP_SRC_LINE,
                                                    .src_line = {1, n, {text, sizeof text - n, false}}});
    }
    close_output(output);
}

/* Returns how many times differ from those that were published. */
static size_t read_turns(const char *path)
{
    nytp_chunk chunk;
    uint64_t random = 1;
    size_t changed = 0, texts = 0;
    int64_t sum = 0;
    nytp_reader *reader = nytp_reader_new(nytp_source_file(path));
    int end;
    while ((end = nytp_reader_next(reader, &chunk)) == NYTP_OK) {
        if (chunk.tag == NYTP_SRC_LINE) {
            const nytp_str text = chunk.src_line.text;
            texts++;
            assert_int_equal(text.length, TEXT_BYTES - chunk.src_line.line);
            for (size_t i = 0; i < text.length; i++)
                assert_true(text.bytes[i] == '+');
        }
        if (chunk.tag != NYTP_TIME_LINE)
            continue;
        const int32_t ticks = 1 + (int32_t)below(&random, 2);
        changed += ticks != chunk.time.ticks;
        sum += chunk.time.ticks - ticks;
    }
    assert_int_equal(end, NYTP_END);
    assert_int_equal(texts, TURNS / 10000);
    assert_in_range(llabs(sum), 0, PROF_STEADY_TICKS);
    nytp_reader_free(reader);
    return changed;
}

static void write_and_read_turns(void)
{
    write_turns(scratch("turns"), false);
    assert_int_equal(read_turns(scratch("turns")), 0);
    write_turns(scratch("turns"), true);
    assert_in_range(read_turns(scratch("turns")), TURNS / 4, TURNS);
}

static void write_and_read_without_thread(void)
{
    forbid_threads();
    write_and_read_turns();
}

static void an_output_has_steady_times(void **state)
{
    (void)state;
    write_and_read_turns();
    in_child(write_and_read_without_thread);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_stay_near_what_was_measured),
        cmocka_unit_test(few_times_are_as_measured),
        cmocka_unit_test(what_is_steady_is_small),
        cmocka_unit_test(cut_anywhere_the_rest_stays),
        cmocka_unit_test(noise_does_no_harm),
        cmocka_unit_test(behind_a_text_all_stays),
        cmocka_unit_test(an_output_has_steady_times),
    };
    return cmocka_run_group_tests_name("prof-steady", tests, scratch_make, scratch_remove);
}
