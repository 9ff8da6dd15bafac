/* nytp_read_events() is a faster nytp_reader_next(), and nothing else. */
#include "test/unit/chunk_text.h"
#include "test/unit/random_chunks.h"
#include "test/unit/support.h"

#include "format/reader.h"
#include "format/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS = 200, CHUNKS = 600 };

static uint64_t below(uint64_t limit)
{
    return random_next(&random_chunks_seed) % limit;
}

/* Names of all lengths; most are usual ones, and some have labels. */
static nytp_str likely_name(void)
{
    static const char span[] = "NYTProf::span GET /";
    static char name[300];
    memset(name, 'f', sizeof name);
    if (below(8) == 0)
        return (nytp_str){span, sizeof span - 1, false};
    return (nytp_str){name, below(4) == 0 ? below(sizeof name) : 7, below(8) == 0};
}

/* Depths of all lengths; most are usual ones. */
static nytp_chunk likely_return(void)
{
    return (nytp_chunk){.tag = NYTP_SUB_RETURN,
                        .sub_return = {(uint32_t)below(140), 2, (double)below(1000), likely_name()}};
}

/* Statements of all lengths; most are usual ones. Between them are calls and DISCOUNTs, and sometimes any
 * other chunk. */
static nytp_chunk likely_chunk(void)
{
    switch (below(16)) {
    case 0: return random_chunk();
    case 1:
    case 2:
        return (nytp_chunk){.tag = NYTP_SUB_ENTRY, .sub_entry = {.fid = 1, .line = (uint32_t)below(1000)}};
    case 3: return likely_return();
    case 4:
    case 5:
    case 6: return (nytp_chunk){.tag = NYTP_DISCOUNT};
    case 7:
        return (nytp_chunk){.tag = NYTP_TIME_BLOCK,
                            .time = {(int32_t)below(140), (uint32_t)below(140), (uint32_t)below(17000),
                                     (uint32_t)below(17000), (uint32_t)below(200)}};
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

static void print_statement(void *out, nytp_statement s)
{
    fprintf(out, "%u:%u %d ticks, %u", s.fid, s.line, s.ticks, s.executions);
    fprintf(out, s.has_block ? ", block %u, sub %u\n" : "\n", s.block_line, s.sub_line);
}

static void print_return(void *out, const nytp_return *r)
{
    fprintf(out, "%u: %g of %g ticks, %.*s%s\n", r->depth, r->excl_ticks, r->incl_ticks, (int)r->name.length,
            r->name.bytes, r->name.utf8 ? ", UTF-8" : "");
}

/* Applies a DISCOUNT as nytp_profile_add() does. */
static void tell_chunk(FILE *out, const nytp_chunk *chunk, bool *discounted)
{
    if (chunk->tag == NYTP_DISCOUNT) {
        *discounted = true;
    } else if (chunk->tag == NYTP_TIME_LINE || chunk->tag == NYTP_TIME_BLOCK) {
        print_statement(out, nytp_get_statement(chunk, !*discounted));
        *discounted = false;
    } else if (chunk->tag == NYTP_SUB_RETURN) {
        const nytp_return returned = nytp_get_return(chunk);
        print_return(out, &returned);
    } else {
        chunk_print(out, chunk);
    }
}

/* In which way the reader is called. */
typedef enum asking { FOR_CHUNKS, FOR_STATEMENTS, FOR_RETURNS, FOR_BOTH } asking;

typedef struct telling {
    FILE *out;
    asking how;
    bool discounted;
} telling;

static void tell_run(telling *t, nytp_reader *reader)
{
    const unsigned char *const before = reader->at;
    if ((t->how == FOR_STATEMENTS || t->how == FOR_BOTH) && !t->discounted) {
        size_t bytes = t->how == FOR_STATEMENTS
                           ? nytp_read_events(reader, print_statement, NULL, t->out)
                           : nytp_read_events(reader, print_statement, print_return, t->out);
        assert_int_equal(bytes, reader->at - before);
    } else if (t->how == FOR_RETURNS) {
        nytp_read_events(reader, NULL, print_return, t->out);
    }
}

/* Returns all that the reader delivers, and its end, as text. Frees the reader. */
static char *as_text(nytp_reader *reader, asking how)
{
    nytp_chunk chunk;
    char *text;
    size_t size;
    telling t = {.out = open_memstream(&text, &size), .how = how};
    int rc;
    do {
        tell_run(&t, reader);
        if ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
            tell_chunk(t.out, &chunk, &t.discounted);
    } while (rc == NYTP_OK);
    fprintf(t.out, "%d: %s\n%llu chunks\n", rc, nytp_reader_error(reader)->message,
            (unsigned long long)nytp_reader_chunks(reader));
    fclose(t.out);
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
    nytp_reader_set_tags(reader, wanted);
    return reader;
}

/* wanted: these tags by turns. */
static void compare_reading(asking how, const uint32_t wanted[2], bool drops_labels)
{
    size_t count;
    const way *all = ways(&count);
    const uint64_t streams = getenv("VALGRIND") != NULL ? STREAMS / 10 : STREAMS;
    for (uint64_t i = 0; i < streams; i++) {
        random_chunks_seed = 7100 + i;
        memory m = likely_stream();
        if (i % 3 == 0)
            m.size = m.size / 2 + below(m.size / 2); /* cut */
        nasty n;
        /* Both are read in the same way, since others may give a few more or fewer bytes of a cut stream. */
        const way how_read = all[i % count];
        char *texts[2];
        for (int pass = 0; pass < 2; pass++) {
            nytp_reader *reader = reader_of(&m, &n, how_read, wanted[i % 2]);
            if (drops_labels)
                assert_int_equal(nytp_reader_drop_labels(reader), 0);
            texts[pass] = as_text(reader, pass == 0 ? FOR_CHUNKS : how);
        }
        assert_string_equal(texts[1], texts[0]);
        free(texts[0]);
        free(texts[1]);
        memory_free(&m);
    }
}

static void compare(asking how, const uint32_t wanted[2])
{
    compare_reading(how, wanted, false);
}

static void statements_are_the_same_as_chunks(void **state)
{
    const uint32_t calls = nytp_tag_bit(NYTP_SUB_ENTRY) | nytp_tag_bit(NYTP_SUB_RETURN);
    (void)state;
    compare(FOR_STATEMENTS, (const uint32_t[]){NYTP_ALL_TAGS, NYTP_ALL_TAGS & ~calls});
}

static void both_are_the_same_as_chunks(void **state)
{
    (void)state;
    const uint32_t wanted[] = {NYTP_ALL_TAGS, NYTP_ALL_TAGS & ~nytp_tag_bit(NYTP_SUB_ENTRY)};
    compare(FOR_BOTH, wanted);
    compare_reading(FOR_BOTH, wanted, true);
}

static void returns_are_the_same_as_chunks(void **state)
{
    const uint32_t times =
        nytp_tag_bit(NYTP_TIME_LINE) | nytp_tag_bit(NYTP_TIME_BLOCK) | nytp_tag_bit(NYTP_DISCOUNT);
    (void)state;
    compare(FOR_RETURNS, (const uint32_t[]){NYTP_ALL_TAGS, NYTP_ALL_TAGS & ~times});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(statements_are_the_same_as_chunks),
                                       cmocka_unit_test(both_are_the_same_as_chunks),
                                       cmocka_unit_test(returns_are_the_same_as_chunks)};
    return cmocka_run_group_tests_name("runs", tests, NULL, NULL);
}
