#include "dynblock.h"

#include <stdlib.h>
#include <string.h>

enum { LENGTH_CODES = 19, END_OF_BLOCK = 256, MOST_BITS = 15, MOST_LENGTH_BITS = 7 };

/* A Huffman code: what each symbol is written as. */
typedef struct code {
    uint16_t bits[NYTP_LITERALS]; /* the first one in the lowest place */
    uint8_t lengths[NYTP_LITERALS];
} code;

/* ---- lengths ---- */

typedef struct node {
    uint32_t weight;
    uint16_t symbol; /* of a leaf */
    uint16_t parent;
} node;

static int by_weight(const void *a, const void *b)
{
    const node *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    return (int)x->symbol - (int)y->symbol;
}

/* Joins the two lightest until one is left, which is the last node. Joined nodes come in the order of their
 * weights, so they are a queue beside that of the leaves. */
static unsigned join(node *nodes, unsigned leaves)
{
    unsigned leaf = 0, joined = leaves, end = leaves;
    while (end < 2 * leaves - 1) {
        uint32_t weight = 0;
        for (int i = 0; i < 2; i++) {
            const bool take_leaf =
                leaf < leaves && (joined == end || nodes[leaf].weight <= nodes[joined].weight);
            node *lightest = &nodes[take_leaf ? leaf++ : joined++];
            lightest->parent = (uint16_t)end;
            weight += lightest->weight;
        }
        nodes[end++].weight = weight;
    }
    return end - 1;
}

/* The longest. */
static unsigned set_lengths(const node *nodes, unsigned leaves, unsigned root, uint8_t *lengths)
{
    uint8_t depths[2 * NYTP_LITERALS];
    unsigned longest = 0;
    depths[root] = 0;
    for (unsigned n = root; n-- > 0;) {
        depths[n] = (uint8_t)(depths[nodes[n].parent] + 1);
        if (n < leaves) {
            lengths[nodes[n].symbol] = depths[n];
            longest = depths[n] > longest ? depths[n] : longest;
        }
    }
    return longest;
}

/* Lengths of at most so many bits: where the tree is deeper, weights are made more alike. A symbol that is
 * needed has one bit at least, and there are two of them: inflaters may want a whole code. */
static void make_lengths(const uint32_t *weights, unsigned symbols, unsigned most_bits, uint8_t *lengths)
{
    node nodes[2 * NYTP_LITERALS];
    for (unsigned shift = 0;; shift++) {
        unsigned leaves = 0;
        memset(lengths, 0, symbols);
        for (unsigned s = 0; s < symbols; s++)
            if (weights[s] > 0)
                nodes[leaves++] = (node){(weights[s] >> shift) + 1, (uint16_t)s, 0};
        for (unsigned s = 0; leaves < 2; s++)
            if (weights[s] == 0)
                nodes[leaves++] = (node){0, (uint16_t)s, 0};
        qsort(nodes, leaves, sizeof *nodes, by_weight);
        if (set_lengths(nodes, leaves, join(nodes, leaves), lengths) <= most_bits)
            return;
    }
}

/* ---- codes ---- */

static uint16_t reversed(unsigned value, unsigned count)
{
    unsigned result = 0;
    for (unsigned i = 0; i < count; i++)
        result |= (value >> i & 1) << (count - 1 - i);
    return (uint16_t)result;
}

/* RFC 1951, 3.2.2. */
static void make_code(code *c, const uint32_t *weights, unsigned symbols, unsigned most_bits)
{
    unsigned of_length[MOST_BITS + 1] = {0}, next[MOST_BITS + 2] = {0};
    make_lengths(weights, symbols, most_bits, c->lengths);
    for (unsigned s = 0; s < symbols; s++)
        of_length[c->lengths[s]]++;
    of_length[0] = 0;
    for (unsigned length = 1; length <= MOST_BITS; length++)
        next[length + 1] = (next[length] + of_length[length]) << 1;
    for (unsigned s = 0; s < symbols; s++)
        if (c->lengths[s] > 0)
            c->bits[s] = reversed(next[c->lengths[s]]++, c->lengths[s]);
}

/* ---- the header: lengths, run-length coded, in a code of their own ---- */

typedef struct runs {
    uint8_t symbols[NYTP_LITERALS + NYTP_DISTANCES], extra[NYTP_LITERALS + NYTP_DISTANCES];
    unsigned count;
    uint32_t weights[LENGTH_CODES];
} runs;

static void add_run(runs *r, unsigned symbol, unsigned extra)
{
    r->symbols[r->count] = (uint8_t)symbol;
    r->extra[r->count++] = (uint8_t)extra;
    r->weights[symbol]++;
}

static void find_runs(runs *r, const uint8_t *lengths, unsigned count)
{
    for (unsigned i = 0, same; i < count; i += same) {
        for (same = 1; i + same < count && lengths[i + same] == lengths[i]; same++)
            ;
        if (lengths[i] == 0 && same >= 11)
            add_run(r, 18, (same = same < 138 ? same : 138) - 11);
        else if (lengths[i] == 0 && same >= 3)
            add_run(r, 17, same - 3);
        else if (i > 0 && lengths[i] == lengths[i - 1] && same >= 3)
            add_run(r, 16, (same = same < 6 ? same : 6) - 3);
        else
            add_run(r, lengths[i], (same = 1) - 1);
    }
}

static unsigned used_of(const uint8_t *lengths, unsigned count, unsigned least)
{
    while (count > least && lengths[count - 1] == 0)
        count--;
    return count;
}

static void write_header(nytp_bits *bits, const code *literals, const code *distances, bool last)
{
    static const uint8_t order[LENGTH_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                11, 4,  12, 3, 13, 2, 14, 1, 15};
    static const uint8_t extra_bits[LENGTH_CODES] = {[16] = 2, [17] = 3, [18] = 7};
    const unsigned literal_count = used_of(literals->lengths, NYTP_LITERALS, 257);
    const unsigned distance_count = used_of(distances->lengths, NYTP_DISTANCES, 1);
    uint8_t lengths[NYTP_LITERALS + NYTP_DISTANCES];
    unsigned length_count = LENGTH_CODES;
    runs r = {.count = 0};
    code c;
    memcpy(lengths, literals->lengths, literal_count);
    memcpy(lengths + literal_count, distances->lengths, distance_count);
    find_runs(&r, lengths, literal_count + distance_count);
    make_code(&c, r.weights, LENGTH_CODES, MOST_LENGTH_BITS);
    while (length_count > 4 && c.lengths[order[length_count - 1]] == 0)
        length_count--;
    nytp_bits_put(bits, (uint64_t)last | 2 << 1, 3);
    nytp_bits_put(bits, (literal_count - 257) | (distance_count - 1) << 5 | (length_count - 4) << 10, 14);
    for (unsigned i = 0; i < length_count; i++)
        nytp_bits_put(bits, c.lengths[order[i]], 3);
    for (unsigned i = 0; i < r.count; i++) {
        nytp_bits_put(bits, c.bits[r.symbols[i]], c.lengths[r.symbols[i]]);
        nytp_bits_put(bits, r.extra[i], extra_bits[r.symbols[i]]);
    }
}

/* ---- the block ---- */

/* At most 15 + 5 + 15 + 13 bits. */
static void write_match(nytp_bits *bits, const code *literals, const code *distances, uint32_t symbol)
{
    const unsigned length = symbol >> 16, distance = symbol & 0xFFFF;
    const unsigned l = nytp_length_code(length), d = nytp_distance_code(distance);
    const unsigned l_extra = l < 265 || l == 285 ? 0 : (l - 261) / 4, d_extra = d < 4 ? 0 : (d - 2) / 2;
    uint64_t value = literals->bits[l];
    unsigned count = literals->lengths[l];
    value |= (uint64_t)((length - NYTP_MATCH_LEAST) & ((1U << l_extra) - 1)) << count;
    count += l_extra;
    value |= (uint64_t)distances->bits[d] << count;
    count += distances->lengths[d];
    value |= (uint64_t)((distance - 1) & ((1U << d_extra) - 1)) << count;
    nytp_bits_put(bits, value, count + d_extra);
}

void nytp_block_write(nytp_dynblock *block, nytp_bits *bits, bool last)
{
    code literals, distances;
    block->literals[END_OF_BLOCK] = 1;
    make_code(&literals, block->literals, NYTP_LITERALS, MOST_BITS);
    make_code(&distances, block->distances, NYTP_DISTANCES, MOST_BITS);
    write_header(bits, &literals, &distances, last);
    for (uint32_t i = 0; i < block->count; i++) {
        const uint32_t symbol = block->symbols[i];
        if (symbol < 256)
            nytp_bits_put(bits, literals.bits[symbol], literals.lengths[symbol]);
        else
            write_match(bits, &literals, &distances, symbol);
    }
    nytp_bits_put(bits, literals.bits[END_OF_BLOCK], literals.lengths[END_OF_BLOCK]);
    block->count = 0;
    memset(block->literals, 0, sizeof block->literals);
    memset(block->distances, 0, sizeof block->distances);
}
