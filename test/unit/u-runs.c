/* nytp_reader_statements() is a faster nytp_reader_next(), and nothing else. */
#include "test/unit/chunk_text.h"
#include "test/unit/random_chunks.h"
#include "test/unit/support.h"

#include "tags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS = 200, CHUNKS = 600 };

static uint64_t below(uint64_t limit)
{
    return random_next(&random_chunks_seed) % limit;
}

/* Statements of every length, mostly the usual ones; calls and DISCOUNTs in between; now and then anything.
 */
static nytp_chunk likely_chunk(void)
{
    switch (below(16)) {
    case 0: return random_chunk();
    case 1:
    case 2:
        return (nytp_chunk){.tag = NYTP_SUB_ENTRY, .sub_entry = {.fid = 1, .line = (uint32_t)below(1000)}};
    case 3: return (nytp_chunk){.tag = NYTP_SUB_RETURN, .sub_return = {1, 2, 1, STR("main::f")}};
    case 4:
    case 5:
    case 6: return (nytp_chunk){.tag = NYTP_DISCOUNT};
    case 7: return (nytp_chunk){.tag = NYTP_TIME_BLOCK, .time = {(int32_t)below(300), 1, 2, 3, 4}};
    default:
        return (nytp_chunk){
            .tag = NYTP_TIME_LINE,
            .time = {(int32_t)below(140), (uint32_t)below(140), (uint32_t)below(20000), 0, 0}};
    }
}

static memory likely_stream(void)
{
    nytp_chunk chunks[CHUNKS] = {{.tag = NYTP_VERSION, .version = {5, 0}}};
    random_chunks_begin();
    for (size_t i = 1; i < CHUNKS; i++)
        chunks[i] = likely_chunk();
    chunks[CHUNKS / 3] = (nytp_chunk){.tag = NYTP_START_DEFLATE};
    return stream_of(chunks, CHUNKS);
}

static void tell_statement(FILE *out, nytp_statement s)
{
    fprintf(out, "%u:%u %d ticks, %u\n", s.fid, s.line, s.ticks, s.executions);
}

/* What nytp_profile_add() makes of DISCOUNT. */
static void tell_chunk(FILE *out, const nytp_chunk *chunk, bool *discounted)
{
    if (chunk->tag == NYTP_DISCOUNT) {
        *discounted = true;
    } else if (chunk->tag == NYTP_TIME_LINE || chunk->tag == NYTP_TIME_BLOCK) {
        tell_statement(out,
                       (nytp_statement){chunk->time.fid, chunk->time.line, chunk->time.ticks, !*discounted});
        *discounted = false;
    } else {
        chunk_print(out, chunk);
    }
}

/* All that the reader yields, and its end, as text; room: of the runs, 0 for none. Frees the reader. */
static char *told(nytp_reader *reader, size_t room)
{
    nytp_statement run[8];
    nytp_chunk chunk;
    bool discounted = false;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int rc;
    do {
        size_t count = room > 0 && !discounted ? nytp_reader_statements(reader, run, room) : 0;
        for (size_t i = 0; i < count; i++)
            tell_statement(out, run[i]);
        if ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
            tell_chunk(out, &chunk, &discounted);
    } while (rc == NYTP_OK);
    fprintf(out, "%d: %s\n", rc, nytp_reader_error(reader)->message);
    fclose(out);
    nytp_reader_free(reader);
    return text;
}

static nytp_reader *reader_of(const memory *m, nasty *n, way how, uint32_t wanted)
{
    *n = (nasty){.data = m->data, .left = m->size, .most = how.most, .random = random_chunks_seed};
    nytp_reader *reader = nytp_reader_new(how.most > 0 ? nytp_source_callback(nasty_read, n, "p.out")
                                                       : nytp_source_memory(m->data, m->size, "p.out"));
    nytp_reader_set_threads(reader, how.threads);
    nytp_reader_set_inflater(reader, how.with);
    nytp_reader_set_wanted(reader, wanted);
    return reader;
}

static void runs_are_the_same_as_chunks(void **state)
{
    const uint32_t calls = nytp_tag_bit(NYTP_SUB_ENTRY) | nytp_tag_bit(NYTP_SUB_RETURN);
    size_t count;
    const way *all = ways(&count);
    (void)state;
    for (uint64_t i = 0; i < STREAMS; i++) {
        random_chunks_seed = 7100 + i;
        memory m = likely_stream();
        if (i % 3 == 0)
            m.size = m.size / 2 + below(m.size / 2); /* cut */
        uint32_t wanted = i % 2 == 0 ? NYTP_ALL_TAGS : NYTP_ALL_TAGS & ~calls;
        nasty n;
        char *expected = told(reader_of(&m, &n, plainly, wanted), 0);
        char *got = told(reader_of(&m, &n, all[i % count], wanted), 1 + below(8));
        assert_string_equal(got, expected);
        free(got);
        free(expected);
        memory_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_are_the_same_as_chunks)};
    return cmocka_run_group_tests_name("statements", tests, NULL, NULL);
}
