#include "test/unit/steady_support.h"

size_t steady_encode(unsigned char bytes[STEADY_LONGEST], const nytp_chunk *chunk)
{
    assert_in_range(nytp_chunk_room(chunk), 1, STEADY_LONGEST);
    bytes[0] = (unsigned char)chunk->tag;
    return (size_t)(nytp_put_fields(bytes + 1, chunk) - bytes);
}

void steady_add(memory *m, const nytp_chunk *chunk)
{
    unsigned char bytes[STEADY_LONGEST];
    const size_t size = steady_encode(bytes, chunk);
    memory_add(m, (char *)bytes, size);
}

memory steady_copy(const memory *m)
{
    memory copy = {0};
    memory_add(&copy, (const char *)m->data, m->size);
    return copy;
}

void steady_make(memory *m, uint64_t seed, unsigned most)
{
    prof_steady *steady = prof_steady_new();
    unsigned char *at = m->data, *end = m->data + m->size;
    assert_non_null(steady);
    while (at < end) {
        const size_t left = (size_t)(end - at), size = 1 + random_below(&seed, most);
        unsigned char *enough = size < left ? at + size : end;
        at = prof_steady_run(steady, at, enough, end);
        assert_true(at >= enough && at <= end);
    }
    prof_steady_free(steady);
}

nytp_chunk steady_take(nytp_cursor *c)
{
    nytp_chunk chunk = {.tag = *c->at++};
    assert_true(nytp_get_fields(c, &chunk));
    assert_true(c->at <= c->end);
    return chunk;
}
