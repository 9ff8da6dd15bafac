#include "cvkeys.h"

#include "hot.h"
#include "alloc.h"

static uint32_t slot_of(const prof_cv_keys *keys, const HEK *package, const HEK *name)
{
    uint64_t hash = ((uint64_t)(uintptr_t)package * 31 + (uint64_t)(uintptr_t)name) * PROF_MIX;
    uint32_t i = (uint32_t)(hash >> 32) & keys->mask;
    while (keys->slots[i].name != NULL && (keys->slots[i].name != name || keys->slots[i].package != package))
        i = (i + 1) & keys->mask;
    return i;
}

const prof_cv_key *prof_cv_key_find(const prof_cv_keys *keys, const HEK *package, const HEK *name)
{
    if (keys->slots == NULL)
        return NULL;
    const prof_cv_key *key = &keys->slots[slot_of(keys, package, name)];
    return key->name != NULL ? key : NULL;
}

static void grow(prof_cv_keys *keys)
{
    const uint32_t old_count = keys->slots != NULL ? keys->mask + 1 : 0;
    prof_cv_key *old = keys->slots;
    keys->mask = old_count > 0 ? old_count * 2 - 1 : 255;
    keys->slots = prof_alloc(((size_t)keys->mask + 1) * sizeof *keys->slots);
    for (uint32_t i = 0; i < old_count; i++)
        if (old[i].name != NULL)
            keys->slots[slot_of(keys, old[i].package, old[i].name)] = old[i];
    free(old);
}

static SV *hold(pTHX_ HEK *hek)
{
    return hek != NULL ? newSVhek(hek) : NULL;
}

uint32_t prof_cv_key_add(pTHX_ prof_cv_keys *keys, HEK *package, HEK *name, bool name_is_hek, uint32_t sub)
{
    if (keys->slots == NULL || keys->count >= keys->mask / 2)
        grow(keys);
    keys->slots[slot_of(keys, package, name)] = (prof_cv_key){
        package, name, hold(aTHX_ package), name_is_hek ? hold(aTHX_ name) : NULL, sub,
    };
    keys->count++;
    return sub;
}

void prof_cv_keys_clear(pTHX_ prof_cv_keys *keys)
{
    for (uint32_t i = 0; keys->slots != NULL && i <= keys->mask; i++) {
        SvREFCNT_dec(keys->slots[i].held_package);
        SvREFCNT_dec(keys->slots[i].held_name);
    }
    free(keys->slots);
    memset(keys, 0, sizeof *keys);
}
