/* Finds the number of a sub by the addresses of perl's shared strings (HEK) for its package and name. The
 * strings are held, so their addresses are never reused. (The address of a CV may be: perl can free one and
 * allocate another.) */
#pragma once

#include "prof.h"

#include "base/slots.h"

typedef struct prof_cv_key {
    const HEK *package, *name;
    HEK *held_package, *held_name; /* NULL if there is nothing to hold */
    uint32_t sub;
} prof_cv_key;

typedef struct prof_cv_keys {
    prof_cv_key *at;
    uint32_t count, cap;
    nytp_slots slots; /* find the indexes of keys */
} prof_cv_keys;

/* Frees the keys, and releases perl's strings. */
void prof_cv_keys_clear(pTHX_ prof_cv_keys *keys);

/* Returns the key, or NULL if it is not there. */
const prof_cv_key *prof_cv_key_find(const prof_cv_keys *keys, const HEK *package, const HEK *name);

/* Adds a key that is not there, and holds its package, and, with name_is_hek, its name. package may be NULL.
 * Returns sub. */
uint32_t prof_cv_key_add(prof_cv_keys *keys, HEK *package, HEK *name, bool name_is_hek, uint32_t sub);
