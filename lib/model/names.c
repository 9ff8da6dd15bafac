#include "model/names.h"

#include "base/hash.h"
#include "base/slots.h"
#include "base/str.h"
#include "model/recent_names.h"

#include <glib.h>
#include <string.h>

typedef struct entry {
    uint32_t hash;
    uint32_t at;          /* where it begins in nytp_names.bytes */
    uint32_t length : 31; /* a string of the stream is shorter */
    uint32_t utf8 : 1;
} entry;

/* There may be millions of names, so arrays grow by a quarter and do not double. */
struct nytp_names {
    entry *entries;
    char *bytes; /* all names, one after another */
    size_t count, capacity, bytes_length, bytes_capacity;
    nytp_slots slots; /* find the numbers of names */
    nytp_recent_name recent[NYTP_RECENT_NAMES];
};

nytp_names *nytp_names_new(void)
{
    enum { FIRST_SLOTS = 256 };
    nytp_names *names = g_new0(nytp_names, 1);
    names->slots = (nytp_slots){g_new0(uint32_t, FIRST_SLOTS), FIRST_SLOTS - 1};
    return names;
}

void nytp_names_free(nytp_names *names)
{
    if (names == NULL)
        return;
    g_free(names->entries);
    g_free(names->bytes);
    g_free(names->slots.at);
    g_free(names);
}

static inline entry *entry_at(const nytp_names *names, uint32_t number)
{
    return &names->entries[number];
}

static inline uint64_t hash_at(const void *names, uint32_t number)
{
    return entry_at(names, number)->hash;
}

static void grow_slots(nytp_names *names)
{
    size_t slot_count = (names->slots.mask + 1) * 2;
    g_free(names->slots.at);
    nytp_slots_fill(&names->slots, g_new0(uint32_t, slot_count), slot_count, (uint32_t)names->count, hash_at,
                    names);
}

static void reserve(nytp_names *names, size_t length)
{
    enum { FIRST_BYTES = 4096 };
    if (names->count == names->capacity) {
        names->capacity += names->capacity / 4 + 64;
        names->entries = g_renew(entry, names->entries, names->capacity);
    }
    if (names->bytes_length + length > UINT32_MAX)
        g_error("more than 4 GiB of names");
    if (names->bytes_length + length >= names->bytes_capacity) { /* for an empty first name, too */
        names->bytes_capacity += names->bytes_capacity / 4 + length + FIRST_BYTES;
        names->bytes = g_realloc(names->bytes, names->bytes_capacity);
    }
}

static uint32_t add_at(nytp_names *names, uint32_t *slot, const nytp_str *name, uint32_t hash)
{
    reserve(names, name->length);
    names->entries[names->count] =
        (entry){hash, (uint32_t)names->bytes_length, (uint32_t)name->length & INT32_MAX, name->utf8};
    if (name->length > 0)
        memcpy(names->bytes + names->bytes_length, name->bytes, name->length);
    names->bytes_length += name->length;
    *slot = (uint32_t)++names->count;
    if (nytp_slots_full(&names->slots, (uint32_t)names->count))
        grow_slots(names);
    return (uint32_t)names->count - 1;
}

/* Context of is_same(). */
typedef struct key {
    const nytp_names *names;
    const nytp_str *name;
    uint32_t hash;
} key;

static inline bool is_same(const void *context, uint32_t number)
{
    const key *k = context;
    const entry *e = entry_at(k->names, number);
    return e->hash == k->hash && e->length == k->name->length &&
           (e->length == 0 || memcmp(k->names->bytes + e->at, k->name->bytes, e->length) == 0);
}

static uint32_t look_up(nytp_names *names, const nytp_str *name)
{
    const key k = {names, name, (uint32_t)nytp_hash_bytes(name->bytes, name->length)};
    uint32_t *slot = nytp_slots_find(&names->slots, k.hash, is_same, &k);
    return *slot != 0 ? *slot - 1 : add_at(names, slot, name, k.hash);
}

/* Looks up a name that is not in its slot of recent names. recent: that slot; NULL: it has none. */
static __attribute__((noinline)) uint32_t intern_other(nytp_names *names, const nytp_str *name, bool *added,
                                                       nytp_recent_name *recent)
{
    const size_t count = names->count; /* NOLINT: clang thinks that a slot at NULL means names at NULL */
    uint32_t number = look_up(names, name);
    if (added != NULL)
        *added = number == count;
    if (recent != NULL)
        nytp_recent_name_set(recent, name, number);
    return number;
}

uint32_t nytp_names_intern(nytp_names *names, const nytp_str *name, bool *added)
{
    nytp_recent_name *recent = nytp_recent_name_slot(names->recent, name);
    if (recent == NULL || !nytp_recent_name_is(recent, name))
        return intern_other(names, name, added, recent);
    if (added != NULL)
        *added = false;
    return recent->number;
}

nytp_str nytp_names_get(const nytp_names *names, uint32_t number)
{
    const entry *e = entry_at(names, number);
    return (nytp_str){names->bytes + e->at, e->length, e->utf8};
}

uint32_t nytp_names_count(const nytp_names *names)
{
    return (uint32_t)names->count;
}

static gint compare_names(gconstpointer a, gconstpointer b, gpointer context)
{
    const nytp_names *names = context;
    return nytp_str_order(nytp_names_get(names, *(const uint32_t *)a),
                          nytp_names_get(names, *(const uint32_t *)b));
}

uint32_t *nytp_names_ranks(const nytp_names *names)
{
    uint32_t count = nytp_names_count(names);
    uint32_t *sorted = g_new(uint32_t, count), *ranks = g_new(uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = i;
    g_qsort_with_data(sorted, (gint)count, sizeof *sorted, compare_names, (gpointer)names);
    for (uint32_t i = 0; i < count; i++)
        ranks[sorted[i]] = i;
    g_free(sorted);
    return ranks;
}
