/* A hash table that forgets: memory that does not grow for as long as a program is sampled. */
#pragma once

#include <glib.h>

typedef struct sampler_recent sampler_recent;

/* Holds what was added or found lately: at least the last `most` of it, and at most twice as much. The table
 * owns keys and values; the functions are those of g_hash_table_new_full(). */
sampler_recent *sampler_recent_new(guint most, GHashFunc hash, GEqualFunc equal, GDestroyNotify free_key,
                                   GDestroyNotify free_value);
void sampler_recent_free(sampler_recent *recent);
void sampler_recent_clear(sampler_recent *recent);

/* Returns the value, valid until the next call; NULL if it is not there, or is forgotten. */
void *sampler_recent_find(sampler_recent *recent, const void *key);

/* Adds what is not there. */
void sampler_recent_add(sampler_recent *recent, void *key, void *value);
