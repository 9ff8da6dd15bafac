/* What times that are made steady are added up by: sub and block of a line, and stacks of calls. */
#include "test/unit/steady_support.h"

#include <math.h>

enum { TURNS = 50000, SIDES = 2 };

typedef struct ticks_of_side {
    double measured[SIDES], written[SIDES];
} ticks_of_side;

/* What add() adds, for one of two sides each time, the second rarely. That is slower, and chance adds a tick
 * to both. */
static memory turns(void (*add)(memory *m, unsigned side, int32_t ticks), uint64_t seed, int32_t slower)
{
    memory m = {0};
    for (unsigned n = 0; n < TURNS; n++) {
        const unsigned side = random_below(&seed, 10) == 0 ? 1 : 0;
        add(&m, side, 1 + slower * (int32_t)side + (int32_t)random_below(&seed, 2));
    }
    return m;
}

/* side_of: of the chunk whose time counts; SIDES for all others. That of a call is told by what follows it.
 */
static void add_up(const memory *m, unsigned (*side_of)(const nytp_chunk *chunk, double *ticks),
                   double sums[SIDES])
{
    nytp_cursor c = {.at = m->data, .end = m->data + m->size};
    double ticks = 0;
    while (c.at < c.end) {
        const nytp_chunk chunk = steady_take(&c);
        const unsigned side = side_of(&chunk, &ticks);
        if (side < SIDES)
            sums[side] += ticks;
    }
}

static ticks_of_side make_and_add_up(memory *measured,
                                     unsigned (*side_of)(const nytp_chunk *chunk, double *ticks))
{
    ticks_of_side sums = {0};
    memory written = steady_copy(measured);
    steady_make(&written, 1, 70000);
    assert_memory_not_equal(written.data, measured->data, measured->size);
    add_up(measured, side_of, sums.measured);
    add_up(&written, side_of, sums.written);
    memory_free(&written);
    memory_free(measured);
    return sums;
}

static void assert_near(const ticks_of_side *sums)
{
    for (unsigned side = 0; side < SIDES; side++) {
        assert_true(sums->measured[side] > TURNS / 20.0);
        if (fabs(sums->written[side] - sums->measured[side]) > sums->measured[side] / PROF_STEADY_PART)
            fail_msg("side %u: %.0f ticks written for %.0f", side, sums->written[side], sums->measured[side]);
    }
}

/* ---- statements of a sub, in two lines, blocks or subs ---- */

static void add_line_of_block(memory *m, unsigned side, int32_t ticks)
{
    steady_add(m, &(nytp_chunk){.tag = NYTP_TIME_BLOCK, .time = {ticks, 1, 9 + side, 9 + side, 5}});
}

static void add_block_of_line(memory *m, unsigned side, int32_t ticks)
{
    steady_add(m, &(nytp_chunk){.tag = NYTP_TIME_BLOCK, .time = {ticks, 1, 9, 9 - side, 5}});
}

static void add_sub_of_line(memory *m, unsigned side, int32_t ticks)
{
    steady_add(m, &(nytp_chunk){.tag = NYTP_TIME_BLOCK, .time = {ticks, 1, 9, 5, 5 - side}});
}

static unsigned place_side(const nytp_chunk *chunk, double *ticks)
{
    *ticks = chunk->time.ticks;
    return chunk->time.line != 9 || chunk->time.block_line == 8 || chunk->time.sub_line == 4;
}

static void lines_and_blocks_and_subs_keep_their_sums(void **state)
{
    static void (*const adders[])(memory *, unsigned, int32_t) = {add_line_of_block, add_block_of_line,
                                                                  add_sub_of_line};
    (void)state;
    for (size_t i = 0; i < COUNT(adders); i++)
        for (int32_t slower = 0; slower <= 4; slower++) {
            memory m = turns(adders[i], i, slower);
            const ticks_of_side sums = make_and_add_up(&m, place_side);
            assert_near(&sums);
        }
}

/* ---- a sub that is called from two, at one depth ---- */

static void add_line(memory *m, uint32_t line)
{
    steady_add(m, &(nytp_chunk){.tag = NYTP_TIME_LINE, .time = {3, 1, line, 0, 0}});
}

static void add_call(memory *m, uint32_t depth, double incl_ticks, double excl_ticks, nytp_str name)
{
    steady_add(m, &(nytp_chunk){.tag = NYTP_SUB_RETURN, .sub_return = {depth, incl_ticks, excl_ticks, name}});
}

/* Calls of a leaf, and of what calls it: fast() or slow(). */
static void add_calls(memory *m, unsigned side, int32_t ticks)
{
    static const nytp_str callers[SIDES] = {{"main::fast", 10, false}, {"main::slow", 10, false}};
    add_call(m, 2, ticks, ticks, (nytp_str){"main::leaf", 10, false});
    add_call(m, 1, ticks + 9, 9, callers[side]);
}

/* The same with statements: of the main program, the caller, and two of the leaf. */
static void add_calls_and_lines(memory *m, unsigned side, int32_t ticks)
{
    add_line(m, 1 + side);
    add_line(m, 200 + side);
    add_line(m, 300);
    add_line(m, 301);
    add_calls(m, side, ticks);
}

static void add_lines_alike(memory *m, unsigned side, int32_t ticks)
{
    for (uint32_t line = 1; line <= 4; line++)
        add_line(m, line);
    add_calls(m, side, ticks);
}

static unsigned caller_side(const nytp_chunk *chunk, double *ticks)
{
    if (chunk->tag != NYTP_SUB_RETURN)
        return SIDES;
    if (chunk->sub_return.depth == 1)
        return chunk->sub_return.name.bytes[6] == 's';
    *ticks = chunk->sub_return.excl_ticks;
    return SIDES;
}

static void stacks_keep_their_sums(void **state)
{
    (void)state;
    for (int32_t slower = 0; slower <= 4; slower++) {
        memory lines = turns(add_calls_and_lines, 3, slower);
        const ticks_of_side sums = make_and_add_up(&lines, caller_side);
        assert_near(&sums);
    }
}

/* All that is known of a call's stack is what came before it: here nothing. */
static void stacks_that_cannot_be_told_apart_are_a_tick_a_call_off_at_most(void **state)
{
    (void)state;
    for (int32_t slower = 0; slower <= 4; slower++) {
        memory lines = turns(add_lines_alike, 4, slower);
        const ticks_of_side sums = make_and_add_up(&lines, caller_side);
        const double all_measured = sums.measured[0] + sums.measured[1];
        const double all_written = sums.written[0] + sums.written[1];
        assert_true(fabs(sums.written[1] - sums.measured[1]) <= TURNS / 9.0 * PROF_STEADY_NEAR_CALL);
        assert_true(fabs(all_written - all_measured) <= all_measured / PROF_STEADY_PART);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_blocks_and_subs_keep_their_sums),
        cmocka_unit_test(stacks_keep_their_sums),
        cmocka_unit_test(stacks_that_cannot_be_told_apart_are_a_tick_a_call_off_at_most),
    };
    return cmocka_run_group_tests_name("prof-sums", tests, NULL, NULL);
}
