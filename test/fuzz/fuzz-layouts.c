/* Tables of layouts, and stacks that are read by them. The table is the input as text, or a good table in
 * which the input changes numbers. The memory is made of the input, too: most of it leads to other places of
 * it. */
#include "sampler/perl/layout.h"
#include "sampler/sampler.h"
#include "test/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 30, SAMPLES = 3, SPREAD = 1 << 20, STRIDE = 128 };

/* Where what is. Most of it has the usual layout. */
#define MEMORY   UINT64_C(0x10000000) /* of the interpreter, and anything */
#define NAMES    UINT64_C(0x20000000) /* an array of pointers to names of ops */
#define TEXTS    UINT64_C(0x30000000)
#define STACK    UINT64_C(0x40000000) /* perl's stack of stacks */
#define CONTEXTS UINT64_C(0x50000000)
#define COPS     UINT64_C(0x60000000)
#define HEADS    UINT64_C(0x70000000) /* of SVs */
#define END      UINT64_C(0x80000000)

static const char *const fields[] = {
#define NAME(name, value) #name,
    SAMPLER_LAYOUT_FIELDS(NAME) SAMPLER_LAYOUT_LATER_FIELDS(NAME)
#undef NAME
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

/* Of perl 5.36 with threads, in their order; fields that come after them get the last number. */
static const uint32_t usual[] = {
    1,          8,          8,          208,      224, 16,  192, 1800, 1808,  2608, 2616, 1472, 1424,
    2100,       2512,       6,          56,       0,   8,   16,  32,   36,    44,   3,    104,  0,
    15,         9,          10,         11,       32,  128, 128, 2,    7,     16,   72,   80,   72,
    24,         0,          12,         16,       255, 13,  9,   12,   11,    256,  512,  1024, 2048,
    2147483648, 536870912,  1048576,    33554432, 16,  32,  40,  0,    8,     16,   24,   32,   0,
    28,         4,          8,          1,        2,   40,  32,  16,   104,   32,   40,   48,   56,
    88,         92,         72,         32768,    128, 64,  8,   8,    0,     88,   36,   60,   48,
    40,         UINT32_MAX, UINT32_MAX, 0,        8,   32,  511, 32,   16384, 34,   4,    40,   40,
    40,         414,        0,          24,       40,  0,   8,   16};

typedef struct fuzzed {
    uint64_t seed, disorder;       /* disorder: one word in so many leads anywhere */
    uint64_t curcop, curstackinfo; /* addresses of these variables */
} fuzzed;

static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xBF58476D1CE4E5B9);
    x ^= x >> 27;
    x *= UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

enum { NULL_OP, NEXTSTATE, ENTERSUB };

static uint64_t text_word(uint64_t address)
{
    static const char *const texts[] = {"null",  "nextstate", "entersub", "gv",      "rv2cv",
                                        "sleep", "entereval", "require",  "dbstate", "method_named"};
    char text[STRIDE + 8] = "";
    uint64_t word;
    snprintf(text, sizeof text, "%s", texts[(address - TEXTS) / STRIDE % (sizeof texts / sizeof *texts)]);
    memcpy(&word, text + address % STRIDE, sizeof word);
    return word;
}

static uint64_t context_word(uint64_t offset, uint64_t random)
{
    switch (offset) {
    case 0: return 8 + random % 4; /* a block, a sub, a format, an eval */
    case 16: return COPS + random % 50 * STRIDE;
    case 72: return HEADS + random % 50 * STRIDE;
    default: return random % 4;
    }
}

static uint64_t cop_word(uint64_t offset, uint64_t random)
{
    switch (offset) {
    case 8: return random % 2 != 0 ? COPS + random % 50 * STRIDE : 0;
    case 32: return NEXTSTATE | (random % 1000) << 32;
    case 48: return TEXTS + random % 10 * STRIDE;
    default: return random % 16;
    }
}

/* The 8 bytes at an address that is a multiple of 8. */
static uint64_t word_at(const fuzzed *f, uint64_t address)
{
    static const uint64_t stack[] = {HEADS, CONTEXTS, 0, 0, 5 | UINT64_C(20) << 32, UINT64_C(1) << 32, 0};
    const uint64_t random = mix(address ^ f->seed), offset = address % STRIDE;
    const uint64_t anywhere = MEMORY + (random >> 8) % (END - MEMORY) / 8 * 8;
    if (address >= NAMES && address < TEXTS)
        return TEXTS + (address - NAMES) / 8 % 10 * STRIDE;
    if (address >= TEXTS && address < STACK)
        return text_word(address);
    if (address == f->curstackinfo)
        return STACK;
    if (address == f->curcop)
        return COPS + random % 50 * STRIDE;
    if (random % f->disorder == 0)
        return random % 3 == 0 ? random : anywhere;
    if (address >= STACK && address < CONTEXTS)
        return stack[(address - STACK) / 8 % (sizeof stack / sizeof *stack)];
    if (address >= CONTEXTS && address < COPS)
        return context_word((address - CONTEXTS) % 104 / 8 * 8, random);
    if (address >= COPS && address < HEADS)
        return cop_word(offset, random);
    if (address >= HEADS)
        return offset == 8 ? (9 + random % 5) << 32 : anywhere;
    return anywhere;
}

static int read_pieces(void *context, const sampler_piece *pieces, int count)
{
    for (int i = 0; i < count; i++) {
        if (pieces[i].address < MEMORY || pieces[i].address >= END)
            return i;
        uint8_t *to = pieces[i].to;
        uint64_t word = 0;
        for (size_t n = 0; n < pieces[i].size; n++) {
            const uint64_t address = pieces[i].address + n;
            if (n == 0 || address % 8 == 0)
                word = word_at(context, address / 8 * 8);
            to[n] = (uint8_t)(word >> address % 8 * 8);
        }
    }
    return count;
}

static void use_value(void *context, const char *text, size_t length, bool is_string)
{
    (void)is_string;
    *(size_t *)context += length + (text[length] == '\0');
}

static void use_stack(const sampler_interpreter *i, const nytp_strings *strings, const sampler_stack *stack)
{
    size_t length, bytes = 0;
    for (size_t n = 0; n < stack->count; n++) {
        const sampler_frame *frame = &stack->frames[n];
        if (frame->name != SAMPLER_NO_STRING)
            must(nytp_strings_get(strings, frame->name, &length) != NULL);
        if (frame->file != SAMPLER_NO_STRING)
            must(nytp_strings_get(strings, frame->file, &length) != NULL);
        if (frame->kind == SAMPLER_FRAME_SUB)
            sampler_values_of(i, frame, use_value, &bytes);
    }
}

static void sample(const sampler_layout *layout, uint64_t seed)
{
    fuzzed f = {.seed = seed, .disorder = 2 + seed % 60};
    sampler_interpreter i = {
        .memory = {read_pieces, &f}, .layout = *layout, .op_names = NAMES, .address = MEMORY};
    uint64_t *variables = (uint64_t *)(void *)&i.at;
    for (size_t n = 0; n < sizeof i.at / sizeof *variables; n++)
        variables[n] = MEMORY + 8 * n;
    f.curcop = i.at.curcop;
    f.curstackinfo = i.at.curstackinfo;
    nytp_strings *strings = nytp_strings_new();
    sampler_stacks *stacks = sampler_stacks_new(&i, strings, MAX_DEPTH);
    sampler_stack stack = {0};
    sampler_interpreter_verify(&i);
    for (int n = 0; stacks != NULL && n < SAMPLES; n++) {
        if (sampler_stacks_take(stacks, &stack) == SAMPLER_TAKEN)
            use_stack(&i, strings, &stack);
        f.seed = n % 2 == 0 ? f.seed : mix(f.seed);
    }
    sampler_stack_clear(&stack);
    sampler_stacks_free(stacks);
    nytp_strings_free(strings);
}

static void read_table(const char *text, size_t size, uint64_t seed)
{
    sampler_layout layout;
    const char *why = NULL;
    FILE *table = size > 0 ? fmemopen((char *)(uintptr_t)text, size, "r") : NULL;
    if (table == NULL)
        return;
    const bool good = sampler_layout_parse(&layout, table, &why);
    fclose(table);
    must(good == (why == NULL));
    if (good)
        sample(&layout, seed);
}

/* Each 6 bytes of the input are a field, what becomes of its number, and a number. */
static void change_numbers(uint32_t *numbers, const uint8_t *data, size_t size)
{
    for (size_t at = 0; at + 6 <= size; at += 6) {
        uint32_t number;
        memcpy(&number, data + at + 2, sizeof number);
        uint32_t *one = &numbers[data[at] % FIELDS];
        switch (data[at + 1] % 4) {
        case 0: *one = number; break;
        case 1: *one += number % 64; break;
        case 2: *one = numbers[number % FIELDS]; break;
        default: *one = number % 16; break;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t seed = 0;
    uint32_t numbers[FIELDS];
    char *text = NULL;
    size_t length;
    memcpy(&seed, data, size < sizeof seed ? size : sizeof seed);
    read_table((const char *)data, size, seed);
    for (size_t n = 0; n < FIELDS; n++)
        numbers[n] = usual[n < sizeof usual / sizeof *usual ? n : sizeof usual / sizeof *usual - 1];
    if (size > sizeof seed)
        change_numbers(numbers, data + sizeof seed, size - sizeof seed);
    FILE *table = open_memstream(&text, &length);
    must(table != NULL);
    fprintf(table, "perl 5.36.0\noptions MULTIPLICITY\n");
    for (size_t n = 0; n < FIELDS; n++)
        fprintf(table, numbers[n] == UINT32_MAX ? "%s -\n" : "%s %u\n", fields[n], (unsigned)numbers[n]);
    fclose(table);
    read_table(text, length, seed);
    free(text);
    return 0;
}
