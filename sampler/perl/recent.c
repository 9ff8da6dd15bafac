#include "sampler/perl/recent.h"

/* When there are enough young ones, they become the old ones, and those that were old are forgotten. What is
 * found among the old ones becomes young. */
struct sampler_recent {
    guint most;
    GHashTable *young, *old;
};

sampler_recent *sampler_recent_new(guint most, GHashFunc hash, GEqualFunc equal, GDestroyNotify free_key,
                                   GDestroyNotify free_value)
{
    sampler_recent *r = g_new(sampler_recent, 1);
    r->most = most;
    r->young = g_hash_table_new_full(hash, equal, free_key, free_value);
    r->old = g_hash_table_new_full(hash, equal, free_key, free_value);
    return r;
}

void sampler_recent_free(sampler_recent *r)
{
    g_hash_table_destroy(r->young);
    g_hash_table_destroy(r->old);
    g_free(r);
}

void sampler_recent_clear(sampler_recent *r)
{
    g_hash_table_remove_all(r->young);
    g_hash_table_remove_all(r->old);
}

void sampler_recent_add(sampler_recent *r, void *key, void *value)
{
    if (g_hash_table_size(r->young) >= r->most) {
        GHashTable *emptied = r->old;
        g_hash_table_remove_all(emptied);
        r->old = r->young;
        r->young = emptied;
    }
    g_hash_table_insert(r->young, key, value);
}

void *sampler_recent_find(sampler_recent *r, const void *key)
{
    void *kept, *value = g_hash_table_lookup(r->young, key);
    if (value == NULL && g_hash_table_steal_extended(r->old, key, &kept, &value))
        sampler_recent_add(r, kept, value);
    return value;
}
