/* Steady times in the collector's output. */
#include "test/unit/prof_support.h"
#include "xs/outsteady.h"

#include <stdlib.h>
#include <string.h>

enum { TURNS = 60000, TEXT_BYTES = 600000 };

static int32_t next_ticks(uint64_t *random)
{
    return 1 + (int32_t)(random_next(random) % 2);
}

static void put_turn(prof_output *output, int32_t ticks)
{
    unsigned char *at = prof_output_room(output);
    *at++ = NYTP_TIME_LINE;
    *at++ = (unsigned char)ticks;
    *at++ = 1;
    *at++ = 1;
    prof_output_publish(output, at);
}

/* A line of source that spans blocks, of what looks like statements. */
static void put_text(prof_output *output, uint32_t line)
{
    static char text[TEXT_BYTES];
    memset(text, '+', sizeof text);
    prof_output_chunk(output, &(nytp_chunk){.tag = NYTP_SRC_LINE,
                                            .src_line = {1, line, {text, sizeof text - line, false}}});
}

static void put_turns(prof_output *output, unsigned count)
{
    while (count-- > 0)
        put_turn(output, 2);
}

/* It fails: what is written for it is taken back, a text among it. */
static void try_exec(prof_output *output)
{
    const nytp_chunk text = {.tag = NYTP_ATTRIBUTE, .attribute = {STR("overhead"), STR("1")}};
    prof_output_remember(output);
    put_turns(output, 50);
    prof_output_chunk(output, &text);
    put_turns(output, 50);
    prof_output_end_for_now(output);
    prof_output_resume(output);
}

/* Ticks of 1 and 2 at random, and what may come between. */
static void write_turns(const char *path, bool steady)
{
    uint64_t random = 1;
    prof_output *output = begin_output_as(path, 1, steady);
    for (uint32_t n = 0; n < TURNS; n++) {
        put_turn(output, next_ticks(&random));
        if (n % 10000 == 5000)
            put_text(output, n);
        if (n % 1000 == 500)
            try_exec(output);
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
        const int32_t ticks = next_ticks(&random);
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
        cmocka_unit_test(an_output_has_steady_times),
    };
    return cmocka_run_group_tests_name("prof-output-steady", tests, scratch_make, scratch_remove);
}
