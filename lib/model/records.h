/* A set of records of one type, numbered from 0 in order of first sight. There may be millions, so they are
 * in one array, and the hash table that finds them holds their numbers. */
#pragma once

#include "base/slots.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For records whose keys cannot be compared byte by byte. The same records must have the same hash. */
typedef uint64_t nytp_record_hash_fn(const void *record);
typedef bool nytp_record_same_fn(const void *a, const void *b);

typedef struct nytp_records {
    size_t size;     /* of a record, in bytes */
    size_t key_size; /* records are the same if that many bytes at their start are; 0: hash and same decide */
    nytp_record_hash_fn *hash;
    nytp_record_same_fn *same;
    char *all; /* the array */
    uint32_t count;
    size_t capacity;
    nytp_slots slots; /* find the numbers of records */
} nytp_records;

/* init(): records are the same if their first key_size bytes are; these must have no padding. */
void nytp_records_init(nytp_records *r, size_t size, size_t key_size);
void nytp_records_init_by(nytp_records *r, size_t size, nytp_record_hash_fn *hash, nytp_record_same_fn *same);
void nytp_records_clear(nytp_records *r);

/* Returns the record with that number. Valid until a record is added. */
static inline void *nytp_records_at(const nytp_records *r, uint32_t number)
{
    return r->all + number * r->size;
}

/* A loop over the records in their order: item points to each. The body must not add any. */
#define NYTP_EACH_RECORD(type, item, records)                                                                \
    for (type *item = nytp_records_at(records, 0), *item##_end = item + (records)->count; item < item##_end; \
         item++)

/* Returns the record that is the same as `like`, or NULL. Valid until a record is added. */
void *nytp_records_find(const nytp_records *r, const void *like);

/* Returns the number of the record that is the same as `like`. If there is none, adds a copy of `like`. Sets
 * *added (added may be NULL) to whether it did. */
uint32_t nytp_records_number(nytp_records *r, const void *like, bool *added);

/* Adds the sums of a record: join adds them to those of the record that is the same. If there is none, adds a
 * copy. Returns whether it did. */
typedef void nytp_record_join_fn(void *into, const void *record);
bool nytp_records_add(nytp_records *r, const void *record, nytp_record_join_fn *join);

/* Calls change for every record; it may change the key. When records become the same, the first one stays,
 * and join adds the others to it. Numbers change. Allocates no memory. */
typedef void nytp_record_change_fn(void *context, void *record);
void nytp_records_change(nytp_records *r, nytp_record_change_fn *change, void *context,
                         nytp_record_join_fn *join);

typedef struct nytp_pair {
    uint32_t first, second;
} nytp_pair;

typedef nytp_records nytp_pairs;

static inline void nytp_pairs_init(nytp_pairs *pairs)
{
    nytp_records_init(pairs, sizeof(nytp_pair), sizeof(nytp_pair));
}

static inline void nytp_pairs_clear(nytp_pairs *pairs)
{
    nytp_records_clear(pairs);
}

/* Returns the number of a pair, which is added if it is new. */
static inline uint32_t nytp_pairs_intern(nytp_pairs *pairs, nytp_pair pair)
{
    return nytp_records_number(pairs, &pair, NULL);
}

/* Returns the number of a pair, or UINT32_MAX if there is no such pair. */
static inline uint32_t nytp_pairs_find(const nytp_pairs *pairs, nytp_pair pair)
{
    const nytp_pair *found = nytp_records_find(pairs, &pair);
    return found != NULL ? (uint32_t)(found - (const nytp_pair *)nytp_records_at(pairs, 0)) : UINT32_MAX;
}

static inline nytp_pair nytp_pairs_get(const nytp_pairs *pairs, uint32_t number)
{
    return *(const nytp_pair *)nytp_records_at(pairs, number);
}
