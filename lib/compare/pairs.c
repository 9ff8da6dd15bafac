#include "compare/pairs.h"

#include "base/hash.h"

enum { FIRST_SLOTS = 1024 };

static uint64_t hash_of(const nytp_pair *pair)
{
    return nytp_hash_mix(0, pair->first, pair->second);
}

static uint64_t hash_at(const void *pairs, uint32_t number)
{
    return hash_of((const nytp_pair *)pairs + number);
}

void nytp_pairs_init(nytp_pairs *pairs)
{
    pairs->all = g_array_new(FALSE, FALSE, sizeof(nytp_pair));
    pairs->slots = (nytp_slots){g_new0(uint32_t, FIRST_SLOTS), FIRST_SLOTS - 1};
}

void nytp_pairs_clear(nytp_pairs *pairs)
{
    g_array_free(pairs->all, TRUE);
    g_free(pairs->slots.at);
}

typedef struct wanted {
    const nytp_pair *all;
    nytp_pair pair;
} wanted;

static bool is_same(const void *key, uint32_t number)
{
    const wanted *w = key;
    return w->all[number].first == w->pair.first && w->all[number].second == w->pair.second;
}

static void grow(nytp_pairs *pairs)
{
    uint32_t *old = pairs->slots.at;
    const size_t count = 2 * (pairs->slots.mask + 1);
    nytp_slots_fill(&pairs->slots, g_new0(uint32_t, count), count, pairs->all->len, hash_at,
                    pairs->all->data);
    g_free(old);
}

uint32_t nytp_pairs_find(const nytp_pairs *pairs, nytp_pair pair)
{
    const wanted w = {(const nytp_pair *)(const void *)pairs->all->data, pair};
    return *nytp_slots_find(&pairs->slots, hash_of(&pair), is_same, &w) - 1;
}

uint32_t nytp_pairs_intern(nytp_pairs *pairs, nytp_pair pair)
{
    const wanted w = {(const nytp_pair *)(const void *)pairs->all->data, pair};
    uint32_t *slot = nytp_slots_find(&pairs->slots, hash_of(&pair), is_same, &w);
    const uint32_t number = *slot;
    if (number > 0)
        return number - 1;
    g_array_append_val(pairs->all, pair);
    *slot = pairs->all->len;
    if (nytp_slots_full(&pairs->slots, pairs->all->len))
        grow(pairs);
    return pairs->all->len - 1;
}
