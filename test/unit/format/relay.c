/* Relaying events in runs gives the same as copying them one by one with other fids. */
#include "format/writer.h"
#include "test/unit/support.h"

#include <stdlib.h>
#include <string.h>

enum { STREAMS = 200, CHUNKS = 300, FIDS = 200 };

static uint64_t seed;

static uint32_t below(uint32_t n)
{
    return (uint32_t)(random_next(&seed) % n);
}

/* Usually small numbers, as in real events. */
static nytp_chunk random_event(void)
{
    uint32_t fid = below(8) == 0 ? 100 + below(120) : 1 + below(9),
             line = 1 + below(below(4) == 0 ? 20000 : 90);
    switch (below(12)) {
    case 0: return (nytp_chunk){.tag = NYTP_DISCOUNT};
    case 1: return (nytp_chunk){.tag = NYTP_SUB_ENTRY, .sub_entry = {.fid = fid, .line = line}};
    case 2:
    case 3: return (nytp_chunk){.tag = NYTP_SUB_RETURN, .sub_return = {below(300), 7, 1.5, STR("main::f")}};
    case 4: return (nytp_chunk){.tag = NYTP_TIME_BLOCK, .time = {(int32_t)below(999), fid, line, 3, 4}};
    case 5: return (nytp_chunk){.tag = NYTP_TIME_LINE, .time = {-(int32_t)below(999), fid, line, 0, 0}};
    case 6: return (nytp_chunk){.tag = NYTP_SRC_LINE, .src_line = {1, line, STR("x")}};
    default: return (nytp_chunk){.tag = NYTP_TIME_LINE, .time = {(int32_t)below(200), fid, line, 0, 0}};
    }
}

static memory random_stream(void)
{
    nytp_chunk chunks[CHUNKS] = {{.tag = NYTP_VERSION, .version = {5, 0}},
                                 {.tag = NYTP_PID_START, .pid_start = {7, 1, 1.5}}};
    for (size_t i = 2; i + 1 < CHUNKS; i++)
        chunks[i] = random_event();
    chunks[CHUNKS - 1] = (nytp_chunk){.tag = NYTP_PID_END, .pid_end = {7, 2}};
    return stream_of(chunks, CHUNKS);
}

static uint32_t *fid_of(nytp_chunk *chunk)
{
    switch (chunk->tag) {
    case NYTP_TIME_LINE:
    case NYTP_TIME_BLOCK: return &chunk->time.fid;
    case NYTP_SUB_ENTRY: return &chunk->sub_entry.fid;
    default: return NULL;
    }
}

typedef struct copying {
    nytp_writer *writer;
    uint32_t fids[FIDS];
    bool relayed; /* otherwise copied chunk by chunk */
    bool no_calls, discount;
    int64_t ticks;
    size_t chunks; /* copied one by one */
} copying;

static void put(copying *c, const nytp_chunk *chunk)
{
    assert_int_equal(nytp_writer_chunk(c->writer, chunk), 0);
}

/* A fid for which the writer has none becomes 1000 more. */
static void copy_one(copying *c, nytp_chunk *chunk)
{
    const nytp_chunk discount = {.tag = NYTP_DISCOUNT};
    bool is_time = chunk->tag == NYTP_TIME_LINE || chunk->tag == NYTP_TIME_BLOCK;
    uint32_t *fid = fid_of(chunk);
    c->chunks++;
    if (chunk->tag == NYTP_DISCOUNT) {
        c->discount = true;
        return;
    }
    if (c->no_calls && (chunk->tag == NYTP_SUB_ENTRY || chunk->tag == NYTP_SUB_RETURN))
        return;
    if (fid != NULL)
        *fid = *fid < FIDS && c->fids[*fid] != 0 ? c->fids[*fid] : *fid + 1000;
    if (is_time && c->discount)
        put(c, &discount);
    c->discount = c->discount && !is_time;
    if (is_time)
        c->ticks += chunk->time.ticks;
    put(c, chunk);
}

static memory copy(copying *c, const memory *stream, size_t most)
{
    memory m = {0};
    nytp_chunk chunk;
    int rc = NYTP_OK;
    nasty n = {.data = stream->data, .left = stream->size, .most = most, .random = seed};
    nytp_reader *reader = nytp_reader_new(nytp_source_callback(nasty_read, &n, "p.out"));
    c->writer = nytp_writer_new(nytp_sink_callback(memory_write, &m, "copy"), 6);
    while (rc == NYTP_OK) {
        nytp_relay relay = {
            .fids = c->fids, .fid_count = FIDS, .no_calls = c->no_calls, .discount = c->discount};
        if (c->relayed)
            assert_int_equal(nytp_reader_relay(reader, c->writer, &relay), 0);
        c->ticks += relay.ticks;
        c->discount = relay.discount;
        if ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
            copy_one(c, &chunk);
    }
    assert_int_equal(rc, NYTP_END);
    assert_int_equal(nytp_writer_finish(c->writer), 0);
    nytp_writer_free(c->writer);
    nytp_reader_free(reader);
    return m;
}

/* Fids that stay the same, change to one of the same length or of another, or are unknown. */
static void choose_fids(copying *c)
{
    for (uint32_t i = 1; i < FIDS; i++)
        c->fids[i] = below(3) == 0 ? i : below(4) == 0 ? 0 : below(2) == 0 ? 1 + below(120) : 500 + i;
}

static void runs_are_the_same_as_chunks(void **state)
{
    (void)state;
    for (unsigned i = 0; i < STREAMS; i++) {
        seed = i + 1;
        memory stream = random_stream();
        copying one = {.no_calls = i % 3 == 0}, relayed;
        choose_fids(&one);
        relayed = one;
        relayed.relayed = true;
        size_t most = i % 2 == 0 ? 1 + i : 100000;
        memory expected = copy(&one, &stream, most), got = copy(&relayed, &stream, most);
        if (got.size != expected.size || memcmp(got.data, expected.data, got.size) != 0)
            fail_msg("stream %u differs", i);
        assert_int_equal(relayed.ticks, one.ticks);
        if (most > stream.size)
            assert_true(relayed.chunks < one.chunks);
        memory_free(&stream);
        memory_free(&expected);
        memory_free(&got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_are_the_same_as_chunks)};
    return cmocka_run_group_tests_name("relay", tests, NULL, NULL);
}
