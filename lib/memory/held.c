#include "memory/held.h"

#include "base/str.h"
#include "memory/kept.h"

#include <stddef.h>

typedef struct holder {
    uint32_t parent, step; /* step: a name */
    uint32_t depth;
} holder;

/* What a holder has of a site. */
typedef struct part {
    uint32_t holder, site; /* holder 0: none */
    nytp_sampled amount;
} part;

static void begin_parts(nytp_held *held)
{
    nytp_records_init(&held->taken, sizeof(part), offsetof(part, amount));
}

void nytp_held_init(nytp_held *held)
{
    held->holders = g_array_new(FALSE, FALSE, sizeof(holder));
    held->holder_of = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    held->taken_holders = g_array_new(FALSE, FALSE, sizeof(holder));
    begin_parts(held);
}

void nytp_held_clear(nytp_held *held)
{
    g_array_unref(held->holders);
    g_array_unref(held->holder_of);
    g_array_unref(held->taken_holders);
    nytp_records_clear(&held->taken);
}

void nytp_held_begin_walk(nytp_held *held, bool is_whole)
{
    g_array_set_size(held->holders, 0);
    g_array_set_size(held->holder_of, 0);
    held->is_whole = is_whole;
}

bool nytp_held_add_holder(nytp_held *held, uint64_t parent, uint32_t step)
{
    enum { MOST_DEPTH = 64 };
    holder one = {(uint32_t)parent, step, 0};
    if (parent > held->holders->len || step == 0)
        return false;
    if (parent > 0)
        one.depth = g_array_index(held->holders, holder, (guint)parent - 1).depth + 1;
    g_array_append_val(held->holders, one);
    return one.depth <= MOST_DEPTH;
}

void nytp_held_set(nytp_held *held, uint32_t slot, uint32_t by)
{
    if (held->holder_of->len <= slot && by > 0)
        g_array_set_size(held->holder_of, slot + 1);
    if (held->holder_of->len > slot)
        g_array_index(held->holder_of, uint32_t, slot) = by;
}

/* ---- what is taken */

static void join(void *into, const void *record)
{
    nytp_sampled_add(&((part *)into)->amount, &((const part *)record)->amount, 1);
}

void nytp_held_take(nytp_held *held, const GArray *slots)
{
    nytp_records_clear(&held->taken);
    begin_parts(held);
    g_array_set_size(held->taken_holders, 0);
    if (held->holders->len > 0)
        g_array_append_vals(held->taken_holders, held->holders->data, held->holders->len);
    for (guint slot = 0; slot < slots->len; slot++) {
        const nytp_memory_sample *one = &g_array_index(slots, nytp_memory_sample, slot);
        const uint32_t by = slot < held->holder_of->len ? g_array_index(held->holder_of, uint32_t, slot) : 0;
        const part record = {by, one->site, one->amount};
        if (one->amount.samples > 0)
            nytp_records_add(&held->taken, &record, join);
    }
}

/* ---- the view */

typedef struct view {
    const nytp_held *held;
    GArray *nodes, *names; /* nytp_memory_node, nytp_str */
    GStringChunk *texts;
    uint32_t *by_holder; /* nodes; 0: not there yet */
} view;

static nytp_str name_of(const view *v, uint32_t name)
{
    return g_array_index(v->names, nytp_str, name - 1);
}

/* Adds a node, and returns its number. */
static uint32_t add_node(const view *v, uint32_t parent, const char *way, size_t length)
{
    const nytp_str name = {g_string_chunk_insert_len(v->texts, way, (gssize)length), length, true};
    g_array_append_val(v->names, name);
    const nytp_memory_node node = {parent, v->names->len, 0, 1};
    g_array_append_val(v->nodes, node);
    return v->nodes->len - 1;
}

/* Returns the node of a holder, which it adds with those that lead to it. */
static uint32_t node_of_holder(const view *v, uint32_t number)
{
    if (number == 0 || v->by_holder[number] != 0)
        return v->by_holder[number];
    const holder *h = &g_array_index(v->held->taken_holders, holder, number - 1);
    const uint32_t parent = node_of_holder(v, h->parent);
    const nytp_str step = name_of(v, h->step);
    GString *way = g_string_new(NULL);
    if (parent != 0) {
        const nytp_str before = name_of(v, g_array_index(v->nodes, nytp_memory_node, parent).name);
        g_string_append_len(way, before.bytes, (gssize)before.length);
    }
    g_string_append_len(way, step.bytes, (gssize)step.length);
    v->by_holder[number] = add_node(v, parent, way->str, way->len);
    g_string_free(way, TRUE);
    return v->by_holder[number];
}

/* What no walk leads to, the first nodes: values that no variable holds; arenas, in which perl keeps the
 * heads and bodies of all values; and memory without values:
 * code, perl's own tables, and C libraries. */
static const char *const not_held[] = {"(held by no variable)", "(arenas of values)", "(code and C)"};

static uint32_t node_of_not_held(nytp_str kind)
{
    static const char *const values[] = {"strings", "arrays", "hashes", "magic"};
    return nytp_str_index(kind, values, G_N_ELEMENTS(values)) >= 0 ? 1 : nytp_is_arena(kind) ? 2 : 3;
}

GArray *nytp_held_show(const nytp_held *held, const GArray *sites, GArray *nodes, GArray *names,
                       GStringChunk *texts)
{
    g_autofree uint32_t *by_holder = g_new0(uint32_t, (gsize)held->taken_holders->len + 1);
    const view v = {held, nodes, names, texts, by_holder};
    GArray *shown = g_array_new(FALSE, TRUE, sizeof(nytp_memory_site));
    g_array_append_val(shown, g_array_index(sites, nytp_memory_site, 0));
    g_array_set_size(nodes, 1);
    for (size_t i = 0; i < G_N_ELEMENTS(not_held); i++)
        add_node(&v, 0, not_held[i], strlen(not_held[i]));
    NYTP_EACH_RECORD(const part, one, &held->taken) {
        nytp_memory_site site = g_array_index(sites, nytp_memory_site, one->site);
        site.node =
            one->holder > 0 ? node_of_holder(&v, one->holder) : node_of_not_held(name_of(&v, site.kind));
        site.now = site.taken = one->amount;
        g_array_append_val(shown, site);
    }
    return shown;
}
