/* A process whose memory was made to keep its reader busy: a sample of it reads no more than it may. Skipped
 * where the system forbids to read other processes. */
#include "test/unit/perl_image.h"
#include "test/unit/support.h"

#include <string.h>

enum {
    MAX_DEPTH = 1000,
    MOST_READS = 400 * 1000,
    MOST_BYTES = 400 << 20,
    CONTEXTS = 40 * 1000 * 1000, /* that the stack claims to have */
};

#define CONTEXT_BASE UINT64_C(0x100000000000)
#define OP_BASE      UINT64_C(0x200000000000)
#define OP_STRIDE    UINT64_C(0x10000)
#define OPS          UINT64_C(0x10000000)

/* The image, and beyond it millions of contexts: evals, each done by a statement of its own, and a sub, so
 * that the evals go on for sure. Ops lead to other ops, each in a page of its own. */
typedef struct hostile {
    perl_image *image;
    sampler_memory honest;
    uint32_t nextstate;
    uint64_t reads, bytes;
} hostile;

static uint64_t op_after(uint64_t number)
{
    number *= UINT64_C(0x9E3779B97F4A7C15);
    return OP_BASE + (number >> 32) % OPS * OP_STRIDE;
}

/* The 8 bytes at an address that is a multiple of 8. */
static uint64_t word_at(const hostile *h, uint64_t address)
{
    const sampler_layout *l = &h->image->interpreter.layout;
    if (address >= OP_BASE)
        return address % OP_STRIDE == l->op_type ? h->nextstate : op_after(address);
    const uint64_t at = (address - CONTEXT_BASE) % l->cx_size;
    const bool is_last = (address - CONTEXT_BASE) / l->cx_size == CONTEXTS - 1;
    if (at == l->cx_kind)
        return is_last ? l->cx_kind_sub : l->cx_kind_eval;
    return op_after(address);
}

static void read_hostile(const hostile *h, const sampler_piece *piece)
{
    for (size_t n = 0; n < piece->size; n++) {
        const uint64_t address = piece->address + n, word = word_at(h, address / 8 * 8);
        ((unsigned char *)piece->to)[n] = (unsigned char)(word >> address % 8 * 8);
    }
}

static int read_pieces(void *context, const sampler_piece *pieces, int count)
{
    hostile *h = context;
    for (int n = 0; n < count; n++) {
        h->reads++;
        h->bytes += pieces[n].size;
        if (pieces[n].address >= CONTEXT_BASE && pieces[n].address < OP_BASE + OPS * OP_STRIDE)
            read_hostile(h, &pieces[n]);
        else if (h->honest.read(h->honest.context, &pieces[n], 1) != 1)
            return n;
    }
    return count;
}

static void a_sample_has_a_budget(void **state)
{
    perl_image *image = perl_image_new("syswrite STDOUT, 'x'; sleep 1000");
    (void)state;
    if (image->why_forbidden != NULL) {
        const char *why = image->why_forbidden;
        perl_image_free(image);
        skip_because(why);
    }
    sampler_interpreter *i = &image->interpreter;
    const sampler_layout *l = &i->layout;
    hostile h = {.image = image, .honest = i->memory};
    sampler_optypes types;
    assert_true(sampler_optypes_read(&types, i));
    h.nextstate = types.nextstate;
    sampler_optypes_clear(&types);

    uint64_t stack = sampler_memory_pointer(&i->memory, i->at.curstackinfo);
    assert_true(sampler_stackinfo_read(i, stack, &(sampler_stackinfo){0}));
    const int32_t last = CONTEXTS - 1;
    const uint64_t contexts = CONTEXT_BASE;
    memcpy(perl_image_at(image, stack + l->si_cxix), &last, sizeof last);
    memcpy(perl_image_at(image, stack + l->si_cxmax), &last, sizeof last);
    memcpy(perl_image_at(image, stack + l->si_cxstack), &contexts, sizeof contexts);
    i->memory = (sampler_memory){read_pieces, &h};

    nytp_strings *strings = nytp_strings_new();
    sampler_stacks *stacks = sampler_stacks_new(i, strings, MAX_DEPTH);
    sampler_stack taken = {0};
    assert_non_null(stacks);
    for (int samples = 0; samples < 2; samples++) {
        h.reads = h.bytes = 0;
        assert_int_not_equal(sampler_stacks_take(stacks, &taken), SAMPLER_GONE);
        assert_in_range(h.reads, 1, MOST_READS);
        assert_in_range(h.bytes, 1, MOST_BYTES);
    }
    sampler_stack_clear(&taken);
    sampler_stacks_free(stacks);
    nytp_strings_free(strings);
    perl_image_free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_sample_has_a_budget)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
