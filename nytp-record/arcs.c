#include "arcs.h"

#include "base/hash.h"

#include <glib.h>

typedef struct arc_key {
    uint32_t caller, callee, fid, line;
} arc_key;

typedef struct arc {
    arc_key key;
    sampler_label caller, callee;
    uint32_t count, max_depth;
    double incl_ticks, excl_ticks, reci_ticks;
} arc;

/* A sub may be defined in several files: string evals are. */
typedef struct place_key {
    uint32_t name, fid;
} place_key;

typedef struct place {
    place_key key;
    sampler_label sub;
    uint32_t first_line, last_line;
    bool is_written;
} place;

struct record_arcs {
    const nytp_strings *strings;
    GHashTable *arcs, *places;
    GPtrArray *arcs_in_order, *places_in_order;
};

static guint hash_arc(gconstpointer key)
{
    const arc_key *k = key;
    return (guint)nytp_hash_mix(0, (uint64_t)k->caller << 32 | k->callee, (uint64_t)k->fid << 32 | k->line);
}

static gboolean same_arc(gconstpointer a, gconstpointer b)
{
    const arc_key *left = a, *right = b;
    return left->caller == right->caller && left->callee == right->callee && left->fid == right->fid &&
           left->line == right->line;
}

static guint hash_place(gconstpointer key)
{
    const place_key *k = key;
    return (guint)nytp_hash_mix(0, k->name, k->fid);
}

static gboolean same_place(gconstpointer a, gconstpointer b)
{
    const place_key *left = a, *right = b;
    return left->name == right->name && left->fid == right->fid;
}

record_arcs *record_arcs_new(const nytp_strings *strings)
{
    record_arcs *a = g_new(record_arcs, 1);
    *a =
        (record_arcs){strings, g_hash_table_new(hash_arc, same_arc), g_hash_table_new(hash_place, same_place),
                      g_ptr_array_new_with_free_func(g_free), g_ptr_array_new_with_free_func(g_free)};
    return a;
}

void record_arcs_free(record_arcs *a)
{
    if (a == NULL)
        return;
    g_hash_table_destroy(a->arcs);
    g_hash_table_destroy(a->places);
    g_ptr_array_free(a->arcs_in_order, TRUE);
    g_ptr_array_free(a->places_in_order, TRUE);
    g_free(a);
}

size_t record_arcs_count(const record_arcs *a)
{
    return (size_t)a->arcs_in_order->len + a->places_in_order->len;
}

void record_arcs_add(record_arcs *a, const record_ended_call *call)
{
    arc_key key = {call->caller.name, call->callee.name, call->fid, call->line};
    arc *found = g_hash_table_lookup(a->arcs, &key);
    if (found == NULL) {
        found = g_new0(arc, 1);
        found->key = key;
        found->caller = call->caller;
        found->callee = call->callee;
        g_hash_table_insert(a->arcs, &found->key, found);
        g_ptr_array_add(a->arcs_in_order, found);
    }
    found->count++;
    found->excl_ticks += call->excl_ticks;
    if (call->depth == 0)
        found->incl_ticks += call->incl_ticks;
    else
        found->reci_ticks += call->incl_ticks;
    found->max_depth = MAX(found->max_depth, call->depth);
}

void record_arcs_seen(record_arcs *a, sampler_label sub, uint32_t fid, uint32_t first_line, uint32_t line)
{
    place_key key = {sub.name, fid};
    place *found = g_hash_table_lookup(a->places, &key);
    if (found == NULL) {
        found = g_new0(place, 1);
        found->key = key;
        found->sub = sub;
        found->first_line = found->last_line = first_line;
        g_hash_table_insert(a->places, &found->key, found);
        g_ptr_array_add(a->places_in_order, found);
    }
    if (first_line != 0)
        found->last_line = MAX(found->last_line, line);
}

static nytp_str text_of(const record_arcs *a, sampler_label label)
{
    nytp_str text = {.utf8 = label.utf8};
    text.bytes = nytp_strings_get(a->strings, label.name, &text.length);
    return text;
}

static void write_place(const record_arcs *a, nytp_writer *writer, const place *p)
{
    nytp_chunk chunk = {.tag = NYTP_SUB_INFO};
    chunk.sub_info.fid = p->key.fid;
    chunk.sub_info.name = text_of(a, p->sub);
    chunk.sub_info.first_line = p->first_line;
    chunk.sub_info.last_line = p->last_line;
    nytp_writer_chunk(writer, &chunk);
    if (p->first_line != 0)
        return;
    nytp_chunk mark = {.tag = NYTP_SUB_CALLERS}; /* an xsub or built-in */
    mark.sub_callers.called = chunk.sub_info.name;
    nytp_writer_chunk(writer, &mark);
}

static void write_arc(const record_arcs *a, nytp_writer *writer, const arc *c, double ticks_per_sec)
{
    nytp_chunk chunk = {.tag = NYTP_SUB_CALLERS};
    chunk.sub_callers.fid = c->key.fid;
    chunk.sub_callers.line = c->key.line;
    chunk.sub_callers.caller = text_of(a, c->caller);
    chunk.sub_callers.called = text_of(a, c->callee);
    chunk.sub_callers.count = c->count;
    chunk.sub_callers.incl_s = c->incl_ticks / ticks_per_sec;
    chunk.sub_callers.excl_s = c->excl_ticks / ticks_per_sec;
    chunk.sub_callers.reci_s = c->reci_ticks / ticks_per_sec;
    chunk.sub_callers.max_depth = c->max_depth;
    nytp_writer_chunk(writer, &chunk);
}

void record_arcs_write(record_arcs *a, nytp_writer *writer, double ticks_per_sec)
{
    for (guint n = 0; n < a->places_in_order->len; n++) {
        place *p = g_ptr_array_index(a->places_in_order, n);
        if (!p->is_written)
            write_place(a, writer, p);
        p->is_written = true;
    }
    for (guint n = 0; n < a->arcs_in_order->len; n++) {
        arc *c = g_ptr_array_index(a->arcs_in_order, n);
        if (c->count > 0)
            write_arc(a, writer, c, ticks_per_sec);
        c->count = c->max_depth = 0;
        c->incl_ticks = c->excl_ticks = c->reci_ticks = 0;
    }
}
