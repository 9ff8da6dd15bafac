/* A hash table that forgets: memory that does not grow for as long as a program is sampled. */
#ifndef RECORD_RECENT_H
#define RECORD_RECENT_H

#include <glib.h>

typedef struct record_recent record_recent;

/* Holds what was added or found lately: at least the last `most` of it, and at most twice as much. The table
 * owns keys and values; the functions are those of g_hash_table_new_full(). */
record_recent *record_recent_new(guint most, GHashFunc hash, GEqualFunc equal, GDestroyNotify free_key,
                                 GDestroyNotify free_value);
void record_recent_free(record_recent *recent);
void record_recent_clear(record_recent *recent);

/* Returns the value, valid until the next call; NULL if it is not there, or is forgotten. */
void *record_recent_find(record_recent *recent, const void *key);

/* Adds what is not there. */
void record_recent_add(record_recent *recent, void *key, void *value);

#endif
