/* A mutator for libFuzzer. Half of the time it changes the chunks of a profile; otherwise libFuzzer changes
 * bytes. It removes, repeats, swaps and invents chunks, and gives their fields random values, values of other
 * chunks, or extreme ones. Linked with every target except the reader's own.
 */
#include "test/fuzz/fuzz.h"
#include "test/unit/random_chunks.h"
#include "test/unit/support.h"

#include "format/chunks.h"

#include <math.h>
#include <string.h>

enum { CHUNKS_MOST = 2000, RUN_LONGEST = 40, STRING_BYTES = 1 << 20 };

/* The current profile. Its strings are copies, since those of the reader are valid only until the next chunk.
 */
static nytp_chunk chunks[CHUNKS_MOST + RUN_LONGEST];
static size_t chunk_count;
static nytp_str strings[2 * CHUNKS_MOST];
static size_t string_count;
static char string_bytes[STRING_BYTES];
static size_t string_bytes_used;

static uint64_t random_state;

static size_t below(size_t n)
{
    return random_next(&random_state) % n;
}

/* ---- taking a profile apart ---- */

static nytp_str keep(nytp_str s)
{
    if (s.length > STRING_BYTES - string_bytes_used)
        s.length = 0;
    char *copy = string_bytes + string_bytes_used;
    if (s.length > 0)
        memcpy(copy, s.bytes, s.length);
    string_bytes_used += s.length;
    s.bytes = copy;
    if (string_count < COUNT(strings))
        strings[string_count++] = s;
    return s;
}

/* Only strings have to be copied. */
#define KEEP_u32(member)
#define KEEP_i32(member)
#define KEEP_nv(member)
#define KEEP_absent(member)
#define KEEP_str(member)   c->member = keep(c->member);
#define KEEP(type, member) KEEP_##type(member)

static void keep_strings(nytp_chunk *c)
{
    switch (c->tag) {
#define CASE(name)                                                                                           \
    case NYTP_##name: NYTP_FIELDS_##name(KEEP) break;
        NYTP_BINARY_CHUNKS(CASE) /* NOLINT(bugprone-branch-clone): the chunks without strings */
#undef CASE
    case NYTP_COMMENT: c->comment.text = keep(c->comment.text); break;
    case NYTP_ATTRIBUTE:
    case NYTP_OPTION:
        c->attribute.key = keep(c->attribute.key);
        c->attribute.value = keep(c->attribute.value);
        break;
    default: break;
    }
}

static void keep_chunk(void *context, const nytp_chunk *chunk)
{
    (void)context;
    if (chunk_count == CHUNKS_MOST)
        return;
    chunks[chunk_count] = *chunk;
    keep_strings(&chunks[chunk_count++]);
}

/* ---- changes; the header stays first ---- */

static uint32_t other_u32(uint32_t value)
{
    static const uint32_t edges[] = {0, 1, 2, 3, 5, 127, 70000, INT32_MAX, UINT32_MAX};
    if (below(3) > 0)
        return value;
    return below(3) > 0 ? edges[below(COUNT(edges))] : value + (uint32_t)below(5) - 2;
}

static int32_t other_i32(int32_t value)
{
    return (int32_t)other_u32((uint32_t)value);
}

static double extreme_nv(void)
{
    static const double edges[] = {0,         1,    -1,    0.5,    1e-300,       9.3e18,       1e300,
                                   -1e300,    4e15, -4e15, 0x1p53, 2147483648.0, 4294967296.0, INFINITY,
                                   -INFINITY, NAN};
    return edges[below(COUNT(edges))];
}

static double other_nv(double value)
{
    if (below(3) > 0)
        return value;
    return below(3) > 0 ? extreme_nv() : value * (double)below(1000) / 100;
}

/* Returns numbers as attributes have them: up to five. */
static nytp_str extreme_numbers(void)
{
    char text[256];
    size_t length = 0;
    for (size_t n = 1 + below(5); n > 0; n--)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%.17g", length > 0 ? " " : "",
                                   below(2) > 0 ? extreme_nv() : (double)below(100));
    return keep((nytp_str){text, length, false});
}

static nytp_str other_str(nytp_str value)
{
    return below(2) == 0 && string_count > 0 ? strings[below(string_count)] : value;
}

/* Returns one that can stand in a line of text. */
static nytp_str other_text(nytp_str value, const char *without)
{
    const nytp_str other = other_str(value);
    for (size_t i = 0; i < other.length; i++)
        if (strchr(without, other.bytes[i]) != NULL)
            return value;
    return other;
}

static nytp_str other_absent(nytp_str value)
{
    return value;
}

/* Gives some of the fields other values. */
#define ALTER(type, member) c->member = other_##type(c->member);

static void alter(nytp_chunk *c)
{
    switch (c->tag) {
#define CASE(name)                                                                                           \
    case NYTP_##name: NYTP_FIELDS_##name(ALTER) break;
        NYTP_BINARY_CHUNKS(CASE)
#undef CASE
    case NYTP_ATTRIBUTE:
    case NYTP_OPTION:
        if (below(4) == 0)
            c->attribute.key = other_text(c->attribute.key, "\n=");
        c->attribute.value = below(2) > 0 ? extreme_numbers() : other_text(c->attribute.value, "\n");
        break;
    default: break;
    }
}

static void remove_run(size_t at, size_t run)
{
    memmove(chunks + at, chunks + at + run, (chunk_count - at - run) * sizeof *chunks);
    chunk_count -= run;
}

static void insert_run(size_t at, const nytp_chunk *from, size_t run)
{
    nytp_chunk copies[RUN_LONGEST];
    memcpy(copies, from, run * sizeof *copies);
    memmove(chunks + at + run, chunks + at, (chunk_count - at) * sizeof *chunks);
    memcpy(chunks + at, copies, run * sizeof *copies);
    chunk_count += run;
}

static void change(void)
{
    size_t at = 1 + below(chunk_count - 1), other = 1 + below(chunk_count - 1);
    size_t left = chunk_count - at, run = 1 + below(left < RUN_LONGEST ? left : RUN_LONGEST);
    bool fits = chunk_count < CHUNKS_MOST;
    nytp_chunk made = random_chunk(), swapped = chunks[at];
    switch (below(6)) {
    case 0: remove_run(at, run); break;
    case 1: insert_run(other, chunks + at, fits ? run : 0); break;
    case 2:
        chunks[at] = chunks[other];
        chunks[other] = swapped;
        break;
    case 3:
        alter(&made);
        insert_run(at, &made, fits ? 1 : 0);
        break;
    default: alter(&chunks[at]);
    }
}

/* ---- putting it together ---- */

static memory written(void)
{
    memory m = {0};
    nytp_writer *writer = nytp_writer_new(nytp_sink_callback(memory_write, &m, "memory"), 1);
    bool compressed = below(4) > 0; /* if it was */
    for (size_t i = 0; i < chunk_count; i++) {
        bool deflate = chunks[i].tag == NYTP_START_DEFLATE;
        if (!deflate || compressed)
            nytp_writer_chunk(writer, &chunks[i]);
        compressed = compressed && !deflate;
    }
    nytp_writer_finish(writer);
    nytp_writer_free(writer);
    return m;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    random_state = random_chunks_seed = seed;
    chunk_count = string_count = string_bytes_used = 0;
    random_chunks_begin();
    if (below(2) == 0)
        fuzz_read_chunks(data, size, NYTP_ALL_TAGS, keep_chunk, NULL);
    if (chunk_count < 2)
        return LLVMFuzzerMutate(data, size, max_size);
    for (size_t n = 1 + below(4); n > 0 && chunk_count > 1; n--)
        change();
    memory m = written();
    if (m.size == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    size = m.size <= max_size ? m.size : max_size;
    memcpy(data, m.data, size);
    memory_free(&m);
    return size;
}
