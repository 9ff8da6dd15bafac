#include "compare/match.h"

#include "base/order.h"
#include "model/grow.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

/* A part of both texts: the lines from begin up to end. */
typedef struct part {
    uint32_t old_begin, old_end, new_begin, new_end;
} part;

typedef struct alignment {
    const uint64_t *old, *new;
    uint32_t *new_of;
} alignment;

/* A line that occurs once in both texts of a part. */
typedef struct anchor {
    uint32_t old, new;
    uint32_t before; /* the previous anchor of the longest sequence that ends here; NYTP_NO_LINE: it is the
                        first */
} anchor;

typedef struct occurrence {
    uint64_t hash;
    uint32_t line;
    bool is_new;
} occurrence;

static gint by_hash(gconstpointer x, gconstpointer y)
{
    const occurrence *a = x, *b = y;
    return nytp_order2(NYTP_ORDER(a->hash, b->hash), a->is_new - b->is_new);
}

static gint by_old(gconstpointer x, gconstpointer y)
{
    const anchor *a = x, *b = y;
    return NYTP_ORDER(a->old, b->old);
}

static GArray *occurrences_of(const alignment *a, const part *p)
{
    GArray *all = NYTP_ARRAY(occurrence);
    for (uint32_t i = p->old_begin; i < p->old_end; i++)
        g_array_append_val(all, ((const occurrence){a->old[i], i, false}));
    for (uint32_t i = p->new_begin; i < p->new_end; i++)
        g_array_append_val(all, ((const occurrence){a->new[i], i, true}));
    g_array_sort(all, by_hash);
    return all;
}

/* Returns the anchors in order of old lines. */
static GArray *anchors_of(const alignment *a, const part *p)
{
    g_autoptr(GArray) all = occurrences_of(a, p);
    GArray *anchors = NYTP_ARRAY(anchor);
    const occurrence *at = (const occurrence *)(const void *)all->data;
    for (guint i = 0, end; i < all->len; i = end) {
        for (end = i + 1; end < all->len && at[end].hash == at[i].hash;)
            end++;
        if (end == i + 2 && !at[i].is_new && at[i + 1].is_new)
            g_array_append_val(anchors, ((const anchor){at[i].line, at[i + 1].line, NYTP_NO_LINE}));
    }
    g_array_sort(anchors, by_old);
    return anchors;
}

/* Returns how many of the sequences end with a new line before that of the anchor. last has, by length less
 * one, the anchor with the smallest new line that ends a sequence of that length. */
static guint sequences_before(const anchor *anchors, const GArray *last, uint32_t new)
{
    guint i;
    NYTP_SEARCH(i, last->len, anchors[g_array_index(last, uint32_t, i)].new < new);
    return i;
}

/* Leaves only the anchors of a longest sequence whose new lines ascend, too. */
static void keep_ascending(GArray *anchors)
{
    anchor *at = (anchor *)(void *)anchors->data;
    g_autoptr(GArray) last = NYTP_ARRAY(uint32_t);
    for (uint32_t i = 0; i < anchors->len; i++) {
        const guint length = sequences_before(at, last, at[i].new);
        if (length > 0)
            at[i].before = g_array_index(last, uint32_t, length - 1);
        if (length == last->len)
            g_array_append_val(last, i);
        g_array_index(last, uint32_t, length) = i;
    }
    guint left = last->len;
    uint32_t i = left > 0 ? g_array_index(last, uint32_t, left - 1) : NYTP_NO_LINE;
    for (guint to = left; i != NYTP_NO_LINE; i = at[i].before)
        g_array_index(last, uint32_t, --to) = i;
    for (guint to = 0; to < left; to++)
        at[to] = at[g_array_index(last, uint32_t, to)];
    g_array_set_size(anchors, left);
}

/* Takes away the equal lines at the begin and at the end. */
static void align_ends(alignment *a, part *p)
{
    while (p->old_begin < p->old_end && p->new_begin < p->new_end &&
           a->old[p->old_begin] == a->new[p->new_begin])
        a->new_of[p->old_begin++] = p->new_begin++;
    while (p->old_begin < p->old_end && p->new_begin < p->new_end &&
           a->old[p->old_end - 1] == a->new[p->new_end - 1])
        a->new_of[--p->old_end] = --p->new_end;
}

static void align_edited(alignment *a, const part *p)
{
    if (p->old_end - p->old_begin == p->new_end - p->new_begin)
        for (uint32_t i = p->old_begin; i < p->old_end; i++)
            a->new_of[i] = p->new_begin + (i - p->old_begin);
}

enum { DEEPEST = 100 }; /* a text in which each part has one anchor more would need as many levels as lines */

static void align_part(alignment *a, part p, int depth)
{
    align_ends(a, &p);
    if (p.old_begin == p.old_end || p.new_begin == p.new_end || depth == DEEPEST)
        return;
    g_autoptr(GArray) anchors = anchors_of(a, &p);
    keep_ascending(anchors);
    if (anchors->len == 0)
        align_edited(a, &p);
    NYTP_EACH(const anchor, x, anchors) {
        align_part(a, (part){p.old_begin, x->old, p.new_begin, x->new}, depth + 1);
        a->new_of[x->old] = x->new;
        p.old_begin = x->old + 1;
        p.new_begin = x->new + 1;
    }
    if (anchors->len > 0)
        align_part(a, p, depth + 1);
}

uint32_t *nytp_align(const uint64_t *old, uint32_t old_count, const uint64_t *new, uint32_t new_count)
{
    alignment a = {old, new, g_new(uint32_t, old_count + 1)};
    memset(a.new_of, 0xFF, old_count * sizeof *a.new_of); /* NYTP_NO_LINE */
    align_part(&a, (part){0, old_count, 0, new_count}, 0);
    return a.new_of;
}
