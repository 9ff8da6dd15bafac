/* Times that are made steady: how far they may be from what was measured, and that nothing else changes. */
#include "test/unit/steady_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- streams ---- */

enum { SUBS = 20 };

/* Now and then some more, and once in a while much more. */
static int32_t some_ticks(uint64_t *random, unsigned usual)
{
    const unsigned chance = random_below(random, 100);
    const unsigned more = chance == 0 ? 100000 : chance < 3 ? random_below(random, 300) : 0;
    return (int32_t)(usual + random_below(random, 3) + more);
}

static void add_statement(memory *m, uint64_t *random, unsigned places)
{
    const unsigned place = random_below(random, places);
    nytp_chunk chunk = {.tag = place % 10 == 0 ? NYTP_TIME_BLOCK : NYTP_TIME_LINE};
    chunk.time.fid = 1 + place % 300;
    chunk.time.line = 1 + place;
    chunk.time.ticks = some_ticks(random, place % 9 * 15);
    chunk.time.block_line = chunk.time.sub_line = chunk.time.line;
    steady_add(m, &chunk);
}

static void add_return(memory *m, uint64_t *random)
{
    char name[STEADY_LONGEST];
    nytp_chunk chunk = {.tag = NYTP_SUB_RETURN};
    const unsigned sub = random_below(random, SUBS);
    memset(name, '+', sizeof name);
    chunk.sub_return.depth = 1 + sub % 3 * 100;
    chunk.sub_return.name = (nytp_str){name, 4 + sub * 13, sub % 2 != 0};
    chunk.sub_return.incl_ticks = some_ticks(random, sub * 8);
    chunk.sub_return.excl_ticks = chunk.sub_return.incl_ticks - (random_below(random, 3) == 0);
    steady_add(m, &chunk);
}

/* Some end with a string, and some do not. */
static void add_other(memory *m, uint64_t *random, uint32_t n)
{
    static const char like_chunks[] = "+\1\1\1+\2\1\1-<\1++++";
    char text[STEADY_LONGEST / 3];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = like_chunks[i % (sizeof like_chunks - 1)];
    const nytp_str some = {text, random_below(random, sizeof text), false};
    const nytp_chunk others[] = {
        {.tag = NYTP_SRC_LINE, .src_line = {1, n, some}},
        {.tag = NYTP_SUB_INFO, .sub_info = {1, some, n, n + 1000000}},
        {.tag = NYTP_SUB_CALLERS, .sub_callers = {1, n, some, 1, 1.5, 1.5, 0, 1, some}},
    };
    steady_add(m, &others[random_below(random, COUNT(others))]);
}

/* Statements and calls among chunks that could be taken for them. */
static memory some_chunks(uint64_t seed, unsigned count, unsigned places)
{
    memory m = {0};
    for (uint32_t n = 0; n < count; n++) {
        const unsigned kind = random_below(&seed, 100);
        if (kind < 70)
            add_statement(&m, &seed, places);
        else if (kind < 85)
            add_return(&m, &seed);
        else if (kind < 99)
            steady_add(&m, &(nytp_chunk){.tag = NYTP_DISCOUNT});
        else
            add_other(&m, &seed, n);
    }
    return m;
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
static size_t compare(const memory *measured, const memory *written)
{
    comparison *c = calloc(1, sizeof *c);
    nytp_cursor a = {.at = measured->data, .end = measured->data + measured->size};
    nytp_cursor b = {.at = written->data, .end = written->data + written->size};
    unsigned char was_bytes[STEADY_LONGEST], is_bytes[STEADY_LONGEST];
    assert_non_null(c);
    assert_int_equal(measured->size, written->size);
    while (a.at < a.end) {
        const nytp_chunk was = steady_take(&a);
        nytp_chunk is = steady_take(&b);
        compare_chunks(c, &was, &is);
        const size_t size = steady_encode(was_bytes, &was);
        assert_int_equal(steady_encode(is_bytes, &is), size);
        assert_memory_equal(is_bytes, was_bytes, size);
    }
    assert_sums_near(c->places, COUNT(c->places), PROF_STEADY_TICKS);
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
        memory measured = some_chunks(i, count, places[i]), written = steady_copy(&measured);
        steady_make(&written, i, i % 2 == 0 ? 100 : 100000);
        const size_t changed = compare(&measured, &written);
        assert_in_range(changed, count / (places[i] == PLACES ? 200 : 10), count);
        memory_free(&measured);
        memory_free(&written);
    }
}

/* Of each statement, time and again, some that keep its time, and some that are a tick longer and would be
 * written like those. Where too many compete, one that forgot what it is behind would be more behind each
 * time. */
static void sums_stay_near_though_others_come_between(void **state)
{
    enum { ROUNDS = 3, STATEMENTS = 2000, FIRST = 35, MORE = 16, TICKS = 125 };
    memory measured = {0};
    (void)state;
    for (uint32_t n = 0; n < ROUNDS * STATEMENTS; n++)
        for (int turn = 0; turn < FIRST + MORE; turn++)
            steady_add(&measured,
                       &(nytp_chunk){.tag = NYTP_TIME_LINE,
                                     .time = {TICKS + (turn >= FIRST), 1, 1 + n % STATEMENTS, 0, 0}});
    memory written = steady_copy(&measured);
    steady_make(&written, 4, 100000);
    const size_t most = (size_t)STATEMENTS * PROF_STEADY_TICKS;
    assert_in_range(compare(&measured, &written), most - most / 200, most); /* few must stand back */
    memory_free(&measured);
    memory_free(&written);
}

/* As long as the part of their sum is no tick. */
static void few_times_are_as_measured(void **state)
{
    memory measured = {0};
    uint64_t random = 7;
    (void)state;
    for (uint32_t n = 0; n < 5 * PLACES; n++) {
        const int32_t ticks = 1 + (int32_t)random_below(&random, PROF_STEADY_PART / 5);
        steady_add(&measured, &(nytp_chunk){.tag = NYTP_TIME_LINE, .time = {ticks, 1, n % PLACES, 0, 0}});
    }
    memory written = steady_copy(&measured);
    steady_make(&written, 7, 1000);
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
                                  .time = {1 + (int32_t)random_below(&random, 2), 1, 10 + n % 20, 0, 0}};
        steady_add(&measured, &chunk);
    }
    memory written = steady_copy(&measured);
    steady_make(&written, 1, 100000);
    compare(&measured, &written);
    assert_in_range(deflated_size(&written), 1, deflated_size(&measured) / 3);
    memory_free(&measured);
    memory_free(&written);
}

/* ---- what is not chunks, or not all of one ---- */

static const size_t edge_room = 64 << 10;

/* Before what is returned there is so much room; from there on nothing can be read. */
static unsigned char *edge_new(void)
{
    unsigned char *room = mmap(NULL, 2 * edge_room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(room != MAP_FAILED);
    assert_int_equal(mprotect(room, edge_room, PROT_READ | PROT_WRITE), 0);
    return room + edge_room;
}

static void edge_free(unsigned char *edge)
{
    munmap(edge - edge_room, 2 * edge_room);
}

static void cut_anywhere_the_rest_stays(void **state)
{
    memory whole = some_chunks(9, 1500, 1);
    unsigned char *edge = edge_new();
    (void)state;
    assert_in_range(whole.size, 1, edge_room);
    for (size_t size = 0; size <= whole.size; size++) {
        memory cut = {.data = edge - size, .size = size};
        memcpy(cut.data, whole.data, size);
        steady_make(&cut, size, 5000);
        for (size_t at = 0; at < size; at++)
            if (cut.data[at] != whole.data[at])
                assert_true(size - at > NYTP_NV_SIZE); /* no time of a chunk that is cut */
    }
    edge_free(edge);
    memory_free(&whole);
}

static void noise_does_no_harm(void **state)
{
    unsigned char *edge = edge_new();
    uint64_t random = 3;
    (void)state;
    for (int round = 0; round < 2000; round++) {
        memory noise = {.size = random_below(&random, 3000)};
        noise.data = edge - noise.size;
        for (size_t n = 0; n < noise.size; n++)
            noise.data[n] = random_below(&random, 2) != 0 ? NYTP_TIME_LINE : (unsigned char)random;
        steady_make(&noise, random, 200);
    }
    edge_free(edge);
}

static void behind_a_text_all_stays(void **state)
{
    memory measured = {0}, more = some_chunks(5, 20000, 1);
    (void)state;
    memory_add(&measured, "#+\1\1\1\n", 6);
    memory_add(&measured, (const char *)more.data, more.size);
    memory written = steady_copy(&measured);
    steady_make(&written, 5, 1000);
    assert_memory_equal(written.data, measured.data, measured.size);
    memory_free(&more);
    memory_free(&measured);
    memory_free(&written);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_stay_near_what_was_measured),
        cmocka_unit_test(sums_stay_near_though_others_come_between),
        cmocka_unit_test(few_times_are_as_measured),
        cmocka_unit_test(what_is_steady_is_small),
        cmocka_unit_test(cut_anywhere_the_rest_stays),
        cmocka_unit_test(noise_does_no_harm),
        cmocka_unit_test(behind_a_text_all_stays),
    };
    return cmocka_run_group_tests_name("prof-steady", tests, NULL, NULL);
}
