/* Writes a profile of any number of calls, uncompressed, as fast as a pipe takes it.
 *
 *   generate-calls CALLS >profile
 *
 * The program is made up: a tree of a few hundred distinct stacks of a few dozen subs. It runs for a while
 * with varying turns and ticks. That gives a stretch of the stream, which is then written again and again.
 * The profile is valid from its header to the end of its process, and the same on every run.
 */
#include "nytprof.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUBS = 48, STACKS = 700, DEEPEST = 16, CHILDREN = 4, STRETCH_CALLS = 100000 };

/* One distinct stack. */
typedef struct stack {
    unsigned sub, depth, child_count;
    unsigned children[CHILDREN]; /* in stacks */
} stack;

typedef struct generator {
    nytp_writer *writer;
    stack stacks[STACKS];
    unsigned stack_count;
    uint64_t random;
    uint64_t calls;
    unsigned char *bytes; /* of the stream, up to now */
    size_t size, room;
} generator;

/* Knuth's MMIX constants. */
static unsigned random_below(generator *g, unsigned limit)
{
    g->random = g->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(g->random >> 33) % limit;
}

static int append(void *context, const void *data, size_t size)
{
    generator *g = context;
    if (g->size + size > g->room) {
        g->room = (g->size + size) * 2;
        g->bytes = realloc(g->bytes, g->room);
        if (g->bytes == NULL)
            return -ENOMEM;
    }
    memcpy(g->bytes + g->size, data, size);
    g->size += size;
    return 0;
}

static nytp_str name_of_sub(unsigned sub, char text[64])
{
    static const char *const packages[] = {"Shop::Cart",           "Shop::Catalogue::Index", "Shop::Template",
                                           "Shop::Parser::Tokens", "Shop::Store::Row",       "Shop::Log"};
    static const char *const verbs[] = {
        "new",           "fetch_all", "render",      "_next_token", "as_string", "lookup",
        "validate_line", "_escape",   "price_total", "DESTROY_row", "each_item", "__ANON__[Shop.pm:88]"};
    int length = snprintf(text, 64, "%s::%s", packages[sub % 6], verbs[sub / 6 % 12]);
    return (nytp_str){text, (size_t)length, false};
}

/* Gives each stack in turn up to CHILDREN stacks above it, each only once. */
static void make_stacks(generator *g)
{
    g->stacks[0] = (stack){.sub = 0, .depth = 1};
    g->stack_count = 1;
    for (unsigned i = 0; i < g->stack_count; i++) {
        stack *s = &g->stacks[i];
        unsigned wanted = s->depth == DEEPEST ? 0 : 1 + random_below(g, s->depth < 4 ? CHILDREN : 2);
        unsigned first = random_below(g, SUBS);
        for (unsigned k = 0; k < wanted && g->stack_count < STACKS; k++) {
            s->children[s->child_count++] = g->stack_count;
            g->stacks[g->stack_count++] = (stack){.sub = (first + k * 7) % SUBS, .depth = s->depth + 1};
        }
    }
}

static void put(generator *g, const nytp_chunk *chunk)
{
    if (nytp_writer_chunk(g->writer, chunk) != NYTP_OK) {
        fprintf(stderr, "generate-calls: %s\n", nytp_writer_error(g->writer)->message);
        exit(1);
    }
}

/* Runs one call and the calls that it makes, innermost first in the stream. Returns its inclusive ticks. */
static double run_call(generator *g, const stack *s)
{
    double excl_ticks = 3 + random_below(g, 1u << random_below(g, 12)), incl_ticks = excl_ticks;
    for (unsigned k = 0; k < s->child_count; k++)
        for (unsigned turns = random_below(g, s->depth < 3 ? 6 : 3); turns > 0; turns--)
            incl_ticks += run_call(g, &g->stacks[s->children[k]]);
    char text[64];
    put(g, &(nytp_chunk){
               .tag = NYTP_SUB_RETURN,
               .sub_return = {s->depth, incl_ticks, excl_ticks, name_of_sub(s->sub, text)},
           });
    g->calls++;
    return incl_ticks;
}

static void put_header(generator *g)
{
    static const char ticks[] = "ticks_per_sec", rate[] = "10000000", file[] = "/srv/shop/Shop.pm";
    put(g, &(nytp_chunk){.tag = NYTP_VERSION, .version = {5, 0}});
    put(g, &(nytp_chunk){
               .tag = NYTP_ATTRIBUTE,
               .attribute = {{ticks, sizeof ticks - 1, false}, {rate, sizeof rate - 1, false}},
           });
    put(g, &(nytp_chunk){.tag = NYTP_PID_START, .pid_start = {4711, 1, 1.7e9}});
    put(g, &(nytp_chunk){
               .tag = NYTP_NEW_FID,
               .new_fid = {.fid = 1, .flags = NYTP_FID_VIA_SUB, .name = {file, sizeof file - 1, false}},
           });
}

static void write_all(const unsigned char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = write(STDOUT_FILENO, bytes, size);
        if (n < 0 && errno != EINTR) {
            perror("generate-calls");
            exit(1);
        }
        if (n > 0) {
            bytes += n;
            size -= (size_t)n;
        }
    }
}

/* Flushes the writer. Returns the position in the stream. */
static size_t settle(generator *g)
{
    if (nytp_writer_flush(g->writer) != NYTP_OK)
        exit(1);
    return g->size;
}

int main(int argc, char **argv)
{
    static generator g = {.random = 20130401};
    uint64_t wanted = argc == 2 ? strtoull(argv[1], NULL, 10) : 0, calls = 0;
    g.writer = nytp_writer_new(nytp_sink_callback(append, &g, "the stream"), 6);
    if (wanted == 0 || g.writer == NULL) {
        fputs("usage: generate-calls CALLS >profile\n", stderr);
        return 2;
    }
    make_stacks(&g);
    put_header(&g);
    size_t header = settle(&g);
    while (g.calls < STRETCH_CALLS)
        run_call(&g, &g.stacks[0]);
    size_t stretch = settle(&g);
    put(&g, &(nytp_chunk){.tag = NYTP_PID_END, .pid_end = {4711, 1.7e9 + 60}});
    if (nytp_writer_finish(g.writer) != NYTP_OK)
        return 1;

    fcntl(STDOUT_FILENO, F_SETPIPE_SZ, 1 << 20); /* fails for a file, which does not matter */
    write_all(g.bytes, header);
    for (; calls < wanted; calls += g.calls)
        write_all(g.bytes + header, stretch - header);
    write_all(g.bytes + stretch, g.size - stretch);
    fprintf(stderr, "%" PRIu64 "\n", calls);
    nytp_writer_free(g.writer);
    free(g.bytes);
    return 0;
}
