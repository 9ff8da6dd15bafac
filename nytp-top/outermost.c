#include "outermost.h"

#include "base/hash.h"
#include "model/hashes.h"

#include <glib.h>
#include <string.h>

/* Of deeper calls, and of more subs below one call, the inner ones count, too: memory must not grow with a
 * hostile file, nor with names of evals. */
enum { MOST_DEPTH = 1 << 20, MOST_SUBS = 20000 };

/* levels[d]: a table for the calls of depth d that have returned, and whose caller has not: inclusive seconds
 * of the outermost calls among them and below them, by sub. NULL if none. */
struct top_outermost {
    GPtrArray *levels;
};

static void free_level(gpointer level)
{
    if (level != NULL)
        g_hash_table_destroy(level);
}

top_outermost *top_outermost_new(void)
{
    top_outermost *o = g_new0(top_outermost, 1);
    o->levels = g_ptr_array_new_with_free_func(free_level);
    return o;
}

void top_outermost_free(top_outermost *o)
{
    g_ptr_array_free(o->levels, TRUE);
    g_free(o);
}

void top_outermost_reset(top_outermost *o)
{
    g_ptr_array_set_size(o->levels, 0);
}

/* A hash stands for a sub: that two of some thousands have the same one does not happen. */
static void *key_of(nytp_str sub)
{
    _Static_assert(sizeof(void *) == sizeof(uint64_t), "a hash fits into a pointer");
    return (void *)(uintptr_t)nytp_hash_bytes(sub.bytes, sub.length);
}

static void add_seconds(GHashTable *level, void *key, double seconds)
{
    double *sum = g_hash_table_lookup(level, key);
    if (sum == NULL) {
        sum = g_new0(double, 1);
        g_hash_table_insert(level, key, sum);
    }
    *sum += seconds;
}

/* Adds the calls of a level to those of the one above it, the smaller table to the larger one. */
static void move_up(top_outermost *o, uint32_t depth)
{
    GHashTable *inner = o->levels->pdata[depth + 1], *outer = o->levels->pdata[depth];
    o->levels->pdata[depth + 1] = NULL;
    if (outer != NULL && g_hash_table_size(outer) < g_hash_table_size(inner)) {
        GHashTable *larger = inner;
        inner = outer;
        outer = larger;
    }
    o->levels->pdata[depth] = outer != NULL ? outer : inner;
    if (outer == NULL)
        return;
    GHashTableIter each;
    gpointer key, seconds;
    g_hash_table_iter_init(&each, inner);
    while (g_hash_table_iter_next(&each, &key, &seconds))
        add_seconds(outer, key, *(double *)seconds);
    g_hash_table_destroy(inner);
    if (g_hash_table_size(outer) > MOST_SUBS)
        g_hash_table_remove_all(outer);
}

double top_outermost_add(top_outermost *o, nytp_str sub, uint32_t depth, double incl_s)
{
    if (depth > MOST_DEPTH)
        return incl_s;
    if (o->levels->len != depth + 2)
        g_ptr_array_set_size(o->levels, (gint)depth + 2);
    GHashTable **inner = (GHashTable **)&o->levels->pdata[depth + 1];
    if (*inner == NULL)
        *inner = g_hash_table_new_full(nytp_hash_of_number, NULL, NULL, g_free);
    void *key = key_of(sub);
    const double *within = g_hash_table_lookup(*inner, key);
    const double grows_s = incl_s - (within != NULL ? *within : 0);
    double *sum = g_new(double, 1);
    *sum = incl_s;
    g_hash_table_insert(*inner, key, sum);
    move_up(o, depth);
    return grows_s;
}
