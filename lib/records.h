/* Records of one kind, each once, with dense numbers in order of first sight. There may be millions: they lie
 * one behind the other, and the table they are found by holds numbers.
 */
#ifndef NYTP_RECORDS_H
#define NYTP_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of those fields by which records are the same, where their first bytes do not tell. */
typedef uint64_t nytp_record_hash_fn(const void *record);
typedef bool nytp_record_same_fn(const void *a, const void *b);

typedef struct nytp_records {
    size_t size;     /* of one, in bytes */
    size_t key_size; /* of the fields that it begins with; 0: hash and same tell */
    nytp_record_hash_fn *hash;
    nytp_record_same_fn *same;
    char *all;
    uint32_t count;
    size_t room;
    uint32_t *slots; /* number + 1; 0: free; linear probing */
    size_t mask;     /* number of slots, a power of two, less one */
} nytp_records;

/* Records are the same whose first key_size bytes are, in which there must be no padding. */
void nytp_records_init(nytp_records *r, size_t size, size_t key_size);
void nytp_records_init_by(nytp_records *r, size_t size, nytp_record_hash_fn *hash, nytp_record_same_fn *same);
void nytp_records_clear(nytp_records *r);

/* Valid until one is added. */
static inline void *nytp_records_at(const nytp_records *r, uint32_t number)
{
    return r->all + number * r->size;
}

/* The one that is the same, or NULL. */
void *nytp_records_find(const nytp_records *r, const void *like);

/* Its number; a copy of like is added when there is none. added may be NULL. */
uint32_t nytp_records_number(nytp_records *r, const void *like, bool *added);

/* Changes every record; those that become the same are joined, into the first. Takes no memory for it.
 * Numbers are others then. */
typedef void nytp_record_change_fn(void *context, void *record);
typedef void nytp_record_join_fn(void *into, const void *record);
void nytp_records_change(nytp_records *r, nytp_record_change_fn *change, void *context,
                         nytp_record_join_fn *join);

#endif
