#include "model/records.h"

#include "base/hash.h"
#include "model/grow.h"

#include <string.h>

enum { FIRST_SLOTS = 64 };

static void init(nytp_records *r, nytp_records empty)
{
    *r = empty;
    r->slots = (nytp_slots){g_new0(uint32_t, FIRST_SLOTS), FIRST_SLOTS - 1};
}

void nytp_records_init(nytp_records *r, size_t size, size_t key_size)
{
    init(r, (nytp_records){.size = size, .key_size = key_size});
}

void nytp_records_init_by(nytp_records *r, size_t size, nytp_record_hash_fn *hash, nytp_record_same_fn *same)
{
    init(r, (nytp_records){.size = size, .hash = hash, .same = same});
}

void nytp_records_clear(nytp_records *r)
{
    g_free(r->all);
    g_free(r->slots.at);
}

static inline uint64_t hash_of(const nytp_records *r, const void *record)
{
    return r->key_size > 0 ? nytp_hash_bytes(record, r->key_size) : r->hash(record);
}

static inline bool are_same(const nytp_records *r, const void *a, const void *b)
{
    if (r->key_size == sizeof(uint64_t))
        return nytp_load64(a) == nytp_load64(b);
    return r->key_size > 0 ? memcmp(a, b, r->key_size) == 0 : r->same(a, b);
}

/* Context of is_same(). */
typedef struct key {
    const nytp_records *records;
    const void *like;
} key;

static inline bool is_same(const void *context, uint32_t number)
{
    const key *k = context;
    return are_same(k->records, nytp_records_at(k->records, number), k->like);
}

static inline uint64_t hash_at(const void *records, uint32_t number)
{
    return hash_of(records, nytp_records_at(records, number));
}

/* Returns the slot of the record that is the same as `like`, or the free slot where that belongs. */
static inline uint32_t *slot_of(const nytp_records *r, const void *like)
{
    const key k = {r, like};
    return nytp_slots_find(&r->slots, hash_of(r, like), is_same, &k);
}

static void grow_slots(nytp_records *r)
{
    size_t slot_count = (r->slots.mask + 1) * 2;
    g_free(r->slots.at);
    nytp_slots_fill(&r->slots, g_new0(uint32_t, slot_count), slot_count, r->count, hash_at, r);
}

void *nytp_records_find(const nytp_records *r, const void *like)
{
    uint32_t slot = *slot_of(r, like);
    return slot != 0 ? nytp_records_at(r, slot - 1) : NULL;
}

uint32_t nytp_records_number(nytp_records *r, const void *like, bool *added)
{
    uint32_t *slot = slot_of(r, like), number = r->count;
    if (added != NULL)
        *added = *slot == 0;
    if (*slot != 0)
        return *slot - 1;
    r->all = nytp_grown(r->all, &r->capacity, (size_t)r->count + 1, r->size);
    memcpy(nytp_records_at(r, number), like, r->size);
    *slot = ++r->count;
    if (nytp_slots_full(&r->slots, r->count))
        grow_slots(r);
    return number;
}

bool nytp_records_add(nytp_records *r, const void *record, nytp_record_join_fn *join)
{
    bool added;
    uint32_t number = nytp_records_number(r, record, &added);
    if (!added)
        join(nytp_records_at(r, number), record);
    return added;
}

void nytp_records_change(nytp_records *r, nytp_record_change_fn *change, void *context,
                         nytp_record_join_fn *join)
{
    uint32_t count = r->count;
    memset(r->slots.at, 0, (r->slots.mask + 1) * sizeof *r->slots.at);
    r->count = 0;
    for (uint32_t n = 0; n < count; n++) {
        void *record = nytp_records_at(r, n);
        change(context, record);
        uint32_t *slot = slot_of(r, record);
        if (*slot != 0) {
            join(nytp_records_at(r, *slot - 1), record);
            continue;
        }
        if (r->count != n)
            memcpy(nytp_records_at(r, r->count), record, r->size);
        *slot = ++r->count;
    }
    r->capacity = r->count;
    r->all = g_realloc_n(r->all, r->capacity, r->size);
}
