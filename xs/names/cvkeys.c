#include "names/cvkeys.h"

#include "hot.h"
#include "basics/symbols.h"
#include "basics/alloc.h"

static inline uint64_t hash_of(const HEK *package, const HEK *name)
{
    return ((uint64_t)(uintptr_t)package * 31 + (uint64_t)(uintptr_t)name) * PROF_MIX >> 32;
}

static inline uint64_t hash_at(const void *keys, uint32_t number)
{
    const prof_cv_key *key = (const prof_cv_key *)keys + number;
    return hash_of(key->package, key->name);
}

/* Context of is_same(): a key to find, and the keys that there are. */
typedef struct wanted {
    const prof_cv_key *keys;
    const HEK *package, *name;
} wanted;

static inline bool is_same(const void *context, uint32_t number)
{
    const wanted *w = context;
    return w->keys[number].name == w->name && w->keys[number].package == w->package;
}

static uint32_t *slot_of(const prof_cv_keys *keys, const HEK *package, const HEK *name)
{
    const wanted w = {keys->at, package, name};
    return nytp_slots_find(&keys->slots, hash_of(package, name), is_same, &w);
}

const prof_cv_key *prof_cv_key_find(const prof_cv_keys *keys, const HEK *package, const HEK *name)
{
    const uint32_t number = keys->count > 0 ? *slot_of(keys, package, name) : 0;
    return number > 0 ? &keys->at[number - 1] : NULL;
}

uint32_t prof_cv_key_add(prof_cv_keys *keys, HEK *package, HEK *name, bool name_is_hek, uint32_t sub)
{
    if (keys->count == keys->cap)
        keys->at =
            prof_grow_entries(keys->at, keys->count, &keys->cap, sizeof *keys->at, &keys->slots, hash_at);
    uint32_t *slot = slot_of(keys, package, name);
    keys->at[keys->count] = (prof_cv_key){
        package, name, prof_hek_hold(package), name_is_hek ? prof_hek_hold(name) : NULL, sub,
    };
    *slot = ++keys->count;
    return sub;
}

void prof_cv_keys_clear(pTHX_ prof_cv_keys *keys)
{
    for (uint32_t i = 0; i < keys->count; i++) {
        prof_hek_release(aTHX_ keys->at[i].held_package);
        prof_hek_release(aTHX_ keys->at[i].held_name);
    }
    free(keys->at);
    free(keys->slots.at);
    memset(keys, 0, sizeof *keys);
}
