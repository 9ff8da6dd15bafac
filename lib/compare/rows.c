/* Which of OLD is which of NEW, for each kind of what is compared. */
#include "compare/match.h"
#include "compare/comparison.h"
#include "model/grow.h"

#include <string.h>

/* Adds a side to the keys that its runs have. */
static void add_side(const GPtrArray *runs, enum nytp_compared kind, int side, uint8_t *sides)
{
    for (guint i = 0; i < runs->len; i++) {
        const GArray *of = ((const nytp_run *)g_ptr_array_index(runs, i))->of[kind];
        for (guint key = 0; key < of->len; key++) {
            const nytp_measured *m = &g_array_index(of, nytp_measured, key);
            if (m->count != 0 || m->excl != 0 || m->incl != 0)
                sides[key] |= (uint8_t)(1 << side);
        }
    }
}

/* Returns, by key, the sides that have it. */
static uint8_t *sides_of(const nytp_comparison *c, enum nytp_compared kind)
{
    uint8_t *sides = g_new0(uint8_t, nytp_keys_count(&c->keys, kind) + 1);
    NYTP_EACH_SIDE(side) {
        add_side(c->runs[side], kind, side, sides);
        add_side(c->others[side], kind, side, sides);
    }
    return sides;
}

/* Matches pairs: those of both sides that are the same pair of what is already matched. */
typedef struct pairing {
    nytp_pairs joined; /* of rows */
    GArray *rows;
} pairing;

static void pairing_init(pairing *p)
{
    nytp_pairs_init(&p->joined);
    p->rows = NYTP_ARRAY(nytp_match);
}

/* Returns the rows, which the caller owns. */
static GArray *pairing_end(pairing *p)
{
    nytp_pairs_clear(&p->joined);
    return p->rows;
}

static uint32_t join(pairing *p, nytp_pair pair, int side, uint32_t key)
{
    const uint32_t row = nytp_pairs_intern(&p->joined, pair);
    if (row == p->rows->len) {
        const nytp_match alone = {{NYTP_NO_KEY, NYTP_NO_KEY}, 0, NULL};
        g_array_append_val(p->rows, alone);
    }
    g_array_index(p->rows, nytp_match, row).key[side] = key;
    return row;
}

enum { GONE = INT32_MAX };

/* For each row of files, the new line of each old one, if both sides have the text of the file and it
 * differs; else NULL. */
typedef struct moved_lines {
    uint32_t **new_of;
    const GArray **old_text;
    guint count;
} moved_lines;

static GArray *text_of(const nytp_comparison *c, int side, uint32_t key)
{
    return key < c->text[side]->len ? c->text[side]->pdata[key] : NULL;
}

static void moved_lines_init(moved_lines *moved, nytp_comparison *c)
{
    const GArray *files = nytp_comparison_rows(c, NYTP_COMPARE_FILES);
    *moved =
        (moved_lines){g_new0(uint32_t *, files->len + 1), g_new0(const GArray *, files->len + 1), files->len};
    for (guint i = 0; i < files->len; i++) {
        const uint32_t *key = g_array_index(files, nytp_match, i).key;
        const GArray *old = text_of(c, NYTP_OLD, key[NYTP_OLD]), *new = text_of(c, NYTP_NEW, key[NYTP_NEW]);
        if (old == NULL || new == NULL)
            continue;
        moved->old_text[i] = old;
        moved->new_of[i] = nytp_align((const uint64_t *)(const void *)old->data, old->len,
                                      (const uint64_t *)(const void *)new->data, new->len);
    }
}

static void moved_lines_clear(moved_lines *moved)
{
    for (guint i = 0; i < moved->count; i++)
        g_free(moved->new_of[i]);
    g_free(moved->new_of);
    g_free(moved->old_text);
}

/* Returns the number of the line in NEW. A line that is gone has a number that no line of NEW has. */
static uint32_t joined_line(const moved_lines *moved, int side, uint32_t file_row, uint32_t line)
{
    const GArray *old = side == NYTP_OLD && file_row < moved->count ? moved->old_text[file_row] : NULL;
    if (old == NULL || line == 0 || line > old->len)
        return line;
    const uint32_t new = moved->new_of[file_row][line - 1];
    return new != NYTP_NO_LINE ? new + 1 : (uint32_t)GONE + line;
}

static GArray *match_lines(nytp_comparison *c, const uint8_t *sides)
{
    pairing p;
    moved_lines moved;
    moved_lines_init(&moved, c);
    pairing_init(&p);
    NYTP_EACH_SIDE(side) {
        const uint32_t *file_row = nytp_comparison_row_of(c, NYTP_COMPARE_FILES, side);
        for (uint32_t key = 0; key < c->keys.lines.count; key++) {
            const nytp_pair line = nytp_pairs_get(&c->keys.lines, key);
            if ((sides[key] & 1 << side) != 0)
                join(&p,
                     (nytp_pair){file_row[line.first],
                                 joined_line(&moved, side, file_row[line.first], line.second)},
                     side, key);
        }
    }
    moved_lines_clear(&moved);
    return pairing_end(&p);
}

/* A stack comes after the one that it is below, so that one has a row already. */
static GArray *match_stacks(nytp_comparison *c, const uint8_t *sides)
{
    const uint32_t count = c->keys.stacks.count;
    pairing p;
    g_autofree uint32_t *stack_row = g_new0(uint32_t, count);
    pairing_init(&p);
    NYTP_EACH_SIDE(side) {
        const uint32_t *sub_row = nytp_comparison_row_of(c, NYTP_COMPARE_SUBS, side);
        for (uint32_t key = 1; key < count; key++) {
            const nytp_pair stack = nytp_pairs_get(&c->keys.stacks, key);
            const uint32_t above = stack.first > 0 ? stack_row[stack.first] + 1 : 0;
            if ((sides[key] & 1 << side) != 0)
                stack_row[key] = join(&p, (nytp_pair){above, sub_row[stack.second]}, side, key);
        }
    }
    return pairing_end(&p);
}

/* Returns the row of a sub plus 1; 0: outside of subs. */
static uint32_t caller_row(const uint32_t *sub_row, uint32_t key)
{
    return key != NYTP_NO_KEY ? sub_row[key] + 1 : 0;
}

static GArray *match_calls(nytp_comparison *c, const uint8_t *sides)
{
    pairing p;
    pairing_init(&p);
    NYTP_EACH_SIDE(side) {
        const uint32_t *sub_row = nytp_comparison_row_of(c, NYTP_COMPARE_SUBS, side);
        for (uint32_t key = 0; key < c->keys.calls.count; key++) {
            const nytp_pair calls = nytp_pairs_get(&c->keys.calls, key);
            if ((sides[key] & 1 << side) != 0)
                join(&p, (nytp_pair){caller_row(sub_row, calls.first), sub_row[calls.second]}, side, key);
        }
    }
    return pairing_end(&p);
}

/* Lines that moved are the same, as in match_lines(). A file without statements has no row, and is known by
 * its key, which is that of its name. */
static GArray *match_places(nytp_comparison *c, const uint8_t *sides)
{
    pairing p;
    moved_lines moved;
    nytp_pairs lines;
    moved_lines_init(&moved, c);
    pairing_init(&p);
    nytp_pairs_init(&lines);
    NYTP_EACH_SIDE(side) {
        const uint32_t *file_row = nytp_comparison_row_of(c, NYTP_COMPARE_FILES, side),
                       *calls_row = nytp_comparison_row_of(c, NYTP_COMPARE_CALLS, side);
        for (uint32_t key = 0; key < c->keys.places.count; key++) {
            const nytp_pair place = nytp_pairs_get(&c->keys.places, key);
            const nytp_pair line = nytp_pairs_get(&c->keys.lines, place.second);
            uint32_t file = line.first != NYTP_NO_KEY ? file_row[line.first] : NYTP_NO_KEY;
            if (file == NYTP_NO_KEY && line.first != NYTP_NO_KEY)
                file = moved.count + line.first;
            const nytp_pair joined = {file, joined_line(&moved, side, file, line.second)};
            if ((sides[key] & 1 << side) != 0)
                join(&p, (nytp_pair){calls_row[place.first], nytp_pairs_intern(&lines, joined)}, side, key);
        }
    }
    nytp_pairs_clear(&lines);
    moved_lines_clear(&moved);
    return pairing_end(&p);
}

/* A label or kind is the same one if all of its text is. */
static GArray *match_texts(const uint8_t *sides, uint32_t count)
{
    pairing p;
    pairing_init(&p);
    NYTP_EACH_SIDE(side)
        for (uint32_t key = 0; key < count; key++)
            if ((sides[key] & 1 << side) != 0)
                join(&p, (nytp_pair){key, 0}, side, key);
    return pairing_end(&p);
}

GArray *nytp_comparison_rows(nytp_comparison *c, enum nytp_compared kind)
{
    if (c->rows[kind] != NULL)
        return c->rows[kind];
    g_autofree uint8_t *sides = sides_of(c, kind);
    switch (kind) {
    case NYTP_COMPARE_SUBS: c->rows[kind] = nytp_match_names(c->keys.subs, sides, true); break;
    case NYTP_COMPARE_LINES: c->rows[kind] = match_lines(c, sides); break;
    case NYTP_COMPARE_FILES: c->rows[kind] = nytp_match_names(c->keys.files, sides, false); break;
    case NYTP_COMPARE_PACKAGES: c->rows[kind] = nytp_match_names(c->keys.packages, sides, true); break;
    case NYTP_COMPARE_CALLS: c->rows[kind] = match_calls(c, sides); break;
    case NYTP_COMPARE_PLACES: c->rows[kind] = match_places(c, sides); break;
    case NYTP_COMPARE_KINDS:
    case NYTP_COMPARE_LABELS: c->rows[kind] = match_texts(sides, nytp_keys_count(&c->keys, kind)); break;
    default: c->rows[kind] = match_stacks(c, sides); break;
    }
    return c->rows[kind];
}

const uint32_t *nytp_comparison_row_of(nytp_comparison *c, enum nytp_compared kind, int side)
{
    const uint32_t count = nytp_keys_count(&c->keys, kind);
    const GArray *rows = nytp_comparison_rows(c, kind);
    if (c->row_of[kind][side] != NULL)
        return c->row_of[kind][side];
    uint32_t *row_of = g_new(uint32_t, count + 1);
    memset(row_of, 0xff, sizeof *row_of * (count + 1)); /* NYTP_NO_KEY */
    for (guint i = 0; i < rows->len; i++) {
        const uint32_t key = g_array_index(rows, nytp_match, i).key[side];
        if (key != NYTP_NO_KEY)
            row_of[key] = i;
    }
    return c->row_of[kind][side] = row_of;
}

void nytp_comparison_forget_rows(nytp_comparison *c)
{
    for (int kind = 0; kind < NYTP_COMPARED_KINDS; kind++) {
        g_clear_pointer(&c->rows[kind], g_array_unref);
        NYTP_EACH_SIDE(side)
            g_clear_pointer(&c->row_of[kind][side], g_free);
    }
}
